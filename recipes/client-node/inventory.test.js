import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { CoreV1Api, KubeConfig } from "@kubernetes/client-node";
import { createCluster } from "kubedouble";
import { serve } from "kubedouble/node";
import { watchInventory } from "./inventory.js";

const namespace = "default";
const pod = (name) => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name, namespace },
  spec: { containers: [{ name: "main", image: "busybox" }], terminationGracePeriodSeconds: 0 },
});

let cluster;
let server;
let kubeConfig;
let api;

before(async () => {
  cluster = createCluster({ objects: [pod("first")] });
  server = await serve(cluster);
  kubeConfig = new KubeConfig();
  kubeConfig.loadFromString(server.kubeconfig());
  api = kubeConfig.makeApiClient(CoreV1Api);
});

after(async () => {
  await server.close();
  await cluster.close();
});

test("the inventory follows the cluster", async () => {
  let check = () => {};
  const until = (names) =>
    new Promise((resolve) => {
      check = (seen) => {
        if ([...seen].sort().join() === names) resolve();
      };
    });
  const first = until("first");
  const inventory = await watchInventory(kubeConfig, namespace, (names) => check(names));
  await first;

  const both = until("first,second");
  await api.createNamespacedPod({ namespace, body: pod("second") });
  await both;

  const second = until("second");
  await api.deleteNamespacedPod({ namespace, name: "first" });
  await second;
  await inventory.stop();
  assert.deepEqual([...inventory.names], ["second"]);
});

test("a refused request throws an ApiException with a Status", async () => {
  const body = { ...pod("Wrong_Name") };
  await assert.rejects(api.createNamespacedPod({ namespace, body }), (error) => {
    assert.equal(error.code, 422);
    assert.match(JSON.stringify(error.body), /metadata\.name: Invalid value/);
    return true;
  });
});
