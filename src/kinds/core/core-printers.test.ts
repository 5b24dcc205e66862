import { describe, expect, test } from "vitest";
import { printedCells } from "../../../test/printed-cells.ts";
import type { JsonObject, JsonValue } from "../../apimachinery/json.ts";
import type { Release } from "../../apimachinery/release.ts";

type Case = readonly [resource: string, object: JsonObject, cells: readonly JsonValue[]];

const deleted = { deletionTimestamp: "2029-12-31T23:59:00Z" };
const address = (type: string, ip: string): JsonObject => ({ type, address: ip });

const core: readonly Case[] = [
  ["namespaces", { status: { phase: "Active" } }, ["Active"]],
  ["configmaps", {}, [0]],
  ["configmaps", { data: { a: "1", b: "2" }, binaryData: { c: "" } }, [3]],
  ["secrets", { type: "Opaque", data: { a: "" } }, ["Opaque", 1]],
  ["serviceaccounts", { secrets: [{ name: "a" }, { name: "b" }] }, [2]],
  ["componentstatuses", {}, ["Unknown", "", ""]],
  [
    "componentstatuses",
    { conditions: [{ type: "Healthy", status: "True", message: "ok" }] },
    ["Healthy", "ok", ""],
  ],
  [
    "componentstatuses",
    { conditions: [{ type: "Healthy", status: "False", error: "dead" }] },
    ["Unhealthy", "", "dead"],
  ],
];

const nodes: readonly Case[] = [
  ["nodes", {}, ["Unknown", "<none>", "", "<none>", "<none>", "<unknown>", "<unknown>", "<unknown>"]],
  [
    "nodes",
    {
      metadata: {
        labels: {
          "node-role.kubernetes.io/worker": "",
          "node-role.kubernetes.io/": "",
          "kubernetes.io/role": "control",
        },
      },
      spec: { unschedulable: true },
      status: {
        conditions: [{ type: "Ready", status: "Unknown" }],
        addresses: [
          address("Hostname", "h"),
          address("ExternalIP", "2.2.2.2"),
          address("InternalIP", "1.1.1.1"),
          address("InternalIP", "fd00::1"),
        ],
        nodeInfo: {
          kubeletVersion: "v1",
          osImage: "os",
          kernelVersion: "k",
          containerRuntimeVersion: "c://1",
        },
      },
    },
    ["NotReady,SchedulingDisabled", "control,worker", "v1", "1.1.1.1", "2.2.2.2", "os", "k", "c://1"],
  ],
];

const events: readonly Case[] = [
  ["events", {}, ["<unknown>", "", "", "", "", "", "", "<unknown>", 1]],
  [
    "events",
    {
      type: "Normal",
      reason: "Pulled",
      involvedObject: { kind: "Pod", name: "p", fieldPath: "spec.containers{c}" },
      source: { component: "kubelet", host: "n1" },
      message: " done\n",
      firstTimestamp: "2029-12-31T23:50:00Z",
      lastTimestamp: "2029-12-31T23:59:30Z",
      count: 4,
    },
    ["30s", "Normal", "Pulled", "pod/p", "spec.containers{c}", "kubelet, n1", "done", "10m", 4],
  ],
  [
    "events.k8s.io/events",
    {
      involvedObject: { kind: "Node" },
      source: {},
      reportingComponent: "a.b/c",
      reportingInstance: "i",
      firstTimestamp: null,
      lastTimestamp: null,
      eventTime: "2029-12-31T23:58:30.000000Z",
    },
    ["90s", "", "", "node", "", "a.b/c, i", "", "90s", 1],
  ],
  [
    "events",
    {
      involvedObject: {},
      eventTime: "2029-12-31T23:50:00.000000Z",
      series: { count: 7, lastObservedTime: "2029-12-31T23:59:00.000000Z" },
      count: 2,
    },
    ["60s", "", "", "", "", "", "", "10m", 7],
  ],
];

const storage: readonly Case[] = [
  ["persistentvolumes", {}, ["0", "", "", "", "", "", "<unset>", "", "<unset>"]],
  [
    "persistentvolumes",
    {
      metadata: { ...deleted, annotations: { "volume.beta.kubernetes.io/storage-class": "old" } },
      spec: {
        capacity: { storage: "1Gi" },
        accessModes: [
          "ReadWriteOncePod",
          "ReadWriteMany",
          "ReadWriteOnce",
          "ReadWriteOnce",
          "ReadOnlyMany",
          "Other",
        ],
        persistentVolumeReclaimPolicy: "Retain",
        claimRef: { namespace: "n", name: "c" },
        storageClassName: "new",
        volumeAttributesClassName: "gold",
        volumeMode: "Block",
      },
      status: { phase: "Bound", reason: "because" },
    },
    ["1Gi", "RWO,ROX,RWX,RWOP", "Retain", "Terminating", "n/c", "old", "gold", "because", "Block"],
  ],
  [
    "persistentvolumeclaims",
    {
      spec: { accessModes: ["ReadWriteOnce"], storageClassName: "s", volumeMode: "Filesystem" },
      status: { phase: "Pending" },
    },
    ["Pending", "", "", "", "s", "<unset>", "Filesystem"],
  ],
  [
    "persistentvolumeclaims",
    {
      spec: { volumeName: "v" },
      status: { phase: "Bound", capacity: { storage: "5Gi" }, accessModes: ["ReadWriteMany"] },
    },
    ["Bound", "v", "5Gi", "RWX", "", "<unset>", "<unset>"],
  ],
  [
    "persistentvolumeclaims",
    { metadata: deleted, spec: { volumeName: "v" } },
    ["Terminating", "v", "0", "", "", "<unset>", "<unset>"],
  ],
];

