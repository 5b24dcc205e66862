import { describe, expect, test } from "vitest";
import { printedCells } from "../../../test/printed-cells.ts";
import type { JsonObject, JsonValue } from "../../apimachinery/json.ts";
import type { Release } from "../../catalog/api-resource.ts";

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
  ["storage.k8s.io/storageclasses", { provisioner: "p" }, ["p", "Delete", "Immediate", false]],
  [
    "storage.k8s.io/storageclasses",
    {
      metadata: { annotations: { "storageclass.kubernetes.io/is-default-class": "true" } },
      provisioner: "p",
      reclaimPolicy: "Retain",
      volumeBindingMode: "WaitForFirstConsumer",
      allowVolumeExpansion: true,
    },
    ["x (default)", "p", "Retain", "WaitForFirstConsumer", true],
  ],
  ["storage.k8s.io/csidrivers", {}, [true, false, false, "<unset>", false, "<none>"]],
  [
    "storage.k8s.io/csidrivers",
    {
      spec: {
        attachRequired: false,
        podInfoOnMount: true,
        storageCapacity: true,
        tokenRequests: [{ audience: "a" }, { audience: "" }],
        requiresRepublish: true,
        volumeLifecycleModes: ["Persistent", "Ephemeral"],
      },
    },
    [false, true, true, "a,", true, "Persistent,Ephemeral"],
  ],
  ["storage.k8s.io/csinodes", { spec: { drivers: [{}, {}] } }, [2]],
  [
    "storage.k8s.io/volumeattachments",
    {
      spec: { attacher: "a", nodeName: "n", source: { persistentVolumeName: "v" } },
      status: { attached: true },
    },
    ["a", "v", "n", true],
  ],
  [
    "storage.k8s.io/volumeattachments",
    { spec: { attacher: "a", nodeName: "n", source: {} } },
    ["a", "", "n", false],
  ],
  ["storage.k8s.io/volumeattributesclasses", { driverName: "d" }, ["d"]],
];

describe("the core group", () => {
  test.each([...core, ...nodes, ...events])("%s %j is shown as %j", (resource, object, cells) => {
    expect(printedCells(resource, object)).toEqual(cells);
  });
});

describe("storage", () => {
  test.each(storage)("%s %j is shown as %j", (resource, object, cells) => {
    expect(printedCells(resource, object)).toEqual(cells);
  });
});

describe("a resource quota", () => {
  const status = {
    hard: { "requests.cpu": "1", pods: "10", "limits.cpu": "2", "limits.memory": "1Gi", limits: "5" },
    used: { pods: "3", "limits.cpu": "500m" },
  };
  const requests = "limits: 0/5, pods: 3/10, requests.cpu: 0/1";
  const limits = "limits.cpu: 500m/2, limits.memory: 0/1Gi";

  test("has requests and limits apart", () => {
    expect(printedCells("resourcequotas", { status })).toEqual([requests, limits]);
    expect(printedCells("resourcequotas", {})).toEqual(["", ""]);
  });
});

describe("what changed between releases", () => {
  test.each<[release: Release, resource: string, object: JsonObject, cells: readonly JsonValue[]]>([
    ["1.32", "serviceaccounts", { metadata: { name: "s" }, secrets: [{}] }, ["s", 1]],
    ["1.35", "serviceaccounts", { metadata: { name: "s" }, secrets: [{}] }, ["s"]],
    ["1.32", "resourcequotas", { metadata: { creationTimestamp: null } }, ["<unknown>", "", ""]],
    ["1.33", "resourcequotas", { metadata: { creationTimestamp: null } }, ["", "", "<unknown>"]],
  ])("%s shows %s %j as %j", (release, resource, object, cells) => {
    expect(printedCells(resource, object, release)).toEqual(cells);
  });
});
