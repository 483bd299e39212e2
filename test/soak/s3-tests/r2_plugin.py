"""Runs ceph/s3-tests, unchanged, against a sandbox: a plugin of pytest.

The suite removes its buckets by listing versions of objects, which R2 does not have, and waits for lifecycle rules in days that a
debug setting of Ceph makes short. Here the cleanup lists objects, and a wait of hours advances the sandbox's clock. For each test,
a line of JSON has its outcome, and the operations and parameters that it used.
"""

import json
import os
import time
import urllib.request

import botocore.client
import pytest
import s3tests.functional as suite

ready = json.load(open(os.environ["S3_TESTS_READY"]))
used = []


def list_versions(client, bucket, batch_size):
    page = {"IsTruncated": True}
    while page["IsTruncated"]:
        token = page.get("NextContinuationToken")
        page = client.list_objects_v2(Bucket=bucket, MaxKeys=batch_size, **({"ContinuationToken": token} if token else {}))
        if page.get("Contents"):
            yield [{"Key": found["Key"]} for found in page["Contents"]]
    for upload in client.list_multipart_uploads(Bucket=bucket).get("Uploads", []):
        client.abort_multipart_upload(Bucket=bucket, Key=upload["Key"], UploadId=upload["UploadId"])


suite.list_versions = list_versions
real_sleep = time.sleep


def sleep(seconds):
    if seconds < 3600:
        return real_sleep(seconds)
    request = urllib.request.Request(
        ready["apiBaseUrl"] + "/sandbox/clock",
        data=json.dumps({"seconds": seconds}).encode(),
        headers={"authorization": "Bearer " + ready["apiToken"], "content-type": "application/json"},
        method="POST",
    )
    urllib.request.urlopen(request).read()


time.sleep = sleep
real_call = botocore.client.BaseClient._make_api_call


def record_call(self, name, parameters):
    used.append((self.meta.service_model.service_name, name, parameters))
    return real_call(self, name, parameters)


botocore.client.BaseClient._make_api_call = record_call


def pytest_collection_modifyitems(items):
    # The clock cannot go back, so cases that advance it run last.
    items.sort(key=lambda item: any(mark.name.startswith("lifecycle_") for mark in item.iter_markers()) and "header" not in item.name)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    report = (yield).get_result()
    if call.when == "setup":
        used.clear()
    if call.when != "call" and not report.failed:
        return
    row = {
        "name": item.name,
        "outcome": report.outcome,
        "marks": sorted({mark.name for mark in item.iter_markers()}),
        "operations": sorted({f"{service}.{name}" for service, name, _ in used}),
        "parameters": sorted({key for _, _, parameters in used for key in parameters}),
        "error": "" if call.excinfo is None else str(call.excinfo.value)[:300],
    }
    with open(os.environ["S3_TESTS_RESULTS"], "a") as out:
        out.write(json.dumps(row) + "\n")
