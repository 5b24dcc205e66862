import { structAt } from "../../apimachinery/fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { Findings } from "../../apimachinery/validation/findings.ts";
import { type GatedFields, gatedField } from "../../registry/contract/gated-fields.ts";
import { addIfAboveCount, addNonnegativeFields } from "./number-fields.ts";

/** Fields behind feature gates in the status of a Deployment or a ReplicaSet. */
export const gatedStatusFields: readonly GatedFields[] = [
  gatedField("DeploymentReplicaSetTerminatingReplicas", "status", "terminatingReplicas"),
];

/** Adds the errors in the status of a ReplicaSet or a ReplicationController. */
export function addReplicaStatusErrors(errors: Findings, controller: KubeObject): void {
  const status = structAt(controller, "status");
  const counts = [
    "replicas",
    "fullyLabeledReplicas",
    "readyReplicas",
    "availableReplicas",
    "observedGeneration",
    "terminatingReplicas",
  ];
  addNonnegativeFields(errors, status, "status", counts);
  addIfAboveReplicas(errors, status, ["fullyLabeledReplicas", "readyReplicas", "availableReplicas"]);
}

/** `counts` must not be above `replicas`, nor `availableReplicas` above `readyReplicas`. */
export function addIfAboveReplicas(errors: Findings, status: JsonObject, counts: readonly string[]): void {
  addIfAboveCount(errors, status, "replicas", counts, "cannot be greater than status.replicas");
  const available = ["availableReplicas"];
  addIfAboveCount(errors, status, "readyReplicas", available, "cannot be greater than readyReplicas");
}
