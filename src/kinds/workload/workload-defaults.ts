import type { MutableJsonObject } from "../../apimachinery/json.ts";
import type { FeatureGates } from "../../catalog/feature-gates.ts";
import {
  all,
  type Defaulter,
  each,
  inStruct,
  sentStruct,
  whenUnset,
  whenZero,
} from "../defaulting/defaulter.ts";
import { persistentVolumeClaimDefaults } from "../pod-spec/defaults/persistent-volume-claim-defaults.ts";
import { podTemplateDefaults } from "../pod-spec/defaults/pod-spec-defaults.ts";

/** The parameters of a strategy of type RollingUpdate. */
export function whenRolling(...defaulters: readonly Defaulter[]): Defaulter {
  const fill = inStruct("rollingUpdate", ...defaulters);
  return (strategy) => {
    if (strategy["type"] === "RollingUpdate") fill(strategy);
  };
}

/** Deployment of apps/v1 and apps/v1beta2 */
export const deploymentDefaults: Defaulter = inStruct(
  "spec",
  whenUnset({ replicas: 1, revisionHistoryLimit: 10, progressDeadlineSeconds: 600 }),
  inStruct(
    "strategy",
    whenZero({ type: "RollingUpdate" }),
    whenRolling(whenUnset({ maxUnavailable: "25%", maxSurge: "25%" })),
  ),
  podTemplateDefaults,
);

/** ReplicaSet of apps/v1 and apps/v1beta2 */
export const replicaSetDefaults: Defaulter = inStruct(
  "spec",
  whenUnset({ replicas: 1 }),
  podTemplateDefaults,
);

/** DaemonSet of apps/v1 and apps/v1beta2 */
export const daemonSetDefaults: Defaulter = all(
  // Upstream does this in conversion: a field of its internal type is an annotation here.
  inStruct(
    "metadata",
    inStruct("annotations", whenUnset({ "deprecated.daemonset.template.generation": "0" })),
  ),
  inStruct(
    "spec",
    whenUnset({ revisionHistoryLimit: 10 }),
    inStruct(
      "updateStrategy",
      whenZero({ type: "RollingUpdate" }),
      whenRolling(whenUnset({ maxUnavailable: 1, maxSurge: 0 })),
    ),
    podTemplateDefaults,
  ),
);

/** What the spec of a StatefulSet gets in every version. */
export const statefulSetSpecDefaults: Defaulter = all(
  whenZero({ podManagementPolicy: "OrderedReady" }),
  whenUnset({ replicas: 1, revisionHistoryLimit: 10 }),
  inStruct("persistentVolumeClaimRetentionPolicy", whenZero({ whenDeleted: "Retain", whenScaled: "Retain" })),
  inStruct("updateStrategy", partitionWhenRolling),
  podTemplateDefaults,
  each("volumeClaimTemplates", ofClaimKind, persistentVolumeClaimDefaults),
);

/** StatefulSet of apps/v1 and apps/v1beta2 */
export function statefulSetDefaults(statefulSet: MutableJsonObject, gates: FeatureGates): void {
  ofStatefulSet(statefulSet);
  if (gates.isEnabled("MaxUnavailableStatefulSet")) oneUnavailable(statefulSet);
}

const ofStatefulSet = inStruct(
  "spec",
  inStruct("updateStrategy", rollingUnlessSaid),
  statefulSetSpecDefaults,
);

const oneUnavailable = inStruct(
  "spec",
  inStruct("updateStrategy", (strategy) => {
    const parameters = sentStruct(strategy, "rollingUpdate");
    if (strategy["type"] === "RollingUpdate" && parameters) parameters["maxUnavailable"] ??= 1;
  }),
);

/** Only a type that was left out brings the parameters with it. */
function rollingUnlessSaid(strategy: MutableJsonObject): void {
  if (strategy["type"]) return;
  strategy["type"] = "RollingUpdate";
  strategy["rollingUpdate"] ??= {};
}

function partitionWhenRolling(strategy: MutableJsonObject): void {
  const parameters = sentStruct(strategy, "rollingUpdate");
  if (strategy["type"] === "RollingUpdate" && parameters) parameters["partition"] ??= 0;
}

/** Upstream does this in conversion, whatever the template says it is. */
function ofClaimKind(template: MutableJsonObject): void {
  template["kind"] = "PersistentVolumeClaim";
  template["apiVersion"] = "v1";
}