const addresses = (...ips: string[]): JsonObject[] => ips.map((ip) => ({ ip }));

const services: readonly Case[] = [
  [
    "services",
    {
      spec: {
        type: "ClusterIP",
        clusterIPs: ["10.0.0.1", "fd00::1"],
        externalIPs: ["1.1.1.1", "2.2.2.2"],
        ports: [
          { port: 80, protocol: "TCP" },
          { port: 53, nodePort: 30053, protocol: "UDP" },
        ],
        selector: { b: "2", a: "1" },
      },
    },
    ["ClusterIP", "10.0.0.1", "1.1.1.1,2.2.2.2", "80/TCP,53:30053/UDP", "a=1,b=2"],
  ],
  [
    "services",
    { spec: { type: "NodePort", clusterIP: "10.0.0.1" } },
    ["NodePort", "10.0.0.1", "<none>", "<none>", "<none>"],
  ],
  [
    "services",
    { spec: { type: "LoadBalancer" } },
    ["LoadBalancer", "<none>", "<pending>", "<none>", "<none>"],
  ],
  [
    "services",
    {
      spec: { type: "LoadBalancer", externalIPs: ["3.3.3.3"] },
      status: {
        loadBalancer: {
          ingress: [
            { hostname: "lb.example" },
            { ip: "2.2.2.2", hostname: "x" },
            { ip: "1.1.1.1" },
            { ip: "1.1.1.1" },
            {},
          ],
        },
      },
    },
    ["LoadBalancer", "<none>", "1.1.1.1,2.2.2.2,lb.example,3.3.3.3", "<none>", "<none>"],
  ],
  [
    "services",
    { spec: { type: "ExternalName", externalName: "a.b" } },
    ["ExternalName", "<none>", "a.b", "<none>", "<none>"],
  ],
  ["services", {}, ["", "<none>", "<unknown>", "<none>", "<none>"]],
  ["endpoints", {}, ["<none>"]],
  ["endpoints", { subsets: [{ notReadyAddresses: addresses("1.1.1.1"), ports: [{ port: 80 }] }] }, [""]],
  [
    "endpoints",
    {
      subsets: [
        { addresses: addresses("1.1.1.1", "fd00::1"), ports: [{ port: 80 }, { port: 81 }] },
        { addresses: addresses("2.2.2.2") },
      ],
    },
    ["1.1.1.1:80,[fd00::1]:80,1.1.1.1:81 + 2 more..."],
  ],
  ["endpoints", { subsets: [{ addresses: addresses("1.1.1.1", "fd00::1") }] }, ["1.1.1.1,fd00::1"]],
];

const pods = {
  template: {
    metadata: { labels: { b: "2", a: "1" } },
    spec: {
      nodeSelector: { n: "1" },
      containers: [
        { name: "c", image: "i" },
        { name: "d", image: "j" },
      ],
    },
  },
};

const workloads: readonly Case[] = [
  [
    "replicationcontrollers",
    { spec: { replicas: 3, selector: { b: "2", a: "1" }, ...pods }, status: { replicas: 2 } },
    [3, 2, 0, "c,d", "i,j", "a=1,b=2"],
  ],
  ["replicationcontrollers", { spec: {} }, [0, 0, 0, "", "", "<none>"]],
  ["podtemplates", pods, ["c,d", "i,j", "a=1,b=2"]],
];

describe("the core group", () => {
  test.each([...core, ...nodes, ...events, ...services, ...workloads])(
    "%s %j is shown as %j",
    async (resource, object, cells) => {
      expect(await printedCells(resource, object)).toEqual(cells);
    },
  );
});

describe("volumes and claims", () => {
  test.each(storage)("%s %j is shown as %j", async (resource, object, cells) => {
    expect(await printedCells(resource, object)).toEqual(cells);
  });
});

describe("a resource quota", () => {
  const status = {
    hard: { "requests.cpu": "1", pods: "10", "limits.cpu": "2", "limits.memory": "1Gi", limits: "5" },
    used: { pods: "3", "limits.cpu": "500m" },
  };
  const requests = "limits: 0/5, pods: 3/10, requests.cpu: 0/1";
  const limits = "limits.cpu: 500m/2, limits.memory: 0/1Gi";

  test("has separate cells for requests and limits", async () => {
    expect(await printedCells("resourcequotas", { status })).toEqual([requests, limits]);
    expect(await printedCells("resourcequotas", {})).toEqual(["", ""]);
  });
});

describe("cells that differ between releases", () => {
  test.each<[release: Release, resource: string, object: JsonObject, cells: readonly JsonValue[]]>([
    ["1.32", "serviceaccounts", { metadata: { name: "s" }, secrets: [{}] }, ["s", 1]],
    ["1.35", "serviceaccounts", { metadata: { name: "s" }, secrets: [{}] }, ["s"]],
    ["1.32", "resourcequotas", { metadata: { creationTimestamp: null } }, ["<unknown>", "", ""]],
    ["1.33", "resourcequotas", { metadata: { creationTimestamp: null } }, ["", "", "<unknown>"]],
  ])("%s shows %s %j as %j", async (release, resource, object, cells) => {
    expect(await printedCells(resource, object, release)).toEqual(cells);
  });
});
