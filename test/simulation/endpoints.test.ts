import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { JsonObject, KubeObject } from "../../src/index.ts";
import { Workloads } from "./workloads.ts";

let w: Workloads;
beforeEach(async () => {
  w = new Workloads();
  const labels = { "topology.kubernetes.io/zone": "a" };
  await w.cluster.create({ apiVersion: "v1", kind: "Node", metadata: { name: "node-1", labels } });
});
afterEach(() => w.cluster.close());

const service = (spec: JsonObject = {}): JsonObject => ({
  apiVersion: "v1",
  kind: "Service",
  metadata: { name: "web", labels: { team: "blue" } },
  spec: { selector: { app: "web" }, ports: [{ name: "http", port: 80, targetPort: "http" }], ...spec },
});

async function pod(name: string, ip: string, isReady = true, nodeName = "node-1"): Promise<void> {
  const ports = [{ name: "http", containerPort: 8080 }];
  const spec = { nodeName, containers: [{ name: "main", image: "i", ports }] };
  const object = await w.cluster.create<KubeObject>({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, labels: { app: "web" } },
    spec,
  });
  const conditions = [w.condition("Ready", isReady ? "True" : "False")];
  await w.report(object, { phase: "Running", podIP: ip, podIPs: [{ ip }], conditions });
}

async function subsets(): Promise<unknown> {
  await w.cluster.settle();
  return (await w.cluster.get<KubeObject>("v1", "Endpoints", "web"))["subsets"];
}

async function slices(): Promise<readonly KubeObject[]> {
  const all = await w.all("discovery.k8s.io/v1", "EndpointSlice");
  return all.filter(({ metadata }) => metadata.labels?.["kubernetes.io/service-name"] === "web");
}

const endpointsOf = (slice: KubeObject | undefined) => (slice?.["endpoints"] ?? []) as readonly JsonObject[];

test("ready and unready pods are in the endpoints of their service", async () => {
  await w.cluster.create(service());
  await pod("a", "10.0.0.10");
  await pod("b", "10.0.0.9", false);
  const address = (name: string, ip: string) => ({
    ip,
    nodeName: "node-1",
    targetRef: { kind: "Pod", namespace: "default", name, uid: expect.any(String) },
  });
  expect(await subsets()).toEqual([
    {
      addresses: [address("a", "10.0.0.10")],
      notReadyAddresses: [address("b", "10.0.0.9")],
      ports: [{ name: "http", port: 8080, protocol: "TCP" }],
    },
  ]);
  const [slice] = await slices();
  expect(slice).toMatchObject({
    addressType: "IPv4",
    metadata: {
      generateName: "web-",
      labels: {
        team: "blue",
        "endpointslice.kubernetes.io/managed-by": "endpointslice-controller.k8s.io",
        "kubernetes.io/service-name": "web",
      },
      ownerReferences: [
        { apiVersion: "v1", kind: "Service", name: "web", controller: true, blockOwnerDeletion: true },
      ],
    },
    ports: [{ name: "http", port: 8080, protocol: "TCP" }],
  });
  expect(endpointsOf(slice)).toMatchObject([
    {
      addresses: ["10.0.0.10"],
      conditions: { ready: true, serving: true, terminating: false },
      nodeName: "node-1",
      zone: "a",
    },
    { addresses: ["10.0.0.9"], conditions: { ready: false, serving: false, terminating: false } },
  ]);
});

test("a service without pods has an empty slice and Endpoints without subsets", async () => {
  await w.cluster.create(service());
  expect(await subsets()).toBeUndefined();
  const all = await slices();
  expect(all).toHaveLength(1);
  expect(all[0]).toMatchObject({ endpoints: null, ports: null });
  await pod("a", "10.0.0.1");
  expect((await slices()).map(({ metadata }) => metadata.uid)).toEqual([all[0]?.metadata.uid]);
});

test("addresses are sorted as text", async () => {
  await w.cluster.create(service());
  await pod("a", "10.0.0.9");
  await pod("b", "10.0.0.10");
  expect(await subsets()).toMatchObject([{ addresses: [{ ip: "10.0.0.10" }, { ip: "10.0.0.9" }] }]);
});

test("a terminating pod serves in slices, and leaves the Endpoints", async () => {
  await w.cluster.create(service());
  await pod("a", "10.0.0.1");
  await w.cluster.delete("v1", "Pod", "a");
  expect(await subsets()).toBeUndefined();
  expect(endpointsOf((await slices())[0])).toMatchObject([
    { conditions: { ready: false, serving: true, terminating: true } },
  ]);
  await w.removeTerminating();
  expect(await slices()).toMatchObject([{ endpoints: null }]);
});

test("publishNotReadyAddresses counts unready pods as ready", async () => {
  await w.cluster.create(service({ publishNotReadyAddresses: true }));
  await pod("a", "10.0.0.1", false);
  expect(await subsets()).toMatchObject([{ addresses: [{ ip: "10.0.0.1" }] }]);
  expect(endpointsOf((await slices())[0])).toMatchObject([{ conditions: { ready: true, serving: false } }]);
});

