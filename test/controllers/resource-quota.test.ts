import fc from "fast-check";
import { expect, test } from "vitest";
import { createCluster, type JsonObject } from "../../src/index.ts";

const namespace = "default";
const quota = {
  apiVersion: "v1",
  kind: "ResourceQuota",
  metadata: { name: "small", namespace },
  spec: { hard: { pods: "2", "requests.cpu": "1", "count/deployments.apps": "1", secrets: "1" } },
};
const pod = (name: string, cpu?: string) => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name, namespace },
  spec: {
    terminationGracePeriodSeconds: 0,
    containers: [
      { name: "main", image: "busybox", ...(cpu !== undefined && { resources: { requests: { cpu } } }) },
    ],
  },
});
const refusal = (message: string) => ({ status: { code: 403, reason: "Forbidden", message } });

test("a quota counts created and deleted objects, and refuses objects beyond its limits", async () => {
  const cluster = createCluster({ objects: [pod("old", "200m")] });
  const statusOf = async () => (await cluster.get("v1", "ResourceQuota", "small", { namespace }))["status"];
  await cluster.create(quota);
  await cluster.settle();
  expect(await statusOf()).toEqual({
    hard: quota.spec.hard,
    used: { "count/deployments.apps": "0", pods: "1", "requests.cpu": "200m", secrets: "0" },
  });
  await expect(cluster.create(pod("open"))).rejects.toMatchObject(
    refusal('pods "open" is forbidden: failed quota: small: must specify requests.cpu for: main'),
  );
  await expect(cluster.create(pod("large", "900m"))).rejects.toMatchObject(
    refusal(
      'pods "large" is forbidden: exceeded quota: small, requested: requests.cpu=900m, used: requests.cpu=200m, limited: requests.cpu=1',
    ),
  );
  await cluster.create(pod("new", "800m"));
  expect(await statusOf()).toMatchObject({ used: { pods: "2", "requests.cpu": "1" } });
  await cluster.delete("v1", "Pod", "old", { namespace });
  await cluster.settle();
  expect(await statusOf()).toMatchObject({ used: { pods: "1", "requests.cpu": "800m" } });
  await cluster.close();
});

test("a quota admits only as many concurrent pods as fit", async () => {
  const cluster = createCluster();
  await cluster.create(quota);
  await cluster.settle();
  const names = ["a", "b", "c", "d", "e"];
  const results = await Promise.allSettled(names.map((name) => cluster.create(pod(name, "10m"))));
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
  expect((await cluster.list("v1", "Pod", { namespace })).items).toHaveLength(2);
  await cluster.close();
});

test("a quota checks dry runs without charging them", async () => {
  const cluster = createCluster();
  await cluster.create(quota);
  await cluster.settle();
  await cluster.create(pod("a", "1"), { dryRun: true });
  await expect(cluster.create(pod("b", "2"), { dryRun: true })).rejects.toMatchObject({
    status: { code: 403 },
  });
  expect((await cluster.get("v1", "ResourceQuota", "small", { namespace }))["status"]).toMatchObject({
    used: { pods: "0" },
  });
  await cluster.close();
});

test("a quota is not charged for a create that fails later", async () => {
  const cluster = createCluster({ objects: [pod("old", "200m")] });
  await cluster.create(quota);
  await cluster.settle();
  const other = { ...quota, metadata: { name: "other", namespace }, spec: { hard: { pods: "5" } } };
  await cluster.create(other);
  await cluster.settle();
  const statuses = async () => {
    const { items } = await cluster.list("v1", "ResourceQuota", { namespace });
    return items.map(({ status }) => status);
  };
  const before = await statuses();
  await expect(cluster.create(pod("old", "100m"))).rejects.toMatchObject({
    status: { reason: "AlreadyExists" },
  });
  expect(await statuses()).toEqual(before);
  await cluster.create(pod("new", "100m"));
  expect(await statuses()).toMatchObject([
    { used: { pods: "2" } },
    { used: { pods: "2", "requests.cpu": "300m" } },
  ]);
});

test("a quota counts concurrent creates and deletes correctly, without refusing any of them", {
  timeout: 60_000,
}, async () => {
  const name = fc.integer({ min: 0, max: 9 }).map((n) => `c-${n}`);
  const verb = fc.constantFrom("create", "delete");
  const call = fc.record({ verb, name, turns: fc.nat(200) });
  await fc.assert(
    fc.asyncProperty(fc.array(call, { maxLength: 40 }), async (calls) => {
      await using cluster = createCluster();
      const hard = { configmaps: "100" };
      await cluster.create({
        apiVersion: "v1",
        kind: "ResourceQuota",
        metadata: { name: "q", namespace },
        spec: { hard },
      });
      await cluster.settle();
      const refusals = new Set<unknown>();
      const made = calls.map(async ({ verb, name, turns }) => {
        for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
        const metadata = { name, namespace };
        const answer =
          verb === "create"
            ? cluster.create({ apiVersion: "v1", kind: "ConfigMap", metadata })
            : cluster.delete("v1", "ConfigMap", name, { namespace });
        await answer.catch((error) => refusals.add(error.status.reason));
      });
      await Promise.all(made);
      await cluster.settle();
      const { items } = await cluster.list("v1", "ConfigMap", { namespace });
      const { status } = await cluster.get("v1", "ResourceQuota", "q", { namespace });
      expect(status).toMatchObject({ used: { configmaps: String(items.length) } });
      expect(["AlreadyExists", "NotFound"]).toEqual(expect.arrayContaining([...refusals]));
    }),
    { numRuns: 50 },
  );
});

