"""`python3 client_python.py TASK`: code that users write with the Python client, with KUBECONFIG; see client-node.mjs."""

import sys

from kubernetes import client, config, dynamic, watch

NAMESPACE = "default"
config.load_kube_config()
api = client.CoreV1Api()


def follow() -> None:
    for event in watch.Watch().stream(api.list_namespaced_config_map, NAMESPACE):
        found = event["object"]
        if event["type"] in ("ADDED", "MODIFIED", "DELETED"):
            print(event["type"], found.metadata.name, found.data["n"], flush=True)


def write() -> None:
    found = api.read_namespaced_config_map("a", NAMESPACE)
    found.data = {"n": "2"}
    api.replace_namespaced_config_map("a", NAMESPACE, found)


def create() -> None:
    body = client.V1ConfigMap(metadata=client.V1ObjectMeta(name="c"), data={"n": "1"})
    api.create_namespaced_config_map(NAMESPACE, body)


def list_() -> None:
    """The library does not paginate by itself: a plain loop."""
    names, token = [], None
    while True:
        page = api.list_namespaced_config_map(NAMESPACE, limit=1, _continue=token)
        names += [item.metadata.name for item in page.items]
        token = page.metadata._continue
        if not token:
            break
    print("LISTED", *sorted(names), flush=True)


def discover() -> None:
    resource = dynamic.DynamicClient(api.api_client).resources.get(api_version="v1", kind="ConfigMap")
    resource.get("a", NAMESPACE)


def list_none() -> None:
    for item in api.list_namespaced_secret(NAMESPACE).items:
        print(item.metadata.name)


def delete() -> None:
    api.delete_namespaced_config_map("a", NAMESPACE)


TASKS = {
    "follow": follow,
    "write": write,
    "create": create,
    "delete": delete,
    "list": list_,
    "listNone": list_none,
    "discover": discover,
}

try:
    TASKS[sys.argv[1]]()
except client.ApiException as error:
    print("STOPPED", f"ApiException: {error.status}", flush=True)
    sys.exit(1)
except Exception as error:  # the user would see any exception
    print("STOPPED", type(error).__name__, flush=True)
    sys.exit(1)
