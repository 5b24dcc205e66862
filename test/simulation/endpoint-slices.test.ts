import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { JsonObject, KubeObject } from "../../src/index.ts";
import { Workloads } from "./workloads.ts";

let w: Workloads;
beforeEach(() => {
  w = new Workloads();
});
afterEach(() => w.cluster.close());

const group = "discovery.k8s.io/v1";

async function node(name: string, zone: string): Promise<void> {
  const labels = { "topology.kubernetes.io/zone": zone };
  const status = { allocatable: { cpu: "2" }, conditions: [w.condition("Ready", "True")] };
  await w.cluster.load([{ apiVersion: "v1", kind: "Node", metadata: { name, labels }, status }]);
}

const service = (spec: JsonObject = {}, annotations: JsonObject = {}): JsonObject => ({
  apiVersion: "v1",
  kind: "Service",
  metadata: { name: "web", annotations },
  spec: { selector: { app: "web" }, ports: [{ port: 80 }], ...spec },
});

const pod = (name: string, ip: string, nodeName: string, isReady = true): KubeObject => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name, namespace: "default", labels: { app: "web" } },
  spec: { nodeName, containers: [{ name: "main", image: "i" }] },
  status: {
    phase: "Running",
    podIP: ip,
    podIPs: [{ ip }],
    conditions: [w.condition("Ready", isReady ? "True" : "False")],
  },
});

async function slices(): Promise<readonly KubeObject[]> {
  const all = await w.all(group, "EndpointSlice");
  return all.filter(({ metadata }) => metadata.labels?.["kubernetes.io/service-name"] === "web");
}

async function endpoints(): Promise<readonly JsonObject[]> {
  // A slice has this list, or null.
  return (await slices()).flatMap((slice) => (slice["endpoints"] ?? []) as readonly JsonObject[]);
}

/** The hints, by the names of the pods. */
async function hints(): Promise<JsonObject> {
  const found = await endpoints();
  return Object.fromEntries(
    found.map(({ targetRef, hints: known }) => [(targetRef as JsonObject)["name"], known ?? null]),
  );
}

describe("hints", () => {
  const forZone = (name: string) => ({ forZones: [{ name }] });

  test.each([
    ["1.32", "PreferClose", forZone("a")],
    ["1.36", "PreferSameZone", forZone("a")],
    ["1.36", "PreferSameNode", { ...forZone("a"), forNodes: [{ name: "node-a" }] }],
    ["1.36", undefined, null],
  ] as const)(
    "in %s, the traffic distribution %s names the place of a ready endpoint",
    async (release, trafficDistribution, expected) => {
      await w.cluster.close();
      w = new Workloads({ release });
      await node("node-a", "a");
      await w.cluster.load([pod("a", "10.0.0.1", "node-a"), pod("b", "10.0.0.2", "node-a", false)]);
      await w.cluster.create(service(trafficDistribution === undefined ? {} : { trafficDistribution }));
      expect(await hints()).toEqual({ a: expected, b: null });
      await w.cluster.patch("v1", "Service", "web", { spec: { trafficDistribution: null } });
      expect(await hints()).toEqual({ a: null, b: null });
    },
  );

  test("follow the CPUs of zones if the Service says so, and Events say whether they can", async () => {
    const annotations = { "service.kubernetes.io/topology-mode": "Auto" };
    await node("node-a", "a");
    await node("node-b", "b");
    await w.cluster.load([pod("a", "10.0.0.1", "node-a"), pod("b", "10.0.0.2", "node-a")]);
    await w.cluster.create(service({ trafficDistribution: "PreferClose" }, annotations));
    expect(await hints()).toEqual({ a: forZone("b"), b: forZone("a") });
    // The remaining zone has all CPUs.
    await w.cluster.delete("v1", "Node", "node-b");
    expect(await hints()).toEqual({ a: null, b: null });
    await w.cluster.patch("v1", "Service", "web", {
      metadata: { annotations: { "service.kubernetes.io/topology-mode": null } },
    });
    expect(await hints()).toEqual({ a: forZone("a"), b: forZone("a") });
    expect(await w.events("Service")).toEqual([
      "TopologyAwareHintsEnabled: Topology Aware Hints has been enabled, addressType: IPv4",
      "TopologyAwareHintsDisabled: Insufficient Node information: allocatable CPU or zone not specified on one or more nodes, addressType: IPv4",
    ]);
  });

  test("that follow the CPUs of zones go with the annotation", async () => {
    const key = "service.kubernetes.io/topology-mode";
    await node("node-a", "a");
    await node("node-b", "b");
    await w.cluster.load([pod("a", "10.0.0.1", "node-a"), pod("b", "10.0.0.2", "node-b")]);
    await w.cluster.create(service({}, { [key]: "Auto" }));
    expect(await hints()).toEqual({ a: forZone("a"), b: forZone("b") });
    await w.cluster.patch("v1", "Service", "web", { metadata: { annotations: { [key]: null } } });
    expect(await hints()).toEqual({ a: null, b: null });
    expect((await w.events("Service")).at(-1)).toBe(
      "TopologyAwareHintsDisabled: Topology Aware Hints has been disabled, addressType: IPv4",
    );
  });
});

test("what another client writes to a slice is undone", async () => {
  await node("node-a", "a");
  await w.cluster.load([pod("a", "10.0.0.1", "node-a")]);
  await w.cluster.create(service());
  const [slice] = await slices();
  const name = slice?.metadata.name ?? "";
  await w.cluster.patch(group, "EndpointSlice", name, { endpoints: [] });
  expect(await endpoints()).toMatchObject([{ addresses: ["10.0.0.1"] }]);
  const labels = { "kubernetes.io/service-name": "other" };
  await w.cluster.patch(group, "EndpointSlice", name, { metadata: { labels } });
  expect(await slices()).toHaveLength(1);
  expect((await slices())[0]?.metadata.name).not.toBe(name);
});

