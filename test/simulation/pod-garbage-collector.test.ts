import { afterEach, beforeEach, expect, test } from "vitest";
import type { JsonObject, KubeObject } from "../../src/index.ts";
import { Workloads } from "./workloads.ts";

let w: Workloads;
beforeEach(async () => {
  w = new Workloads();
  await w.cluster.create({ apiVersion: "v1", kind: "Node", metadata: { name: "n" } });
});
afterEach(() => w.cluster.close());

const create = async (name: string, nodeName?: string, finalizers: readonly string[] = []) => {
  const spec = { containers: [{ name: "main", image: "i" }], ...(nodeName !== undefined && { nodeName }) };
  await w.cluster.create({ apiVersion: "v1", kind: "Pod", metadata: { name, finalizers }, spec });
  await w.cluster.settle();
};
const names = async () => (await w.pods()).map(({ metadata }) => metadata.name);
const advance = async (duration: string) => {
  await w.cluster.clock.advance(duration);
  await w.cluster.settle();
};
const statusOf = async (name: string) =>
  (await w.cluster.get<KubeObject>("v1", "Pod", name))["status"] as JsonObject;

test("pods of a deleted node fail and are deleted after 40 seconds", async () => {
  await create("kept", "n", ["example.com/keep"]);
  await create("web", "n");
  await w.cluster.delete("v1", "Node", "n");
  await w.cluster.settle();
  await advance("39s");
  expect(await names()).toEqual(["kept", "web"]);
  await using fork = w.cluster.fork();
  await advance("1s");
  expect(await names()).toEqual(["kept"]);
  expect(await statusOf("kept")).toMatchObject({
    phase: "Failed",
    conditions: [
      {
        type: "DisruptionTarget",
        status: "True",
        reason: "DeletionByPodGC",
        message: "PodGC: node no longer exists",
        lastTransitionTime: w.now(),
      },
    ],
  });
  await fork.clock.advance("1s");
  await fork.settle();
  const left = await fork.list("v1", "Pod");
  expect(left.items.map(({ metadata }) => metadata?.name)).toEqual(["kept"]);
});

test("pods of a node that never existed are deleted 40 seconds after the first one came, unless the node appears", async () => {
  await create("first", "missing");
  await create("kept", "late");
  await advance("20s");
  await create("second", "missing");
  await w.cluster.delete("v1", "Pod", "second");
  await w.cluster.create({ apiVersion: "v1", kind: "Node", metadata: { name: "late" } });
  await advance("19s");
  expect(await names()).toEqual(["first", "kept", "second"]);
  await advance("1s");
  expect(await names()).toEqual(["kept"]);
  await create("third", "missing");
  await advance("39s");
  expect(await names()).toEqual(["kept", "third"]);
  await advance("1s");
  expect(await names()).toEqual(["kept"]);
});

test("pods stay in a cluster that has no nodes", async () => {
  await w.cluster.delete("v1", "Node", "n");
  await create("web", "missing");
  await advance("1m");
  expect(await names()).toEqual(["web"]);
});

test("a node that comes back keeps its pods", async () => {
  await create("web", "n");
  await w.cluster.delete("v1", "Node", "n");
  await advance("30s");
  await w.cluster.create({ apiVersion: "v1", kind: "Node", metadata: { name: "n" } });
  await advance("1m");
  expect(await names()).toEqual(["web"]);
});

test("a terminating pod without a node is removed", async () => {
  await create("web", undefined, ["example.com/keep"]);
  await w.cluster.delete("v1", "Pod", "web");
  await w.cluster.settle();
  expect(await statusOf("web")).toMatchObject({ phase: "Failed" });
  await w.cluster.patch("v1", "Pod", "web", { metadata: { finalizers: null } });
  expect(await names()).toEqual([]);
});

test("terminating pods of a node that is out of service are removed", async () => {
  await create("stays", "n");
  await create("first", "n");
  await create("second", "n");
  await w.cluster.delete("v1", "Pod", "first");
  expect(await names()).toEqual(["first", "second", "stays"]);
  const taints = [{ key: "node.kubernetes.io/out-of-service", value: "nodeshutdown", effect: "NoSchedule" }];
  await w.cluster.patch("v1", "Node", "n", { spec: { taints } });
  expect(await names()).toEqual(["second", "stays"]);
  await w.cluster.delete("v1", "Pod", "second");
  expect(await names()).toEqual(["stays"]);
});
