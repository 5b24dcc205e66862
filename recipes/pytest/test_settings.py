import pytest
from kubernetes import client, config

from settings import set_color

# Runs inside `kubedouble exec`, which sets KUBECONFIG.
config.load_kube_config()
core = client.CoreV1Api()


def color():
    return core.read_namespaced_config_map("settings", "default").data["color"]


def test_set_color_tries_again_after_conflicts(control):
    control("faults", scenario="conflict:resource=configmaps,times=2")
    set_color(core, "red")
    assert color() == "red"


def test_set_color_gives_up_after_five_conflicts(control):
    control("faults", scenario="conflict", options={"resource": "configmaps", "times": 5})
    with pytest.raises(client.ApiException) as refused:
        set_color(core, "red")
    assert refused.value.status == 409
    assert color() == "blue"