test("slices that a former Service of the name has left are deleted", async () => {
  await w.cluster.create(service());
  const [left] = await slices();
  await w.cluster.delete("v1", "Service", "web", { propagationPolicy: "Orphan" });
  expect((await slices()).map(({ metadata }) => metadata.name)).toEqual([left?.metadata.name]);
  await w.cluster.create(service());
  const [slice, ...others] = await slices();
  expect(others).toEqual([]);
  expect(slice?.metadata.uid).not.toBe(left?.metadata.uid);
});

test("a Service that is deleted in the foreground gets no new slices", async () => {
  await w.cluster.create(service());
  await slices();
  await w.cluster.delete("v1", "Service", "web", { propagationPolicy: "Foreground" });
  expect(await slices()).toEqual([]);
  const services = (await w.all("v1", "Service")).map(({ metadata }) => metadata.name);
  expect(services).not.toContain("web");
});

test("an Event says which pods are left out because their nodes are missing", async () => {
  await w.cluster.load([pod("a", "10.0.0.1", "gone")]);
  await w.cluster.create(service());
  expect(await endpoints()).toEqual([]);
  expect(await w.events("Service")).toEqual([
    "FailedToUpdateEndpointSlices: Error updating Endpoint Slices for Service default/web: skipping Pod a for Service default/web: Node gone Not Found",
  ]);
});

test("Events say which writes are refused", async () => {
  const hard = { "count/endpoints": "0", "count/endpointslices.discovery.k8s.io": "0" };
  await w.cluster.create({
    apiVersion: "v1",
    kind: "ResourceQuota",
    metadata: { name: "none" },
    spec: { hard },
  });
  await w.cluster.settle();
  await w.cluster.create(service());
  expect(await w.events("Endpoints")).toEqual([
    expect.stringMatching(
      /^FailedToCreateEndpoint: Failed to create endpoint for service default\/web: endpoints "web" is forbidden/,
    ),
  ]);
  const slice =
    "Error updating Endpoint Slices for Service default/web: failed to create EndpointSlice for Service default/web";
  expect(await w.events("Service")).toEqual([
    expect.stringContaining(`FailedToUpdateEndpointSlices: ${slice}: endpointslices.discovery.k8s.io`),
  ]);
});

describe("Endpoints without a selector", () => {
  const manual = (count: number, annotations: JsonObject = {}): JsonObject => ({
    apiVersion: "v1",
    kind: "Endpoints",
    metadata: { name: "web", annotations },
    subsets: [
      {
        addresses: Array.from({ length: count }, (_, i) => ({ ip: `192.0.${i >> 8}.${i & 255}` })),
        ports: [{ port: 443 }],
      },
    ],
  });
  const subset = (hosts: readonly string[], ...ports: readonly number[]): JsonObject => ({
    addresses: hosts.map((hostname) => ({ ip: `192.0.2.${hostname.charCodeAt(0)}`, hostname })),
    ports: ports.map((port) => ({ name: `p${port}`, port })),
  });
  beforeEach(async () => {
    await w.cluster.create({
      apiVersion: "v1",
      kind: "Service",
      metadata: { name: "web" },
      spec: { ports: [{ port: 443 }] },
    });
  });

  test("have one slice of up to 1,000 addresses for a subset, and an Event counts the others", async () => {
    await w.cluster.create(manual(1003));
    expect((await slices()).map((slice) => (slice["endpoints"] as JsonObject[]).length)).toEqual([1000]);
    expect(await w.events("Endpoints")).toEqual([
      "TooManyAddressesToMirror: A max of 1000 addresses can be mirrored to EndpointSlices per Endpoints subset. 3 addresses were skipped",
    ]);
  });

  test("share their annotations with the slice, but not those of other components", async () => {
    const trigger = "endpoints.kubernetes.io/last-change-trigger-time";
    await w.cluster.create(manual(1, { a: "b", [trigger]: "2026-01-01T00:00:00Z" }));
    expect((await slices())[0]?.metadata.annotations).toEqual({ a: "b" });
    const annotations = { a: null, c: "d" };
    await w.cluster.patch("v1", "Endpoints", "web", { metadata: { annotations } });
    expect((await slices())[0]?.metadata.annotations).toEqual({ c: "d" });
  });

  /** Upstream: `reconcile` (pkg/controller/endpointslicemirroring/reconciler.go), which repacks the subsets. */
  test.each<[string, readonly JsonObject[], readonly string[]]>([
    [
      "with the same addresses share a slice",
      [subset(["a", "b"], 80), subset(["a", "b"], 81)],
      ["a b:p80 p81"],
    ],
    [
      "with some of the same addresses have a slice for each set of addresses",
      [subset(["a"], 80, 81), subset(["b"], 80)],
      ["a b:p80", "a:p81"],
    ],
  ])("subsets %s", async (_title, subsets, expected) => {
    await w.cluster.create({ ...manual(0), subsets });
    const found = (await slices()).map((slice) => {
      const hosts = (slice["endpoints"] as readonly JsonObject[]).map(({ hostname }) => hostname);
      const ports = (slice["ports"] as readonly JsonObject[]).map(({ name }) => name);
      return `${hosts.join(" ")}:${ports.toSorted().join(" ")}`;
    });
    expect(found.toSorted()).toEqual(expected);
  });

  test("take their slice with them", async () => {
    await w.cluster.create(manual(1));
    expect(await slices()).toHaveLength(1);
    await w.cluster.delete("v1", "Endpoints", "web", { propagationPolicy: "Orphan" });
    expect(await slices()).toEqual([]);
  });
});
