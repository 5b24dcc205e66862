import { describe, expect, test } from "vitest";
import { type Cluster, type ClusterOptions, createCluster } from "../../../src/index.ts";
import { quietCluster, type SendRequest, testClient } from "../../registry/test-client.ts";

const root = "/apis/networking.k8s.io/v1";
const serviceCidrs = `${root}/servicecidrs`;
const addresses = `${root}/ipaddresses`;
const services = "/api/v1/namespaces/default/services";
const current: ClusterOptions = { release: "1.33" };
const small: ClusterOptions = { ...current, serviceClusterIpRange: "192.168.0.0/29" };

const serviceOf = (name: string, spec: object = {}) => ({
  metadata: { name },
  spec: { ports: [{ port: 80 }], ...spec },
});

const namesIn = async (send: SendRequest, path: string): Promise<string[]> =>
  (await send("GET", path)).object.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name);

describe("a new server", () => {
  test("has a ServiceCIDR with its ranges, and the address of its Service", async () => {
    const send = testClient(quietCluster({ ...current, serviceClusterIpRange: "10.0.0.0/24,fd00::/112" }));
    const { object } = await send("GET", `${serviceCidrs}/kubernetes`);
    expect(object).toMatchObject({
      kind: "ServiceCIDR",
      metadata: { generation: 1 },
      spec: { cidrs: ["10.0.0.0/24", "fd00::/112"] },
      status: {
        conditions: [
          {
            type: "Ready",
            status: "True",
            lastTransitionTime: object.metadata.creationTimestamp,
            reason: "",
            message: "Kubernetes default Service CIDR is ready",
          },
        ],
      },
    });
    expect(object.metadata.finalizers).toBeUndefined();
    expect((await send("GET", `${addresses}/10.0.0.1`)).object).toMatchObject({
      metadata: {
        labels: {
          "ipaddress.kubernetes.io/ip-family": "IPv4",
          "ipaddress.kubernetes.io/managed-by": "ipallocator.k8s.io",
        },
      },
      spec: { parentRef: { resource: "services", namespace: "default", name: "kubernetes" } },
    });
  });

  test("with controllers also has the finalizer and the condition of the controller", async () => {
    const cluster = createCluster(current);
    const { object } = await testClient(cluster)("GET", `${serviceCidrs}/kubernetes`);
    expect(object.metadata.finalizers).toEqual(["networking.k8s.io/service-cidr-finalizer"]);
    expect(object.status.conditions).toMatchObject([
      { message: "Kubernetes Service CIDR is ready", status: "True" },
    ]);
    await cluster.close();
  });

  test.each<[string, ClusterOptions, string]>([
    ["of 1.32", { release: "1.32", runtimeConfig: { "networking.k8s.io/v1beta1": true } }, "v1beta1"],
    ["of 1.33 without the gate", { ...current, featureGates: { MultiCIDRServiceAllocator: false } }, "v1"],
  ])("%s has none", async (_title, options, version) => {
    const send = testClient(quietCluster(options));
    expect(await namesIn(send, `/apis/networking.k8s.io/${version}/servicecidrs`)).toEqual([]);
    await send("POST", services, serviceOf("a"));
    expect(await namesIn(send, `/apis/networking.k8s.io/${version}/ipaddresses`)).toEqual([]);
  });

  test.each([
    ["1.29", "v1alpha1"],
    ["1.32", "v1beta1"],
  ])("of %s has them if the gate and the version %s are on", async (release, version) => {
    const send = testClient(
      quietCluster({
        release,
        runtimeConfig: { [`networking.k8s.io/${version}`]: true },
        featureGates: { MultiCIDRServiceAllocator: true },
      }),
    );
    const { object } = await send("POST", services, serviceOf("a"));
    const names = await namesIn(send, `/apis/networking.k8s.io/${version}/ipaddresses`);
    expect(names.toSorted()).toEqual(["10.96.0.1", object.spec.clusterIP].toSorted());
  });
});

