import type { MutableJsonObject } from "../../../apimachinery/json.ts";
import { all, type Defaulter, inStruct, sentStruct, whenZero } from "../../defaulting/defaulter.ts";

export const namespaceDefaults: Defaulter = all(
  inStruct("status", whenZero({ phase: "Active" })),
  labelWithName,
);

/** Adds the label `kubernetes.io/metadata.name`. For a generated name, the strategy adds it. */
function labelWithName(namespace: MutableJsonObject): void {
  const metadata = sentStruct(namespace, "metadata");
  const name = metadata?.["name"];
  if (metadata === undefined || typeof name !== "string" || name === "") return;
  metadata["labels"] = { ...sentStruct(metadata, "labels"), "kubernetes.io/metadata.name": name };
}