test("a quota counts the resources of resized pods, and refuses resizes beyond it", async () => {
  await using cluster = createCluster({ release: "1.33" });
  await cluster.create({
    apiVersion: "v1",
    kind: "ResourceQuota",
    metadata: { name: "cpus" },
    spec: { hard: { "requests.cpu": "4" } },
  });
  await cluster.settle();
  const containers = [{ name: "main", image: "i", resources: { requests: { cpu: "2" } } }];
  await cluster.create({ apiVersion: "v1", kind: "Pod", metadata: { name: "web" }, spec: { containers } });
  const resize = (cpu: string) => {
    const spec = { containers: [{ name: "main", resources: { requests: { cpu } } }] };
    return cluster.patch("v1", "Pod", "web", { spec }, { subresource: "resize", type: "strategic" });
  };
  const used = async () => {
    await cluster.settle();
    return (await cluster.get("v1", "ResourceQuota", "cpus")).status?.used;
  };
  await resize("3");
  expect(await used()).toEqual({ "requests.cpu": "3" });
  await expect(resize("5")).rejects.toThrow(
    'pods "web" is forbidden: exceeded quota: cpus, requested: requests.cpu=2, used: requests.cpu=3, limited: requests.cpu=4',
  );
  await resize("1");
  expect(await used()).toEqual({ "requests.cpu": "1" });
});

/** Upstream: `determineContainerReqs`, `determineContainerLimits` (component-helpers, resource/helpers.go), `hasResourcesChanged` (pkg/quota/v1/install). */
test("a pod in a resize uses the most of what it should have, has and was promised", async () => {
  await using cluster = createCluster({ release: "1.33" });
  const hard = { "requests.cpu": "20", "limits.cpu": "20" };
  await cluster.create({
    apiVersion: "v1",
    kind: "ResourceQuota",
    metadata: { name: "cpus" },
    spec: { hard },
  });
  await cluster.settle();
  const cpus = (requests: string, limits: string) => ({
    requests: { cpu: requests },
    limits: { cpu: limits },
  });
  const of = (name: string, resources: JsonObject) => ({ name, image: "i", resources });
  const initContainers = [
    { ...of("sidecar", cpus("1", "1")), restartPolicy: "Always" },
    of("init", cpus("1", "1")),
  ];
  const spec = { containers: [of("main", cpus("2", "4"))], initContainers };
  await cluster.create({ apiVersion: "v1", kind: "Pod", metadata: { name: "web" }, spec });
  const resize = async (main: JsonObject, sidecar = cpus("1", "1")) => {
    const containers = [{ name: "main", resources: main }];
    const resized = { containers, initContainers: [{ name: "sidecar", resources: sidecar }] };
    await cluster.patch("v1", "Pod", "web", { spec: resized }, { subresource: "resize", type: "strategic" });
  };
  const state = (name: string, resources: JsonObject, allocated: string) => ({
    ...{ name, image: "i", imageID: "", ready: true, restartCount: 0 },
    ...{ resources, allocatedResources: { cpu: allocated } },
  });
  const report = async (main: JsonObject, allocated: string, sidecar = cpus("1", "1"), reason = "") => {
    const pending = { type: "PodResizePending", status: "True", reason };
    const status = {
      conditions: reason === "" ? [] : [pending],
      containerStatuses: [state("main", main, allocated)],
      initContainerStatuses: [state("sidecar", sidecar, "1"), state("init", cpus("9", "9"), "9")],
    };
    await cluster.patch("v1", "Pod", "web", { status }, { subresource: "status" });
  };
  const used = async () => {
    await cluster.settle();
    const { status } = await cluster.get("v1", "ResourceQuota", "cpus");
    return [status?.used?.["requests.cpu"], status?.used?.["limits.cpu"]];
  };
  await report(cpus("2", "4"), "2");
  expect(await used()).toEqual(["3", "5"]);
  // Less counts once the node has given it back.
  await resize(cpus("1", "1"));
  expect(await used()).toEqual(["3", "5"]);
  await report(cpus("2", "4"), "1");
  expect(await used()).toEqual(["3", "5"]);
  await report(cpus("1", "1"), "1");
  expect(await used()).toEqual(["2", "2"]);
  // More counts at once, unless it is infeasible.
  await resize(cpus("6", "8"));
  expect(await used()).toEqual(["7", "9"]);
  await report(cpus("1", "1"), "1", cpus("1", "1"), "Deferred");
  expect(await used()).toEqual(["7", "9"]);
  await report(cpus("1", "1"), "1", cpus("1", "1"), "Infeasible");
  expect(await used()).toEqual(["2", "2"]);
  await report(cpus("1", "1"), "5", cpus("3", "3"), "Infeasible");
  expect(await used()).toEqual(["8", "4"]);
});
