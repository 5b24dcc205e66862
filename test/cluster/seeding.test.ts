import { describe, expect, onTestFinished, test, vi } from "vitest";
import { encodeYaml } from "../../src/codec/yaml/yaml.ts";
import {
  type Cluster,
  type ClusterOptions,
  createCluster,
  type JsonObject,
  type KubeObject,
  type Manifests,
  StatusError,
} from "../../src/index.ts";
import { clusterDump } from "./cluster-dump.ts";
import { configMap, deployment, pod, refusalOf } from "./manifests.ts";

const dump = clusterDump();
const list = (items: readonly JsonObject[]): JsonObject => ({ apiVersion: "v1", kind: "List", items });

function newCluster(options: ClusterOptions = {}): Cluster {
  const cluster = createCluster(options);
  onTestFinished(() => cluster.close());
  return cluster;
}

/** The objects of the dump as the cluster has them now, without resourceVersions. */
async function stored(cluster: Cluster, objects: readonly KubeObject[] = dump): Promise<readonly unknown[]> {
  const found = objects.map(({ apiVersion, kind, metadata: { name = "", namespace = "" } }) =>
    cluster.get(apiVersion, kind, name, { namespace }).then(withoutRevision, (error: Error) => error.message),
  );
  return Promise.all(found);
}

function withoutRevision({
  metadata: { resourceVersion: _, ...metadata },
  ...object
}: KubeObject): JsonObject {
  return { ...object, metadata };
}

async function errorOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe("a dump of a cluster with 500 pods", () => {
  const podList = {
    apiVersion: "v1",
    kind: "PodList",
    metadata: { resourceVersion: "99" },
    items: dump.filter(({ kind }) => kind === "Pod").map(({ kind: _, apiVersion: __, ...item }) => item),
  };
  const others = dump.filter(({ kind }) => kind !== "Pod");

  test.each<[string, Manifests]>([
    ["as a list", list(dump)],
    ["as single objects, from last to first", dump.toReversed()],
    ["as lists in lists", [list([list(others), podList])]],
    ["as a typed list from the API", [podList, ...others]],
    ["as YAML of a list", encodeYaml(list(dump))],
    ["as YAML documents", dump.map((object) => encodeYaml(object)).join("---\n")],
    ["as JSON in an array", [JSON.stringify(list(dump), null, 4)]],
  ])("comes back as it was except for resourceVersions, %s", async (_title, objects) => {
    expect(dump.filter(({ kind }) => kind === "Pod")).toHaveLength(500);
    const cluster = newCluster({ objects });
    await cluster.settle();
    expect(await stored(cluster)).toEqual(dump.map(withoutRevision));
  });
});

describe("the garbage collector", () => {
  const orphans = ["nightly-0-x0", "nightly-1-x1", "etcd-node-0"];
  const kept = dump.filter(({ metadata: { name = "" } }) => orphans.includes(name) || name === "node-0");

  async function names(cluster: Cluster): Promise<readonly unknown[]> {
    const { items } = await cluster.list("v1", "Pod");
    return items.map(({ metadata }) => metadata.name);
  }

  test("keeps dependents of owners that a load did not contain, also in forks and restored snapshots", async () => {
    const cluster = newCluster();
    const empty = cluster.snapshot();
    await cluster.load(kept);
    await cluster.settle();
    const full = cluster.snapshot();
    const fork = cluster.fork();
    onTestFinished(() => fork.close());
    await fork.settle();
    expect(await names(fork)).toEqual(["etcd-node-0", "nightly-0-x0", "nightly-1-x1"]);
    cluster.restore(empty);
    cluster.restore(full);
    await cluster.patch(
      "v1",
      "Pod",
      "nightly-0-x0",
      { metadata: { labels: { a: "b" } } },
      { namespace: "team-0" },
    );
    await cluster.settle();
    expect(await names(cluster)).toEqual(["etcd-node-0", "nightly-0-x0", "nightly-1-x1"]);
  });

  test("deletes them once an owner that was loaded later is deleted", async () => {
    const cluster = newCluster({ objects: kept });
    const owner = kept.find(({ metadata }) => metadata.name === "nightly-0-x0")?.metadata
      .ownerReferences?.[0];
    const metadata = { name: "nightly-0", namespace: "team-0", uid: owner?.uid ?? "" };
    const template = { spec: { restartPolicy: "Never", containers: [{ name: "main", image: "nginx" }] } };
    await cluster.load({ apiVersion: "batch/v1", kind: "Job", metadata, spec: { template } });
    await cluster.settle();
    expect(await names(cluster)).toContain("nightly-0-x0");
    await cluster.delete("batch/v1", "Job", "nightly-0", {
      namespace: "team-0",
      propagationPolicy: "Background",
      gracePeriodSeconds: 0,
    });
    await cluster.settle();
    // A pod with a node waits for its kubelet.
    const dependent = await cluster.get("v1", "Pod", "nightly-0-x0", { namespace: "team-0" });
    expect(dependent.metadata.deletionTimestamp).toBeTruthy();
  });

  test("deletes the dependents of loaded owners with them", async () => {
    const cluster = newCluster({ objects: dump });
    const options = { namespace: "team-0", propagationPolicy: "Background" } as const;
    await cluster.delete("apps/v1", "Deployment", "app-0", options);
    await cluster.settle();
    const { items } = await cluster.list("apps/v1", "ReplicaSet", { namespace: "team-0" });
    expect(items.map(({ metadata }) => metadata.name)).toEqual(["app-5-5d4f8c7b9"]);
  });

  test("still deletes objects whose owner clients name but the cluster does not have", async () => {
    const cluster = newCluster({ objects: kept });
    const owner = { apiVersion: "v1", kind: "ConfigMap", name: "none", uid: "none" };
    const metadata = { name: "dependent", ownerReferences: [owner] };
    await cluster.create({ apiVersion: "v1", kind: "ConfigMap", metadata });
    await cluster.settle();
    await expect(cluster.get("v1", "ConfigMap", "dependent")).rejects.toThrow("not found");
  });
});

