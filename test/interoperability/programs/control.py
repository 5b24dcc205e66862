"""Drives the control API of the server in KUBEDOUBLE_URL. Prints one line for each step."""

import json
import os
import ssl
import urllib.error
import urllib.request

URL, TOKEN = os.environ["KUBEDOUBLE_URL"], os.environ["KUBEDOUBLE_TOKEN"]
TLS = ssl.create_default_context(cafile=os.environ["KUBEDOUBLE_CA_FILE"])
MAPS = "/api/v1/namespaces/default/configmaps"


def request(method, path, body=None, url=URL, token=TOKEN):
    data = None if body is None else json.dumps(body).encode()
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    sent = urllib.request.Request(url + path, data, headers, method=method)
    try:
        with urllib.request.urlopen(sent, context=TLS) as response:
            status, text = response.status, response.read()
    except urllib.error.HTTPError as error:
        status, text = error.code, error.read()
    return status, json.loads(text) if text.startswith(b"{") else {}


def control(method, path, body=None, **other):
    return request(method, f"/kubedouble/v1/{path}", body, **other)


def config_map(name, version=""):
    return {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": name, "resourceVersion": version},
    }


status, created = request("POST", MAPS, config_map("first"))
print("create:", status)
version = created["metadata"]["resourceVersion"]
print("inject:", control("POST", "faults", {"scenario": "conflict:resource=configmaps"})[0])
print("check of an unused fault:", control("POST", "check")[0])
conflict = {"scenario": "conflict", "options": {"resource": "configmaps"}}
fault = control("POST", "faults", conflict)[1]["id"]
print("update:", request("PUT", f"{MAPS}/first", config_map("first", version))[0])
print("hits:", control("GET", f"faults/{fault}")[1]["hits"])
print("fault in the log:", control("GET", "requests?verb=update")[1]["requests"][0]["fault"])
print("check:", control("POST", "check")[0])
fault = control("POST", "faults", {"scenario": "throttle"})[1]["id"]
print("remove:", control("DELETE", f"faults/{fault}")[0])
status, refused = control("POST", "faults", {"scenario": "conflct"})
print("misspelt:", status, str("did you mean conflict?" in refused["message"]).lower())
print("advance:", control("POST", "clock", {"advance": "1h"})[0])
print("compact:", control("POST", "compact")[0])
print("old list:", request("GET", f"{MAPS}?resourceVersion=1&resourceVersionMatch=Exact")[0])
snapshot = control("POST", "snapshots")[1]["id"]
request("DELETE", f"{MAPS}/first")
print("restore:", control("POST", f"snapshots/{snapshot}/restore")[0])
print("restored:", request("GET", f"{MAPS}/first")[0])
status, fork = control("POST", "forks", {})
print("fork:", status)
request("DELETE", f"{MAPS}/first", url=fork["url"], token=fork["token"])
print("after a delete in the fork:", request("GET", f"{MAPS}/first")[0])
print("close:", control("DELETE", f"forks/{fork['id']}")[0])
print("reset:", control("POST", "reset")[0])
print("after the reset:", request("GET", f"{MAPS}/first")[0])
print("another token:", control("GET", "faults", token="guess")[0])