describe("a Service", () => {
  test("has an IPAddress from its creation to its deletion", async () => {
    const send = testClient(quietCluster(current));
    const { object: service } = await send("POST", services, serviceOf("a"));
    const path = `${addresses}/${service.spec.clusterIP}`;
    const { object } = await send("GET", path);
    expect(object.spec).toEqual({ parentRef: { resource: "services", namespace: "default", name: "a" } });
    expect(Number(object.metadata.resourceVersion)).toBeLessThan(Number(service.metadata.resourceVersion));
    await send("DELETE", `${services}/a`);
    expect((await send("GET", path)).code).toBe(404);
  });

  test("has the IPAddress that the server's own client would create", async () => {
    const cluster = quietCluster(current);
    const send = testClient(cluster);
    await send("POST", services, serviceOf("a", { clusterIP: "10.96.0.9" }));
    const { object: allocated } = await send("GET", `${addresses}/10.96.0.9`);
    const { labels } = allocated.metadata;
    const { spec } = allocated;
    await send("POST", `${addresses}?fieldManager=kube-apiserver`, {
      metadata: { name: "172.16.0.1", labels },
      spec,
    });
    const { object: created } = await send("GET", `${addresses}/172.16.0.1`);
    const shapeOf = (object: { readonly metadata: object }) =>
      JSON.stringify({
        ...object,
        metadata: { ...object.metadata, name: "", uid: "", resourceVersion: "" },
      }).replace(/\d+-\d+-\d+T[\d:]+Z/g, "");
    expect(shapeOf(allocated)).toBe(shapeOf(created));
  });

  test("of two families has two", async () => {
    const send = testClient(quietCluster({ ...current, serviceClusterIpRange: "10.0.0.0/24,2001:db8::/64" }));
    const { object } = await send("POST", services, serviceOf("a", { ipFamilyPolicy: "RequireDualStack" }));
    const [first = "", second = ""]: string[] = object.spec.clusterIPs;
    const families = await Promise.all(
      [first, second].map(async (ip) => (await send("GET", `${addresses}/${ip}`)).object.metadata.labels),
    );
    expect(families.map((labels) => labels["ipaddress.kubernetes.io/ip-family"])).toEqual(["IPv4", "IPv6"]);
    await send("PATCH", `${services}/a`, { spec: { ipFamilyPolicy: "SingleStack" } });
    expect(await namesIn(send, addresses)).not.toContain(second);
    await send("PATCH", `${services}/a`, {
      spec: { type: "ExternalName", externalName: "x.example", clusterIP: null, clusterIPs: null },
    });
    expect(await namesIn(send, addresses)).toEqual(["10.0.0.1"]);
  });

  test.each<[string, object]>([
    ["headless", { clusterIP: "None" }],
    ["an external name", { type: "ExternalName", externalName: "x.example" }],
  ])("that is %s has none", async (_title, spec) => {
    const send = testClient(quietCluster(current));
    await send("POST", services, serviceOf("a", spec));
    expect(await namesIn(send, addresses)).toEqual(["10.96.0.1"]);
  });

  test.each<[string, object, string]>([
    ["a taken address", { clusterIP: "192.168.0.1" }, "provided IP is already allocated"],
    [
      "an address outside all networks",
      { clusterIP: "10.0.0.1" },
      "the provided network does not match the current range",
    ],
    [
      "the address of a network",
      { clusterIP: "192.168.0.0" },
      "the provided network does not match the current range",
    ],
    [
      "a broadcast address",
      { clusterIP: "192.168.0.7" },
      "the provided network does not match the current range",
    ],
    ["an address that something else has", { clusterIP: "192.168.0.3" }, "provided IP is already allocated"],
  ])("is refused with %s", async (_title, spec, detail) => {
    const send = testClient(quietCluster(small));
    const parentRef = {
      group: "gateway.networking.k8s.io",
      resource: "gateways",
      name: "g",
      namespace: "default",
    };
    await send("POST", addresses, { metadata: { name: "192.168.0.3" }, spec: { parentRef } });
    const { clusterIP } = spec as { clusterIP: string };
    expect((await send("POST", services, serviceOf("a", spec))).findings).toEqual([
      `spec.clusterIPs: Invalid value: []string{"${clusterIP}"}: failed to allocate IP ${clusterIP}: ${detail}`,
    ]);
  });

  test("leaves no address behind if it is refused or a dry run", async () => {
    const send = testClient(quietCluster(small));
    await send("POST", services, serviceOf("a", { sessionAffinity: "x" }));
    await send("POST", services, serviceOf("kubernetes"));
    const dry = await send("POST", `${services}?dryRun=All`, serviceOf("b"));
    expect(dry.object.spec.clusterIP).toBe("192.168.0.0");
    expect(await namesIn(send, addresses)).toEqual(["192.168.0.1"]);
  });

  test("gets an address of another ServiceCIDR when the range is full", async () => {
    const send = testClient(quietCluster(small));
    for (let i = 0; i < 5; i += 1) expect((await send("POST", services, serviceOf(`s${i}`))).code).toBe(201);
    const full = await send("POST", services, serviceOf("more"));
    expect(full).toMatchObject({
      code: 500,
      object: { message: "Internal error occurred: failed to allocate a serviceIP: range is full" },
    });
    await send("POST", serviceCidrs, { metadata: { name: "more" }, spec: { cidrs: ["10.0.0.0/30"] } });
    const { object } = await send("POST", services, serviceOf("more"));
    expect(["10.0.0.1", "10.0.0.2"]).toContain(object.spec.clusterIP);
    const conditions = [
      {
        type: "Ready",
        status: "False",
        reason: "R",
        message: "",
        lastTransitionTime: "2020-01-01T00:00:00Z",
      },
    ];
    await send("PATCH", `${serviceCidrs}/more/status`, { status: { conditions } });
    expect((await send("POST", services, serviceOf("none"))).code).toBe(500);
  });
});

