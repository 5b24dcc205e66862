import type { MutableJsonObject } from "../../../apimachinery/json.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";
import {
  all,
  type Defaulter,
  each,
  inStruct,
  sentStruct,
  whenUnset,
  whenZero,
} from "../../defaulting/defaulter.ts";
import { persistentVolumeClaimDefaults } from "../../pod-spec/defaults/persistent-volume-claim-defaults.ts";
import { podTemplateDefaults } from "../../pod-spec/defaults/pod-spec-defaults.ts";
import { selectorAndLabelsFromTemplate } from "../../workload/template-labels.ts";

const claimRetentionDefaults: Defaulter = inStruct(
  "spec",
  inStruct("persistentVolumeClaimRetentionPolicy", whenZero({ whenDeleted: "Retain", whenScaled: "Retain" })),
);

const specDefaults: Defaulter = all(
  whenZero({ podManagementPolicy: "OrderedReady" }),
  whenUnset({ replicas: 1, revisionHistoryLimit: 10 }),
  inStruct("updateStrategy", sentRollingUpdateDefaults("partition", 0)),
  podTemplateDefaults,
  each("volumeClaimTemplates", claimTypeMeta, persistentVolumeClaimDefaults),
);

const currentDefaults: Defaulter = inStruct("spec", inStruct("updateStrategy", strategyType), specDefaults);

const maxUnavailableDefaults: Defaulter = inStruct(
  "spec",
  inStruct("updateStrategy", sentRollingUpdateDefaults("maxUnavailable", 1)),
);

/** StatefulSet of apps/v1 and apps/v1beta2. Upstream: pkg/apis/apps/v1/defaults.go, SetDefaults_StatefulSet. */
export function statefulSetDefaults(statefulSet: MutableJsonObject, gates: FeatureGates): void {
  currentDefaults(statefulSet);
  if (gates.isEnabled("StatefulSetAutoDeletePVC")) claimRetentionDefaults(statefulSet);
  if (gates.isEnabled("MaxUnavailableStatefulSet")) maxUnavailableDefaults(statefulSet);
}

/** StatefulSet of apps/v1beta1. Upstream: pkg/apis/apps/v1beta1/defaults.go, SetDefaults_StatefulSet. */
export const appsBetaStatefulSetDefaults: Defaulter = all(
  selectorAndLabelsFromTemplate,
  inStruct("spec", inStruct("updateStrategy", whenZero({ type: "OnDelete" })), specDefaults),
);

/** The default type adds an empty `rollingUpdate`; a type that was sent does not. */
function strategyType(strategy: MutableJsonObject): void {
  if (strategy["type"]) return;
  strategy["type"] = "RollingUpdate";
  strategy["rollingUpdate"] ??= {};
}

/** The default of a field of `rollingUpdate`, where that is set and the type is RollingUpdate. */
function sentRollingUpdateDefaults(field: string, value: number): Defaulter {
  return (strategy) => {
    const rollingUpdate = sentStruct(strategy, "rollingUpdate");
    if (strategy["type"] === "RollingUpdate" && rollingUpdate) rollingUpdate[field] ??= value;
  };
}

const claimType = [
  ["kind", "PersistentVolumeClaim"],
  ["apiVersion", "v1"],
] as const;

/** Upstream's conversion overwrites the kind and the version of a claim template. */
function claimTypeMeta(template: MutableJsonObject): void {
  for (const [field, value] of claimType) if (template[field] !== value) template[field] = value;
}
