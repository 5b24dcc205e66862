import { structAt } from "../../apimachinery/fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { type GatedFields, gatedField } from "../../registry/contract/gated-fields.ts";
import type { Findings } from "../findings/findings.ts";
import { addNonnegativeFields, addUnlessAmong } from "./number-fields.ts";

/** What gates keep out of the status of a Deployment or a ReplicaSet. */
export const gatedStatusFields: readonly GatedFields[] = [
  gatedField("DeploymentReplicaSetTerminatingReplicas", "status", "terminatingReplicas"),
];

/** What is wrong with the status of a ReplicaSet or a ReplicationController. */
export function replicaStatusErrors(controller: KubeObject): Findings {
  const errors: Findings = [];
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
  addUnlessAmongReplicas(errors, status, ["fullyLabeledReplicas", "readyReplicas", "availableReplicas"]);
  return errors;
}

/** These are among the replicas, and those that are available among those that are ready. */
export function addUnlessAmongReplicas(errors: Findings, status: JsonObject, parts: readonly string[]): void {
  addUnlessAmong(errors, status, "replicas", parts, "cannot be greater than status.replicas");
  const available = ["availableReplicas"];
  addUnlessAmong(errors, status, "readyReplicas", available, "cannot be greater than readyReplicas");
}
