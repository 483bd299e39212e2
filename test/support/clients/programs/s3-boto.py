# boto3 on the S3 API. Prints one line of JSON for each call, with the fault if it failed.
import json
import os
import sys
import urllib.request

import boto3
from botocore.exceptions import ClientError

s3 = boto3.client("s3", endpoint_url=os.environ["AWS_ENDPOINT_URL"], region_name="auto")
BUCKET = "boto-bucket"
KEY = "folder/ä b+c.txt"


def call(does, run, expected=None):
    fault = None
    result = None
    try:
        result = run()
        if expected is not None and result != expected:
            fault = f"expected {expected!r}, got {result!r}"
    except Exception as error:
        fault = repr(error)
    print(json.dumps({"does": does, **({} if fault is None else {"fault": fault})}, separators=(",", ":")), flush=True)
    return result


def code(run):
    try:
        run()
        return "done"
    except ClientError as error:
        return error.response["Error"]["Code"]


call("create_bucket", lambda: s3.create_bucket(Bucket=BUCKET))
call("list_buckets", lambda: [one["Name"] for one in s3.list_buckets()["Buckets"]], [BUCKET])
call("put_object", lambda: s3.put_object(Bucket=BUCKET, Key=KEY, Body=b"text", ContentType="text/plain", Metadata={"tag": "one"}))
call("get_object", lambda: s3.get_object(Bucket=BUCKET, Key=KEY)["Body"].read(), b"text")
call("get_object of a range", lambda: s3.get_object(Bucket=BUCKET, Key=KEY, Range="bytes=1-2")["Body"].read(), b"ex")
call("head_object", lambda: s3.head_object(Bucket=BUCKET, Key=KEY)["Metadata"], {"tag": "one"})
call("get_object of a missing key", lambda: code(lambda: s3.get_object(Bucket=BUCKET, Key="none")), "NoSuchKey")
call("get_object if it has not changed", lambda: code(lambda: s3.get_object(Bucket=BUCKET, Key=KEY, IfMatch='"other"')), "PreconditionFailed")
call("copy_object", lambda: s3.copy_object(Bucket=BUCKET, Key="copy", CopySource={"Bucket": BUCKET, "Key": KEY}))
with open("large.bin", "wb") as file:
    file.write(b"large" * 2_500_000)
call("upload_file in parts", lambda: s3.upload_file("large.bin", BUCKET, "large"))
call("download_file", lambda: s3.download_file(BUCKET, "large", "down.bin"))
call("the downloaded file", lambda: open("down.bin", "rb").read() == open("large.bin", "rb").read(), True)
call("list_objects", lambda: [one["Key"] for one in s3.list_objects(Bucket=BUCKET)["Contents"]], ["copy", KEY, "large"])


def pages():
    listed = s3.get_paginator("list_objects_v2").paginate(Bucket=BUCKET, PaginationConfig={"PageSize": 1})
    return [one["Key"] for page in listed for one in page["Contents"]]


call("list_objects_v2 in pages", pages, ["copy", KEY, "large"])
url = s3.generate_presigned_url("get_object", Params={"Bucket": BUCKET, "Key": KEY}, ExpiresIn=60)
call("a presigned address", lambda: urllib.request.urlopen(url).read(), b"text")
call("delete_object", lambda: s3.delete_object(Bucket=BUCKET, Key="copy"))
call("delete_objects", lambda: len(s3.delete_objects(Bucket=BUCKET, Delete={"Objects": [{"Key": KEY}, {"Key": "large"}]})["Deleted"]), 2)
call("delete_bucket", lambda: s3.delete_bucket(Bucket=BUCKET))
sys.exit(0)
