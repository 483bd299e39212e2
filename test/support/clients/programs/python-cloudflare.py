# The provider's own library for Python, major 2, which Debian has.
import json
import os

import CloudFlare

account = os.environ["CLOUDFLARE_ACCOUNT_ID"]
zone = os.environ["CLOUDFLARE_ZONE_ID"]
name = os.environ["ZONE"]
cf = CloudFlare.CloudFlare(token=os.environ["CLOUDFLARE_API_TOKEN"])


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


call("zones.get", lambda: name in [one["name"] for one in cf.zones.get()], True)
call("accounts.get", lambda: [one["id"] for one in cf.accounts.get()], [account])
record = call("zones.dns_records.post", lambda: cf.zones.dns_records.post(zone, data={"type": "A", "name": f"py.{name}", "content": "192.0.2.7"}))
call("zones.dns_records.get", lambda: [one["content"] for one in cf.zones.dns_records.get(zone, params={"name": f"py.{name}"})], ["192.0.2.7"])
call("zones.dns_records.patch", lambda: cf.zones.dns_records.patch(zone, record["id"], data={"content": "192.0.2.8"})["content"], "192.0.2.8")
call("zones.dns_records.delete", lambda: cf.zones.dns_records.delete(zone, record["id"])["id"], record and record["id"])
hostname = call("zones.custom_hostnames.post", lambda: cf.zones.custom_hostnames.post(zone, data={"hostname": "py.customer.com", "ssl": {"method": "txt", "type": "dv"}}))
call("zones.custom_hostnames.get", lambda: [one["hostname"] for one in cf.zones.custom_hostnames.get(zone)], ["py.customer.com"])
call("zones.custom_hostnames.delete", lambda: cf.zones.custom_hostnames.delete(zone, hostname["id"])["id"], hostname and hostname["id"])
namespace = call("accounts.storage.kv.namespaces.post", lambda: cf.accounts.storage.kv.namespaces.post(account, data={"title": "python"}))
call("accounts.storage.kv.namespaces.get", lambda: [one["title"] for one in cf.accounts.storage.kv.namespaces.get(account)], ["python"])
call("accounts.storage.kv.namespaces.delete", lambda: cf.accounts.storage.kv.namespaces.delete(account, namespace["id"]))
