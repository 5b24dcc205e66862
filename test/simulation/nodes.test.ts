import { expect, test } from "vitest";
import { createCluster } from "../../src/index.ts";

const simulated = () => createCluster({ seed: 1, simulate: ["kubelets"] });

test("three nodes are ready", async () => {
  await using cluster = simulated();
  await cluster.settle();
  const { items } = await cluster.list("v1", "Node");
  expect(
    items.map(({ metadata, spec, status }) => [
      metadata?.name,
      spec?.podCIDR,
      spec?.taints,
      status?.addresses?.[0]?.address,
      status?.conditions?.find(({ type }) => type === "Ready")?.status,
      status?.allocatable?.["cpu"],
    ]),
  ).toEqual([
    ["node-1", "10.244.0.0/24", undefined, "172.18.0.2", "True", "8"],
    ["node-2", "10.244.1.0/24", undefined, "172.18.0.3", "True", "8"],
    ["node-3", "10.244.2.0/24", undefined, "172.18.0.4", "True", "8"],
  ]);
});

test("a kubelet writes its Lease and what it did, as the user of its node", async () => {
  await using cluster = simulated();
  await cluster.settle();
  const lease = await cluster.get("coordination.k8s.io/v1", "Lease", "node-2", {
    namespace: "kube-node-lease",
  });
  expect(lease.spec).toMatchObject({ holderIdentity: "node-2", leaseDurationSeconds: 40 });
  const { items } = await cluster.list("v1", "Event", { namespace: "default" });
  const ofNode = items.filter(({ involvedObject }) => involvedObject.name === "node-2");
  expect(ofNode.map(({ reason, source }) => `${source?.component} ${reason}`)).toEqual([
    "kubelet Starting",
    "kubelet NodeHasSufficientMemory",
    "kubelet NodeHasNoDiskPressure",
    "kubelet NodeHasSufficientPID",
    "kubelet NodeAllocatableEnforced",
    "kubelet NodeReady",
    "node-controller RegisteredNode",
  ]);
  const node = await cluster.get("v1", "Node", "node-2");
  expect(node.metadata?.managedFields?.map(({ manager }) => manager)).toEqual([
    "kube-controller-manager",
    "kubelet",
  ]);
});

test.each([
  ["1.16", undefined],
  ["1.20", ""],
  ["1.23", "kubernetes.io/aws-ebs,kubernetes.io/azure-disk,kubernetes.io/cinder,kubernetes.io/gce-pd"],
  [
    "1.32",
    "kubernetes.io/aws-ebs,kubernetes.io/azure-disk,kubernetes.io/azure-file,kubernetes.io/cinder,kubernetes.io/gce-pd,kubernetes.io/portworx-volume,kubernetes.io/vsphere-volume",
  ],
] as const)("a kubelet of %s writes a CSINode, which goes with its Node", async (release, plugins) => {
  await using cluster = createCluster({ release, simulate: ["kubelets"] });
  await cluster.settle();
  const csiNodes = async () =>
    (await cluster.list(release === "1.16" ? "storage.k8s.io/v1beta1" : "storage.k8s.io/v1", "CSINode"))
      .items;
  const { metadata } = await cluster.get("v1", "Node", "node-2");
  const found = (await csiNodes()).filter((one) => one.metadata.name === "node-2");
  const annotations = plugins && { "storage.alpha.kubernetes.io/migrated-plugins": plugins };
  const ownerReferences = [{ apiVersion: "v1", kind: "Node", name: "node-2", uid: metadata.uid }];
  expect(found.map((one) => [one.metadata.annotations, one.metadata.ownerReferences, one["spec"]])).toEqual(
    plugins === undefined ? [] : [[annotations || undefined, ownerReferences, { drivers: null }]],
  );
  await cluster.delete("v1", "Node", "node-2");
  await cluster.settle();
  const names = (await csiNodes()).map((one) => one.metadata.name);
  expect(names).toEqual(plugins === undefined ? [] : ["node-1", "node-3"]);
});

