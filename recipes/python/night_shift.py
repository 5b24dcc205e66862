"""Scales Deployments to zero at night and restores their replicas in the morning."""

from kubernetes.client import AppsV1Api

REMEMBERED = "night-shift/replicas"


def sleep(apps: AppsV1Api, namespace: str, selector: str) -> list[str]:
    """Scales Deployments to zero and remembers their replicas. Returns their names."""
    asleep = []
    for deployment in apps.list_namespaced_deployment(namespace, label_selector=selector).items:
        if deployment.spec.replicas == 0:
            continue
        change = {
            "metadata": {"annotations": {REMEMBERED: str(deployment.spec.replicas)}},
            "spec": {"replicas": 0},
        }
        apps.patch_namespaced_deployment(deployment.metadata.name, namespace, change)
        asleep.append(deployment.metadata.name)
    return asleep


def wake(apps: AppsV1Api, namespace: str, selector: str) -> list[str]:
    """Restores the replicas of Deployments that are asleep. Returns their names."""
    awake = []
    for deployment in apps.list_namespaced_deployment(namespace, label_selector=selector).items:
        replicas = (deployment.metadata.annotations or {}).get(REMEMBERED)
        if replicas is None:
            continue
        change = {"metadata": {"annotations": {REMEMBERED: None}}, "spec": {"replicas": int(replicas)}}
        apps.patch_namespaced_deployment(deployment.metadata.name, namespace, change)
        awake.append(deployment.metadata.name)
    return awake