describe("the controller of ServiceCIDRs", () => {
  const settledClient = (options: ClusterOptions = small): { cluster: Cluster; send: SendRequest } => {
    const cluster = createCluster(options);
    return { cluster, send: testClient(cluster) };
  };
  const blocked =
    "There are still IPAddresses referencing the ServiceCIDR, please remove them or create a new ServiceCIDR";

  test("protects a new one and reports that it is ready", async () => {
    const { cluster, send } = settledClient();
    await send("POST", serviceCidrs, { metadata: { name: "more" }, spec: { cidrs: ["10.0.0.0/24"] } });
    await cluster.settle();
    expect((await send("GET", `${serviceCidrs}/more`)).object).toMatchObject({
      metadata: { finalizers: ["networking.k8s.io/service-cidr-finalizer"] },
      status: {
        conditions: [
          { type: "Ready", status: "True", reason: "", message: "Kubernetes Service CIDR is ready" },
        ],
      },
    });
    await cluster.close();
  });

  test("keeps a deleted one while a Service needs it, and for ten seconds", async () => {
    const { cluster, send } = settledClient();
    await send("POST", serviceCidrs, { metadata: { name: "more" }, spec: { cidrs: ["10.0.0.0/24"] } });
    await send("POST", services, serviceOf("a", { clusterIP: "10.0.0.9" }));
    await cluster.settle();
    await send("DELETE", `${serviceCidrs}/more`);
    await cluster.clock.advance("1m");
    await cluster.settle();
    expect((await send("GET", `${serviceCidrs}/more`)).object.status.conditions).toMatchObject([
      { status: "False", reason: "Terminating", message: blocked },
    ]);
    expect((await send("POST", services, serviceOf("b", { clusterIP: "10.0.0.10" }))).code).toBe(422);
    await send("DELETE", `${services}/a`);
    await cluster.settle();
    expect((await send("GET", `${serviceCidrs}/more`)).code).toBe(404);
    await send("POST", serviceCidrs, { metadata: { name: "more" }, spec: { cidrs: ["10.0.0.0/24"] } });
    await cluster.settle();
    await send("DELETE", `${serviceCidrs}/more`);
    await cluster.settle();
    expect((await send("GET", `${serviceCidrs}/more`)).code).toBe(200);
    await cluster.clock.advance("11s");
    await cluster.settle();
    expect((await send("GET", `${serviceCidrs}/more`)).code).toBe(404);
    await cluster.close();
  });

  test("lets one go whose addresses are in another", async () => {
    const { cluster, send } = settledClient();
    await send("POST", serviceCidrs, { metadata: { name: "wide" }, spec: { cidrs: ["192.168.0.0/24"] } });
    await cluster.settle();
    await send("DELETE", `${serviceCidrs}/kubernetes`);
    await cluster.clock.advance("11s");
    await cluster.settle();
    expect((await send("GET", `${serviceCidrs}/kubernetes`)).code).toBe(404);
    await cluster.clock.advance("11s");
    await cluster.settle();
    expect((await send("GET", `${serviceCidrs}/kubernetes`)).object.spec.cidrs).toEqual(["192.168.0.0/29"]);
    await cluster.close();
  });
});