test("a headless service without ports has addresses and a label", async () => {
  await w.cluster.create(service({ clusterIP: "None", ports: [] }));
  await pod("a", "10.0.0.1");
  expect(await subsets()).toEqual([{ addresses: [expect.objectContaining({ ip: "10.0.0.1" })] }]);
  const [slice] = await slices();
  expect(slice?.metadata.labels).toMatchObject({ "service.kubernetes.io/headless": "" });
});

test("the trigger time is that of the first change since the last write", async () => {
  await w.cluster.create(service());
  await w.cluster.settle();
  await w.cluster.clock.advance("1m");
  await pod("a", "10.0.0.1");
  await subsets();
  const { metadata } = await w.cluster.get<KubeObject>("v1", "Endpoints", "web");
  const annotations = { "endpoints.kubernetes.io/last-change-trigger-time": "2026-01-01T00:01:00Z" };
  expect(metadata.annotations).toEqual(annotations);
  expect((await slices())[0]?.metadata.annotations).toEqual(annotations);
});

test("a pod on a node that is missing waits for the node", async () => {
  await w.cluster.create(service());
  await pod("a", "10.0.0.1", true, "node-2");
  expect(endpointsOf((await slices())[0])).toEqual([]);
  await w.cluster.create({ apiVersion: "v1", kind: "Node", metadata: { name: "node-2" } });
  expect(endpointsOf((await slices())[0])).toMatchObject([{ nodeName: "node-2" }]);
});

test("a slice has at most 100 endpoints", async () => {
  const pods = Array.from({ length: 120 }, (_, i) => ({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: `p${i}`, labels: { app: "web" } },
    spec: {
      nodeName: "node-1",
      containers: [{ name: "main", image: "i", ports: [{ name: "http", containerPort: 80 }] }],
    },
    status: { phase: "Running", podIP: `10.0.1.${i}`, podIPs: [{ ip: `10.0.1.${i}` }] },
  }));
  await w.cluster.load(pods);
  await w.cluster.create(service());
  expect((await slices()).map((slice) => endpointsOf(slice).length).toSorted()).toEqual([100, 20]);
});

test("Endpoints have at most 1,000 addresses, and say so", async () => {
  const count = 1001;
  const pods = Array.from({ length: count }, (_, i) => ({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: `p${i}`, labels: { app: "web" } },
    spec: { nodeName: "node-1", containers: [{ name: "main", image: "i" }] },
    status: {
      phase: "Running",
      podIP: `10.0.${i >> 8}.${i & 255}`,
      podIPs: [{ ip: `10.0.${i >> 8}.${i & 255}` }],
    },
  }));
  await w.cluster.load(pods);
  await w.cluster.create(service({ ports: [{ port: 80 }] }));
  const all = (await subsets()) as JsonObject[];
  expect(all.map(({ notReadyAddresses }) => (notReadyAddresses as JsonObject[]).length)).toEqual([1000]);
  const annotation = "endpoints.kubernetes.io/over-capacity";
  const annotations = async () =>
    (await w.cluster.get<KubeObject>("v1", "Endpoints", "web")).metadata.annotations;
  expect(await annotations()).toMatchObject({ [annotation]: "truncated" });
  await w.cluster.delete("v1", "Pod", "p0", { gracePeriodSeconds: 0 });
  await w.cluster.settle();
  expect(await annotations()).toBeUndefined();
});

test("the Endpoints of a deleted service are deleted", async () => {
  await w.cluster.create(service());
  await subsets();
  await w.cluster.delete("v1", "Service", "web");
  const names = (await w.all("v1", "Endpoints")).map(({ metadata }) => metadata.name);
  expect(names).not.toContain("web");
  expect(await slices()).toEqual([]);
});

describe("Endpoints of a service without a selector", () => {
  const manual = {
    apiVersion: "v1",
    kind: "Endpoints",
    metadata: { name: "web", labels: { a: "b" } },
    subsets: [
      { addresses: [{ ip: "192.0.2.1" }], notReadyAddresses: [{ ip: "192.0.2.2" }], ports: [{ port: 443 }] },
    ],
  };
  const create = async () => {
    await w.cluster.create({
      apiVersion: "v1",
      kind: "Service",
      metadata: { name: "web" },
      spec: { ports: [{ port: 443 }] },
    });
    await w.cluster.create(manual);
  };

  test("are mirrored to slices, which follow them", async () => {
    await create();
    const [slice] = await slices();
    expect(slice?.metadata.labels).toEqual({
      a: "b",
      "endpointslice.kubernetes.io/managed-by": "endpointslicemirroring-controller.k8s.io",
      "kubernetes.io/service-name": "web",
    });
    expect(endpointsOf(slice)).toEqual([
      { addresses: ["192.0.2.1"], conditions: { ready: true } },
      { addresses: ["192.0.2.2"], conditions: { ready: false } },
    ]);
    await w.cluster.patch("v1", "Endpoints", "web", { subsets: [] });
    expect(await slices()).toEqual([]);
  });

  test("are not mirrored if a label says so", async () => {
    await create();
    const labels = { "endpointslice.kubernetes.io/skip-mirror": "true" };
    await w.cluster.patch("v1", "Endpoints", "web", { metadata: { labels } });
    expect(await slices()).toEqual([]);
  });
});