describe("cluster.load", () => {
  test("keeps the uid of an object that the cluster has, and owner references follow", async () => {
    const cluster = newCluster();
    const { metadata: live } = await cluster.create(deployment("web"));
    const owner = { ...deployment("web"), metadata: { name: "web", uid: "old", resourceVersion: "5" } };
    const owners = [{ apiVersion: "apps/v1", kind: "Deployment", name: "web", uid: "old" }];
    await cluster.load([configMap("a", { metadata: { name: "a", ownerReferences: owners } }), owner]);
    await cluster.settle();
    const { metadata } = await cluster.get("v1", "ConfigMap", "a");
    expect(metadata.ownerReferences).toMatchObject([{ uid: live.uid }]);
    expect((await cluster.get("apps/v1", "Deployment", "web")).metadata.uid).toBe(live.uid);
  });

  test("finds an owner in the same load by its name if the owner gives no uid", async () => {
    const cluster = newCluster();
    const owners = [{ apiVersion: "v1", kind: "ConfigMap", name: "owner", uid: "was-removed" }];
    await cluster.load([
      configMap("dependent", { metadata: { name: "dependent", ownerReferences: owners } }),
      configMap("owner"),
    ]);
    const { uid } = (await cluster.get("v1", "ConfigMap", "owner")).metadata;
    const { metadata } = await cluster.get("v1", "ConfigMap", "dependent");
    expect(metadata.ownerReferences).toMatchObject([{ uid }]);
  });

  test("keeps what a manifest gives, and completes the rest as a create does", async () => {
    const cluster = newCluster();
    const metadata = {
      name: "web",
      namespace: "missing-until-now",
      uid: "fixed",
      generation: 7,
      creationTimestamp: "2020-01-01T00:00:00Z",
    };
    const status = { phase: "Running", podIP: "10.0.0.1" };
    await cluster.load([
      { ...pod("web"), metadata, status },
      { ...deployment("web"), status: { replicas: 2 } },
    ]);
    const loaded = await cluster.get("v1", "Pod", "web", { namespace: "missing-until-now" });
    expect(loaded).toMatchObject({ metadata, status: { ...status, qosClass: "BestEffort" } });
    expect(loaded["spec"]).toMatchObject({ restartPolicy: "Always" });
    expect(loaded["spec"]).not.toHaveProperty("volumes");
    expect(await cluster.get("apps/v1", "Deployment", "web")).toMatchObject({
      metadata: { generation: 1, managedFields: [{ manager: "kubedouble" }] },
      status: { replicas: 2 },
    });
    expect(await cluster.get("v1", "Namespace", "missing-until-now")).toMatchObject({
      status: { phase: "Active" },
    });
  });

  test("is one write for each object, which watches see, and none if nothing changes", async () => {
    const cluster = newCluster({ controllers: [] });
    await cluster.get("v1", "Namespace", "default");
    const { metadata } = await cluster.list("v1", "ConfigMap");
    const manifests = [configMap("a", { data: { b: "c" } }), configMap("d")];
    await cluster.load(manifests);
    await cluster.load(manifests);
    const response = await cluster.fetch(
      `https://cluster.test/api/v1/configmaps?watch=1&timeoutSeconds=1&resourceVersion=${metadata["resourceVersion"]}`,
    );
    const text = await response.text();
    const events = text
      .trim()
      .split("\n")
      .map((line): JsonObject => JSON.parse(line));
    expect(events).toMatchObject([
      { type: "ADDED", object: { metadata: { name: "a" } } },
      { type: "ADDED", object: { metadata: { name: "d" } } },
    ]);
  });

  test("records the cluster IPs and node ports of loaded services", async () => {
    const cluster = newCluster({ objects: dump });
    const ports = [{ port: 80, nodePort: 30500 }];
    const metadata = { name: "other" };
    const port = { apiVersion: "v1", kind: "Service", metadata, spec: { type: "NodePort", ports } };
    expect((await refusalOf(cluster.create(port))).message).toContain("provided port is already allocated");
    const spec = { clusterIP: "10.96.7.10", ports: [{ port: 80 }] };
    const address = { apiVersion: "v1", kind: "Service", metadata, spec };
    expect((await refusalOf(cluster.create(address))).message).toContain("provided IP is already allocated");
    await cluster.delete("v1", "Service", "app-0", { namespace: "team-0" });
    await cluster.create(address);
  });

  describe("of Services with one cluster IP", () => {
    const service = (name: string, clusterIP: string, more: JsonObject = {}): JsonObject => ({
      apiVersion: "v1",
      kind: "Service",
      metadata: { name, namespace: "default", uid: `uid-of-${name}`, resourceVersion: "7" },
      spec: { type: "ClusterIP", clusterIP, clusterIPs: [clusterIP], ports: [{ port: 80 }], ...more },
    });
    const taken = (ip: string, owner: string) =>
      `objects[1]: Service "b": spec.clusterIPs: ${ip} is already allocated to default/${owner}`;

    test.each([
      ["in one load", [service("a", "10.96.7.10"), service("b", "10.96.7.10")], taken("10.96.7.10", "a")],
      ["outside the range", [service("a", "10.43.0.9"), service("b", "10.43.0.9")], taken("10.43.0.9", "a")],
      [
        "one of which the cluster has",
        [configMap("a"), service("b", "10.96.0.1")],
        taken("10.96.0.1", "kubernetes"),
      ],
    ])("is refused: %s", async (_title, objects, message) => {
      const cluster = newCluster();
      const before = await cluster.list("v1", "Service");
      const error = await errorOf(cluster.load(objects));
      expect(error).toMatchObject({ message });
      expect(await cluster.list("v1", "Service")).toEqual(before);
    });

    test.each([
      ["headless Services", [service("a", "None"), service("b", "None")]],
      ["Services that swap their addresses", [service("a", "10.96.7.11"), service("b", "10.96.7.10")]],
      ["the Service that has it", [service("a", "10.96.7.10")]],
    ])("is no conflict for %s", async (_title, objects) => {
      const cluster = newCluster({ objects: [service("a", "10.96.7.10"), service("b", "10.96.7.11")] });
      await cluster.load(objects);
      const { items } = await cluster.list("v1", "Service", { namespace: "default" });
      const addresses = new Map(items.map(({ metadata, spec }) => [metadata.name, spec?.clusterIP]));
      for (const { metadata, spec } of objects as unknown as typeof items) {
        expect(addresses.get(metadata.name)).toBe(spec?.clusterIP);
      }
    });
  });

  test("stores an object in any served version", async () => {
    const cluster = newCluster({ release: "1.20" });
    const backend = { serviceName: "web", servicePort: 80 };
    const spec = { rules: [{ http: { paths: [{ path: "/", pathType: "Prefix", backend }] } }] };
    const metadata = { name: "web", resourceVersion: "7", uid: "a" };
    const status = { loadBalancer: { ingress: [{ ip: "192.0.2.1" }] } };
    await cluster.load({ apiVersion: "extensions/v1beta1", kind: "Ingress", metadata, spec, status });
    expect(await cluster.get("networking.k8s.io/v1", "Ingress", "web")).toMatchObject({
      metadata: { uid: "a" },
      spec: { rules: [{ http: { paths: [{ backend: { service: { name: "web" } } }] } }] },
      status,
    });
  });

  test("keeps the managed fields of a dump, which the next apply respects", async () => {
    const cluster = newCluster();
    const managedFields = [
      {
        manager: "helm",
        operation: "Apply",
        apiVersion: "v1",
        time: "2025-01-01T00:00:00Z",
        fieldsType: "FieldsV1",
        fieldsV1: { "f:data": { "f:color": {} } },
      },
    ];
    const metadata = { name: "a", uid: "u", resourceVersion: "3", managedFields };
    await cluster.load(configMap("a", { metadata, data: { color: "blue" } }));
    const red = configMap("a", { data: { color: "red" } });
    expect((await refusalOf(cluster.apply(red, { fieldManager: "me" }))).message).toContain('"helm"');
  });

  test.each<[string, Manifests, string]>([
    [
      "an object",
      [configMap("a"), { kind: "Pod" }],
      "objects[1]: apiVersion not set; a manifest needs apiVersion",
    ],
    ["an item", list([configMap("a"), { kind: "Pod" }]), "objects, items[1]: apiVersion not set"],
    ["a text", ["a: [\n"], "objects[0]: yaml: "],
    [
      "a document",
      `${encodeYaml(configMap("a"))}---\nkind: Pod\n`,
      "objects, document 2: apiVersion not set",
    ],
    [
      "an invalid object",
      [configMap("a"), configMap("NO")],
      'objects[1]: ConfigMap "NO" is invalid: metadata.name',
    ],
    [
      "an invalid object of a dump",
      [{ ...pod("a"), metadata: { name: "a", resourceVersion: "1" }, spec: { containers: [] } }],
      'objects[0]: Pod "a" is invalid: spec.containers: Required value',
    ],
    [
      "a wrong type",
      [{ ...pod("a"), spec: { containers: 5 } }],
      'objects[0]: Pod "a": Pod in version "v1" cannot be handled as a Pod: json: cannot unmarshal number',
    ],
  ])("the error names %s", async (_title, objects, message) => {
    const error = await errorOf(newCluster().load(objects));
    expect(error).toBeInstanceOf(Error);
    expect(error instanceof Error && error.message).toContain(message);
  });

  test("names all objects of unknown kinds in one error, or in one warning and loads the rest", async () => {
    const cluster = newCluster();
    const widget = { apiVersion: "example.com/v1", kind: "Widget", metadata: { name: "w" } };
    const objects = [widget, configMap("a"), { ...pod("p"), apiVersion: "v9" }, widget];
    const text =
      "Kubernetes 1.32 does not serve Widget in example.com/v1 (objects[0] and 1 more); Pod in v9 (objects[2])";
    expect(await errorOf(cluster.load(objects))).toHaveProperty(
      "message",
      `${text}. To leave these objects out: onUnknown: "skip"`,
    );
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    onTestFinished(() => warn.mockRestore());
    await cluster.load(objects, { onUnknown: "skip" });
    expect(warn.mock.calls).toEqual([[`kubedouble: ${text}. These objects are left out.`]]);
    expect((await cluster.get("v1", "ConfigMap", "a")).metadata.name).toBe("a");
  });
});

