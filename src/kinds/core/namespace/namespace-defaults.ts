import type { MutableJsonObject } from "../../../apimachinery/json.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";
import { type Defaulter, inStruct, sentStruct, whenZero } from "../../defaulting/defaulter.ts";

const statusDefaults: Defaulter = inStruct("status", whenZero({ phase: "Active" }));

/** Upstream: pkg/apis/core/v1/defaults.go, SetDefaults_Namespace. */
export function namespaceDefaults(namespace: MutableJsonObject, { isEnabled }: FeatureGates): void {
  statusDefaults(namespace);
  if (isEnabled("NamespaceDefaultLabelName")) labelWithName(namespace);
}

/** Adds the label `kubernetes.io/metadata.name`. For a generated name, the strategy adds it. */
function labelWithName(namespace: MutableJsonObject): void {
  const metadata = sentStruct(namespace, "metadata");
  const name = metadata?.["name"];
  if (metadata === undefined || typeof name !== "string" || name === "") return;
  metadata["labels"] = { ...sentStruct(metadata, "labels"), "kubernetes.io/metadata.name": name };
}
