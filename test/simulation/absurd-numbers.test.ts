import { expect, test } from "vitest";
import { createCluster } from "../../src/index.ts";
import { unhealthy } from "../../src/scenario/presets.ts";
import { template } from "./workloads.ts";

/** The largest number that validation lets through. */
const largest = 2 ** 31 - 1;

test("a StatefulSet that wants more pods than there can ever be creates the first ones", async () => {
  await using cluster = createCluster({ seed: 1, simulate: ["workloads"] });
  await cluster.create({
    apiVersion: "apps/v1",
    kind: "StatefulSet",
    metadata: { name: "db" },
    spec: {
      replicas: largest,
      selector: { matchLabels: { app: "db" } },
      template: template("db", "v1"),
    },
  });
  await cluster.settle();
  const { items } = await cluster.list("v1", "Pod");
  expect(items.map(({ metadata }) => metadata.name)).toEqual(["db-0"]);
});

test("a probe may fail as often as a number allows before the kubelet acts", async () => {
  await using cluster = createCluster({ seed: 1, simulate: ["scheduler", "kubelets"] });
  cluster.pods.script({ name: "web" }, unhealthy({ after: "5s" }));
  const livenessProbe = { httpGet: { path: "/", port: 80 }, failureThreshold: largest };
  await cluster.create({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "web" },
    spec: { containers: [{ name: "web", image: "nginx", livenessProbe }] },
  });
  await cluster.clock.advance("31s");
  const { items } = await cluster.list("v1", "Event");
  const failed = items.filter(({ reason }) => reason === "Unhealthy");
  expect(failed.map(({ count }) => count)).toEqual([3]);
  const { status } = await cluster.get("v1", "Pod", "web");
  expect(status?.containerStatuses).toMatchObject([{ ready: true, restartCount: 0 }]);
});
