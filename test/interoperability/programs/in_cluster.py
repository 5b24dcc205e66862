"""Reads config maps as a pod does: with the mounted token and authority, and the address in the environment."""

import os
import sys

from kubernetes import client
from kubernetes.client.rest import ApiException
from kubernetes.config.incluster_config import InClusterConfigLoader

mounted = sys.argv[1]


def names():
    loader = InClusterConfigLoader(
        token_filename=os.path.join(mounted, "token"), cert_filename=os.path.join(mounted, "ca.crt")
    )
    configuration = client.Configuration()
    loader.load_and_set(configuration)
    api = client.CoreV1Api(client.ApiClient(configuration))
    with open(os.path.join(mounted, "namespace")) as file:
        namespace = file.read()
    try:
        found = api.list_namespaced_config_map(namespace)
    except ApiException as error:
        return "%d %s" % (error.status, error.reason)
    return " ".join(item.metadata.name for item in found.items)


# The test changes the token between the lines.
for line in sys.stdin:
    print(line.strip() + ": " + names(), flush=True)
