# edgectl sandbox exec --seed seed.yaml -- pytest test_flags.py
import json
import os
import urllib.request

import pytest

BASE = os.environ["CLOUDFLARE_BASE_URL"]
ACCOUNT = os.environ["CLOUDFLARE_ACCOUNT_ID"]
HEADERS = {"Authorization": "Bearer " + os.environ["CLOUDFLARE_API_TOKEN"]}


def call(method, path, body=None):
    request = urllib.request.Request(BASE + path, method=method, headers=dict(HEADERS), data=body)
    request.add_header("Content-Type", "application/json")
    with urllib.request.urlopen(request) as answer:
        return answer.read().decode()


def is_enabled(namespace, flag):
    """The code under test: reads a feature flag, and uses a default when the platform is busy."""
    try:
        return call("GET", f"/accounts/{ACCOUNT}/storage/kv/namespaces/{namespace}/values/{flag}") == "on"
    except urllib.error.HTTPError:
        return False


@pytest.fixture
def namespace():
    listed = json.loads(call("GET", f"/accounts/{ACCOUNT}/storage/kv/namespaces"))
    return next(one["id"] for one in listed["result"] if one["title"] == "flags")


@pytest.fixture
def busy():
    call("POST", "/sandbox/faults", b'{"match":"GET /accounts/*/storage/kv/**","status":503}')
    yield
    call("DELETE", "/sandbox/faults")


def test_flag_that_is_on(namespace):
    assert is_enabled(namespace, "search")


def test_flag_while_the_platform_is_busy(namespace, busy):
    assert not is_enabled(namespace, "search")
