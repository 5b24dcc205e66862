import unittest

from kubernetes import client, config, watch

from night_shift import sleep, wake

# Runs inside `kubedouble exec`, which sets KUBECONFIG.
config.load_kube_config()


class NightShift(unittest.TestCase):
    def setUp(self) -> None:
        api = client.ApiClient()
        self.addCleanup(api.rest_client.pool_manager.clear)
        self.apps = client.AppsV1Api(api)

    def replicas(self) -> int:
        return self.apps.read_namespaced_deployment("front", "shop").spec.replicas

    def test_waking_restores_the_replicas(self) -> None:
        self.assertEqual(sleep(self.apps, "shop", "tier=web"), ["front"])
        self.assertEqual(self.replicas(), 0)
        self.assertEqual(sleep(self.apps, "shop", "tier=web"), [])
        self.assertEqual(wake(self.apps, "shop", "tier=web"), ["front"])
        self.assertEqual(self.replicas(), 3)

    def test_watches_see_both_changes(self) -> None:
        deployments = self.apps.list_namespaced_deployment("shop")
        version = deployments.metadata.resource_version
        sleep(self.apps, "shop", "tier=web")
        wake(self.apps, "shop", "tier=web")
        watcher, seen = watch.Watch(), []
        for event in watcher.stream(
            self.apps.list_namespaced_deployment, "shop", resource_version=version
        ):
            seen.append((event["type"], event["object"].spec.replicas))
            if len(seen) == 2:
                watcher.stop()
        self.assertEqual(seen, [("MODIFIED", 0), ("MODIFIED", 3)])

    def test_a_refused_request_raises_an_exception_with_the_status(self) -> None:
        with self.assertRaises(client.ApiException) as refused:
            self.apps.patch_namespaced_deployment("front", "shop", {"spec": {"replicas": -1}})
        self.assertEqual(refused.exception.status, 422)
        self.assertIn("must be greater than or equal to 0", refused.exception.body)


if __name__ == "__main__":
    unittest.main()