describe("initial objects", () => {
  test("that are not manifests are refused when the cluster is made", () => {
    expect(() => createCluster({ objects: [configMap("a"), { kind: "Pod" }] })).toThrow(
      "objects[1]: apiVersion not set",
    );
  });

  test("that are invalid fail every use with an error that names them, which is not an answer to a request", async () => {
    const cluster = newCluster({ objects: [configMap("a"), configMap("NO")] });
    const message = 'objects[1]: ConfigMap "NO" is invalid: metadata.name';
    for (const use of [
      cluster.get("v1", "ConfigMap", "a"),
      cluster.load(configMap("b")),
      cluster.settle(),
      cluster.fetch("https://cluster.test/api/v1/pods"),
    ]) {
      const error = await errorOf(use);
      expect(error).toBeInstanceOf(Error);
      expect(error).not.toBeInstanceOf(StatusError);
      expect(error instanceof Error && error.message).toContain(message);
    }
  });

  test("replace the objects of a new cluster", async () => {
    const metadata = { name: "kube-system", uid: "cluster-id", resourceVersion: "4" };
    const cluster = newCluster({ objects: { apiVersion: "v1", kind: "Namespace", metadata } });
    expect((await cluster.get("v1", "Namespace", "kube-system")).metadata.uid).toBe("cluster-id");
  });
});