describe("the server repairs", () => {
  const eventsIn = async (send: SendRequest): Promise<object[]> =>
    (await send("GET", "/apis/events.k8s.io/v1/namespaces/default/events")).object.items;

  test("the address of a Service that was deleted, when it checks the Service again", async () => {
    const cluster = createCluster(current);
    const send = testClient(cluster);
    const { object } = await send("POST", services, serviceOf("a", { clusterIP: "10.96.0.9" }));
    await send("DELETE", `${addresses}/10.96.0.9`);
    await cluster.settle();
    expect((await send("GET", `${addresses}/10.96.0.9`)).code).toBe(404);
    await cluster.clock.advance("3m");
    await cluster.settle();
    expect((await send("GET", `${addresses}/10.96.0.9`)).object.spec.parentRef.name).toBe("a");
    expect(await eventsIn(send)).toMatchObject([
      {
        reason: "ClusterIPNotAllocated",
        action: "ClusterIPAllocation",
        note: "Cluster IP [IPv4]: 10.96.0.9 is not allocated; repairing",
        regarding: { kind: "Service", name: "a", uid: object.metadata.uid },
        reportingController: "ipallocator-repair-controller",
        type: "Warning",
      },
    ]);
    await cluster.close();
  });

  test.each<[string, object, string | undefined]>([
    [
      "an address with a wrong reference",
      { resource: "gateways", group: "x.io", name: "g", namespace: "default" },
      "a",
    ],
    ["the labels of an address", { resource: "services", name: "a", namespace: "default" }, "a"],
    ["an address of a missing Service", { resource: "services", name: "gone", namespace: "default" }, "a"],
  ])("%s", async (_title, parentRef, owner) => {
    const cluster = createCluster(current);
    const send = testClient(cluster);
    await send("POST", services, serviceOf("a", { clusterIP: "10.96.0.9" }));
    await send("DELETE", `${addresses}/10.96.0.9`);
    await send("POST", addresses, { metadata: { name: "10.96.0.9" }, spec: { parentRef } });
    await send("PATCH", `${services}/a`, { metadata: { labels: { a: "b" } } });
    await cluster.settle();
    expect((await send("GET", `${addresses}/10.96.0.9`)).object.spec.parentRef.name).toBe(owner);
    await cluster.close();
  });

  test("what the allocator would have leaked", async () => {
    const cluster = createCluster(current);
    const send = testClient(cluster);
    const labels = {
      "ipaddress.kubernetes.io/ip-family": "IPv4",
      "ipaddress.kubernetes.io/managed-by": "ipallocator.k8s.io",
    };
    const parentRef = { resource: "services", name: "gone", namespace: "default" };
    await send("POST", addresses, { metadata: { name: "10.96.0.9", labels }, spec: { parentRef } });
    await send("POST", addresses, { metadata: { name: "10.96.0.8" }, spec: { parentRef } });
    await cluster.settle();
    expect(await namesIn(send, addresses)).toEqual(["10.96.0.1", "10.96.0.8", "10.96.0.9"]);
    await cluster.clock.advance("62s");
    await cluster.settle();
    expect(await namesIn(send, addresses)).toEqual(["10.96.0.1", "10.96.0.8"]);
    await cluster.close();
  });
});

