import { objectAt, stringsAt } from "../../apimachinery/fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { Release } from "../../apimachinery/release.ts";
import { formatTime } from "../../apimachinery/time.ts";
import type { FeatureGates } from "../../catalog/feature-gates.ts";
import { defaultCapacity } from "./default-nodes.ts";

const kubeletPort = 10_250;

/** What the status of a node depends on besides the node. */
export interface NodeFacts {
  readonly release: Release;
  readonly gates: FeatureGates;
  /** In milliseconds since the epoch. */
  readonly now: number;
  readonly address: string;
  /** A UUID. */
  readonly machineId: string;
}

/** The labels that a kubelet sets, and those that the node has already. */
export function labelsOfNode(
  name: string,
  labels: { readonly [key: string]: string },
): { readonly [key: string]: string } {
  return {
    "beta.kubernetes.io/arch": "amd64",
    "beta.kubernetes.io/os": "linux",
    "kubernetes.io/arch": "amd64",
    "kubernetes.io/hostname": name,
    "kubernetes.io/os": "linux",
    ...labels,
  };
}

/** The status that a kubelet reports when it starts. It keeps the resources that the node states. */
export function statusOfNode(node: KubeObject, facts: NodeFacts): JsonObject {
  const { name = "" } = node.metadata;
  const capacity = { ...defaultCapacity, ...stringsAt(node, "status", "capacity") };
  return {
    addresses: [
      { type: "InternalIP", address: facts.address },
      { type: "Hostname", address: name },
    ],
    capacity,
    allocatable: { ...capacity, ...objectAt(node, "status", "allocatable") },
    conditions: nodeConditions(facts.now),
    daemonEndpoints: { kubeletEndpoint: { Port: kubeletPort } },
    nodeInfo: nodeInfo(facts),
    ...(reportsHandlers(facts.gates) && { runtimeHandlers }),
    ...(facts.gates.isEnabled("SupplementalGroupsPolicy") && {
      features: { supplementalGroupsPolicy: true },
    }),
  };
}

/** What containerd offers on a present kernel, by the name of its runtime and by default. */
const runtimeHandlers = ["", "runc"].map((name) => ({
  name,
  features: { recursiveReadOnlyMounts: true, userNamespaces: true },
}));

/** Upstream: `RuntimeHandlers` (pkg/kubelet/nodestatus/setters.go). */
function reportsHandlers(gates: FeatureGates): boolean {
  return gates.isEnabled("RecursiveReadOnlyMounts") || gates.isEnabled("UserNamespacesSupport");
}

/** The conditions of a healthy node (kubernetes, pkg/kubelet/nodestatus/setters.go). `now` is in milliseconds since the epoch. */
export function nodeConditions(now: number): readonly JsonObject[] {
  const time = formatTime(now);
  const healthy = [
    ["MemoryPressure", "False", "KubeletHasSufficientMemory", "kubelet has sufficient memory available"],
    ["DiskPressure", "False", "KubeletHasNoDiskPressure", "kubelet has no disk pressure"],
    ["PIDPressure", "False", "KubeletHasSufficientPID", "kubelet has sufficient PID available"],
    ["Ready", "True", "KubeletReady", "kubelet is posting ready status"],
  ] as const;
  return healthy.map(([type, status, reason, message]) => ({
    type,
    status,
    lastHeartbeatTime: time,
    lastTransitionTime: time,
    reason,
    message,
  }));
}

function nodeInfo({ release, gates, machineId }: NodeFacts): JsonObject {
  const version = `v${release}.0`;
  const id = machineId.replaceAll("-", "");
  return {
    machineID: id,
    systemUUID: machineId,
    bootID: machineId,
    kernelVersion: "6.1.0",
    osImage: "kubedouble",
    containerRuntimeVersion: "containerd://2.0.0",
    kubeletVersion: version,
    kubeProxyVersion: gates.isEnabled("DisableNodeKubeProxyVersion") ? "" : version,
    operatingSystem: "linux",
    architecture: "amd64",
  };
}
