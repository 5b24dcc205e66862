import { isJsonObject, type JsonObject, type JsonValue } from "../apimachinery/json.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import { checkOptions, type OptionType, type OptionTypes } from "../apimachinery/option-checks.ts";
import { text } from "../apimachinery/option-types.ts";
import { simulatedProviderId } from "../apimachinery/simulated-node.ts";
import type { ClusterClient } from "./client.ts";
import { amount } from "./metric-option-types.ts";

/** A node of a simulated cluster. */
export interface NodeOptions {
  readonly name: string;
  /** Its resources, such as `{ cpu: "4", "nvidia.com/gpu": "2" }`. Default: 8 cores, 32Gi of memory, 100Gi of storage and 110 pods. */
  readonly capacity?: { readonly [resource: string]: string | number };
  /** Labels besides those that a kubelet sets. */
  readonly labels?: { readonly [label: string]: string };
  readonly taints?: readonly NodeTaint[];
}

/** A taint that keeps pods away from a node. */
export interface NodeTaint {
  readonly key: string;
  readonly value?: string;
  readonly effect: "NoSchedule" | "PreferNoSchedule" | "NoExecute";
}

/** The cluster that gets a node. */
interface NodeCluster extends Pick<ClusterClient, "create" | "get"> {
  settle(): Promise<void>;
}

function map(accepts: string, isValue: (value: JsonValue) => boolean): OptionType {
  // What is given is looked at value by value.
  const isValid = (value: unknown) =>
    isJsonObject(value as JsonValue) && Object.values(value as JsonObject).every(isValue);
  return { accepts, isValid };
}

const nodeOptionTypes: OptionTypes = {
  name: { ...text, isRequired: true },
  capacity: map('quantities by resource, such as { cpu: "4" }', (value) =>
    amount.isValid(typeof value === "number" ? String(value) : value),
  ),
  labels: map("text by label", (value) => typeof value === "string"),
  taints: {
    accepts: 'a list of taints, such as { key: "gpu", effect: "NoSchedule" }',
    // What is given is looked at value by value.
    isValid: (value) => Array.isArray(value) && value.every((taint) => isJsonObject(taint as JsonValue)),
  },
};

const required: OptionType = { ...text, isRequired: true };
/** The server says which effects there are. */
const taintTypes: OptionTypes = { key: required, value: text, effect: required };

/** Creates a Node whose kubelet this process simulates, and waits until it has started. @throws {TypeError | StatusError} for options that do not make a node */
export async function addNode(options: NodeOptions, cluster: NodeCluster): Promise<KubeObject> {
  checkOptions("addNode", options, nodeOptionTypes);
  const { name, capacity = {}, labels = {}, taints = [] } = options;
  for (const taint of taints) checkOptions("addNode: taints", taint, taintTypes);
  const quantities = Object.entries(capacity).map(([resource, amount]) => [resource, String(amount)]);
  await cluster.create({
    apiVersion: "v1",
    kind: "Node",
    metadata: { name, labels: { ...labels } },
    spec: { providerID: simulatedProviderId(name), taints: taints.map((taint) => ({ ...taint })) },
    status: { capacity: Object.fromEntries(quantities) },
  });
  await cluster.settle();
  return cluster.get<KubeObject>("v1", "Node", name);
}
