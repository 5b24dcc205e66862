"""`python3 client_python.py TASK`: code that users write with the Python client, with KUBECONFIG; see client-node.mjs."""

import sys

from kubernetes import client, config, dynamic, stream, watch

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


def execute() -> None:
    """The exit code is that of the command in the pod."""
    running = stream.stream(
        api.connect_get_namespaced_pod_exec,
        "web",
        NAMESPACE,
        command=["count"],
        stdout=True,
        stderr=True,
        stdin=False,
        tty=False,
        _preload_content=False,
    )
    while running.is_open():
        running.update(timeout=1)
        if running.peek_stdout():
            print(running.read_stdout(), end="", flush=True)
    code = running.returncode
    sys.exit(code)


def follow_log() -> None:
    log = api.read_namespaced_pod_log("web", NAMESPACE, follow=True, _preload_content=False)
    for piece in log.stream():
        print(piece.decode(), end="", flush=True)


TASKS = {
    "follow": follow,
    "write": write,
    "create": create,
    "delete": delete,
    "list": list_,
    "listNone": list_none,
    "discover": discover,
    "execute": execute,
    "followLog": follow_log,
}

try:
    TASKS[sys.argv[1]]()
except client.ApiException as error:
    print("STOPPED", f"ApiException: {error.status}", flush=True)
    sys.exit(1)
except Exception as error:  # the user would see any exception
    print("STOPPED", type(error).__name__, flush=True)
    sys.exit(1)