describe("the range of older servers", () => {
  // Since 1.34, only IPAddresses count.
  test.each([
    ["1.33", 422],
    ["1.34", 201],
  ])("is written by a server of %s", async (release, code) => {
    const send = testClient(quietCluster({ release }));
    await send("POST", services, serviceOf("a", { clusterIP: "10.96.0.9" }));
    await send("DELETE", `${addresses}/10.96.0.9`);
    expect((await send("POST", services, serviceOf("b", { clusterIP: "10.96.0.9" }))).code).toBe(code);
  });
});

describe("the Services of a load have their addresses", () => {
  const service = {
    apiVersion: "v1",
    kind: "Service",
    metadata: {
      name: "a",
      namespace: "default",
      uid: "1",
      resourceVersion: "1",
      creationTimestamp: "2026-01-01T00:00:00Z",
    },
    spec: {
      clusterIP: "10.96.0.9",
      clusterIPs: ["10.96.0.9"],
      ipFamilies: ["IPv4"],
      ipFamilyPolicy: "SingleStack",
      ports: [{ port: 80 }],
    },
  };
  test.each<[string, ClusterOptions]>([
    ["of a server", { objects: [service] }],
    ["of a manifest", { objects: [{ ...service, metadata: { name: "a", namespace: "default" } }] }],
    ["without controllers", { objects: [service], controllers: [] }],
  ])("%s", async (_title, options) => {
    const cluster = createCluster({ ...current, ...options });
    expect(await namesIn(testClient(cluster), addresses)).toEqual(["10.96.0.1", "10.96.0.9"]);
    await cluster.close();
  });
});

describe("an upgrade to 1.33", () => {
  test("adds the ServiceCIDR and the addresses of all Services", async () => {
    const cluster = createCluster({ release: "1.32" });
    await testClient(cluster)("POST", services, serviceOf("a", { clusterIP: "10.96.0.9" }));
    await cluster.upgrade("1.33");
    const send = testClient(cluster);
    expect(await namesIn(send, serviceCidrs)).toEqual(["kubernetes"]);
    expect(await namesIn(send, addresses)).toEqual(["10.96.0.1", "10.96.0.9"]);
    const { object } = await send("GET", "/apis/events.k8s.io/v1/namespaces/default/events");
    expect(object.items.map(({ note }: { note: string }) => note)).toEqual(
      ["10.96.0.9", "10.96.0.1"].map((ip) => `Cluster IP [IPv4]: ${ip} is not allocated; repairing`),
    );
    await cluster.downgrade("1.32");
    expect((await testClient(cluster)("POST", services, serviceOf("b"))).code).toBe(201);
    await cluster.upgrade("1.33");
    expect(await namesIn(testClient(cluster), addresses)).toHaveLength(3);
    await cluster.close();
  });

  test("forks and snapshots have the addresses of their Services", async () => {
    const cluster = createCluster(current);
    const saved = cluster.snapshot();
    const send = testClient(cluster);
    await send("POST", services, serviceOf("a", { clusterIP: "10.96.0.9" }));
    const fork = cluster.fork();
    expect((await testClient(fork)("POST", services, serviceOf("b", { clusterIP: "10.96.0.9" }))).code).toBe(
      422,
    );
    cluster.restore(saved);
    expect(await namesIn(send, addresses)).toEqual(["10.96.0.1"]);
    expect((await send("POST", services, serviceOf("b", { clusterIP: "10.96.0.9" }))).code).toBe(201);
    await Promise.all([cluster.close(), fork.close()]);
  });
});