test.each([
  ["1.30", undefined],
  ["1.31", ["", "runc"]],
] as const)("a kubelet of %s reports the handlers of its runtime", async (release, names) => {
  await using cluster = createCluster({ release, simulate: ["kubelets"] });
  await cluster.settle();
  const { status } = await cluster.get("v1", "Node", "node-1");
  const features = { recursiveReadOnlyMounts: true, userNamespaces: true };
  expect(status?.runtimeHandlers).toEqual(names?.map((name) => ({ name, features })));
});

test("a node can be added, and a manifest whose provider is kubedouble is one", async () => {
  await using cluster = simulated();
  const taints = [{ key: "gpu", value: "yes", effect: "NoSchedule" }] as const;
  const added = await cluster.addNode({
    name: "gpu",
    capacity: { "nvidia.com/gpu": 2 },
    labels: { zone: "a" },
    taints,
  });
  expect(added).toMatchObject({
    metadata: { labels: { zone: "a", "kubernetes.io/hostname": "gpu" } },
    spec: { taints, podCIDR: "10.244.3.0/24" },
    status: { allocatable: { "nvidia.com/gpu": "2", cpu: "8", pods: "110" } },
  });
  await cluster.create({
    apiVersion: "v1",
    kind: "Node",
    metadata: { name: "manual" },
    spec: { providerID: "kubedouble://manual" },
  });
  await cluster.create({ apiVersion: "v1", kind: "Node", metadata: { name: "real" } });
  await cluster.settle();
  const isReady = async (name: string) => {
    const { status } = await cluster.get("v1", "Node", name);
    return status?.conditions?.some(({ type, status: is }) => type === "Ready" && is === "True") ?? false;
  };
  expect([await isReady("manual"), await isReady("real")]).toEqual([true, false]);
});

test("a kubelet records that its node was cordoned and uncordoned, about a node that it knows by name", async () => {
  await using cluster = simulated();
  await cluster.settle();
  const recorded = async (reason: RegExp) => {
    const { items } = await cluster.list("v1", "Event", { namespace: "default" });
    const found = items.filter(
      (event) => event.involvedObject.name === "node-1" && reason.test(event.reason ?? ""),
    );
    return found.map(({ message, involvedObject }) => [message, involvedObject]);
  };
  const known = { kind: "Node", name: "node-1", uid: "node-1" };
  await cluster.patch("v1", "Node", "node-1", { spec: { unschedulable: true } });
  await cluster.settle();
  const first = ["Node node-1 status is now: NodeNotSchedulable", known];
  expect(await recorded(/Schedulable/)).toEqual([first]);
  await cluster.patch("v1", "Node", "node-1", { metadata: { labels: { a: "b" } } });
  await using fork = cluster.fork();
  await fork.settle();
  await cluster.patch("v1", "Node", "node-1", { spec: { unschedulable: null } });
  await cluster.settle();
  expect(await recorded(/Schedulable/)).toEqual([
    first,
    ["Node node-1 status is now: NodeSchedulable", known],
  ]);
  expect(await recorded(/^(Starting|NodeReady)$/)).toMatchObject([
    ["Starting kubelet.", known],
    ["Node node-1 status is now: NodeReady", known],
  ]);
  const { metadata } = await cluster.get("v1", "Node", "node-1");
  expect(await recorded(/^RegisteredNode$/)).toEqual([
    [
      "Node node-1 event: Registered Node node-1 in Controller",
      { apiVersion: "v1", kind: "Node", name: "node-1", uid: metadata?.uid },
    ],
  ]);
});

test("an option that does not exist is an error", async () => {
  await using cluster = simulated();
  // @ts-expect-error: the compiler sees it too
  await expect(cluster.addNode({ name: "a", lables: {} })).rejects.toThrow('did you mean "labels"?');
  await expect(cluster.addNode({ name: "a", labels: [] as never })).rejects.toThrow(
    "addNode: labels must be",
  );
});

test("a node that was deleted does not come back, in a fork neither", async () => {
  await using cluster = simulated();
  await cluster.settle();
  await cluster.delete("v1", "Node", "node-1");
  await using fork = cluster.fork();
  await fork.settle();
  const names = async (one: typeof cluster) =>
    (await one.list("v1", "Node")).items.map(({ metadata }) => metadata?.name);
  expect([await names(cluster), await names(fork)]).toEqual([
    ["node-2", "node-3"],
    ["node-2", "node-3"],
  ]);
});
