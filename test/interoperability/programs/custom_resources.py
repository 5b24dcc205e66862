"""Creates a definition and works with its objects by the dynamic client. Arguments: the definition's file, its group."""

import json
import sys

from kubernetes import config
from kubernetes.client.exceptions import ApiException
from kubernetes.dynamic import DynamicClient

path, group = sys.argv[1:]
client = DynamicClient(config.new_client_from_config())

definitions = client.resources.get(api_version="apiextensions.k8s.io/v1", kind="CustomResourceDefinition")
with open(path, encoding="utf8") as file:
    definition = definitions.create(body=json.load(file))
for event in definitions.watch(field_selector=f"metadata.name={definition.metadata.name}"):
    conditions = {one.type: one.status for one in event["object"].status.conditions or []}
    if conditions.get("Established") == "True":
        break

widgets = client.resources.get(api_version=f"{group}/v1", kind="Widget")
body = {"apiVersion": f"{group}/v1", "kind": "Widget", "metadata": {"name": "a"}, "spec": {"color": "red"}}
print("created", widgets.create(body=body, namespace="default").spec.color)
patch = {"metadata": {"name": "a"}, "spec": {"color": "blue", "replicas": 1}}
patched = widgets.patch(body=patch, namespace="default", content_type="application/merge-patch+json")
print("patched", patched.spec.color)
print("listed", [item.metadata.name for item in widgets.get(namespace="default").items])
for event in widgets.watch(namespace="default", timeout=10):
    print("watched", event["type"], event["object"].metadata.name)
    break
scale = {"metadata": {"name": "a"}, "spec": {"replicas": 2}}
scaled = widgets.scale.patch(body=scale, namespace="default", content_type="application/merge-patch+json")
print("scaled", scaled.spec.replicas)
widgets.delete(name="a", namespace="default")
print("deleted")
try:
    widgets.get(name="a", namespace="default")
except ApiException as error:
    print("not found", error.status)
