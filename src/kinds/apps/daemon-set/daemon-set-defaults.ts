import type { MutableJsonObject } from "../../../apimachinery/json.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";
import { all, type Defaulter, inStruct, whenUnset, whenZero } from "../../defaulting/defaulter.ts";
import { podTemplateDefaults } from "../../pod-spec/defaults/pod-spec-defaults.ts";
import { rollingUpdateDefaults } from "../../workload/rolling-update-defaults.ts";
import { selectorAndLabelsFromTemplate } from "../../workload/template-labels.ts";

/** DaemonSet of apps/v1 and apps/v1beta2. Upstream: pkg/apis/apps/v1/defaults.go, SetDefaults_DaemonSet. */
export function daemonSetDefaults(daemonSet: MutableJsonObject, gates: FeatureGates): void {
  defaultsOfAllReleases(daemonSet);
  if (gates.isEnabled("DaemonSetUpdateSurge")) surgeDefaults(daemonSet);
}

const surgeDefaults: Defaulter = inStruct(
  "spec",
  inStruct("updateStrategy", rollingUpdateDefaults(whenUnset({ maxSurge: 0 }))),
);

const defaultsOfAllReleases: Defaulter = all(
  // Upstream sets this in its conversion: the internal type has a field where apps/v1 has an annotation.
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
      rollingUpdateDefaults(whenUnset({ maxUnavailable: 1 })),
    ),
    podTemplateDefaults,
  ),
);

/** DaemonSet of extensions/v1beta1. Upstream: pkg/apis/extensions/v1beta1/defaults.go, SetDefaults_DaemonSet. */
export const extensionsDaemonSetDefaults: Defaulter = all(
  selectorAndLabelsFromTemplate,
  inStruct(
    "spec",
    whenUnset({ revisionHistoryLimit: 10 }),
    inStruct(
      "updateStrategy",
      whenZero({ type: "OnDelete" }),
      rollingUpdateDefaults(whenUnset({ maxUnavailable: 1 })),
    ),
    podTemplateDefaults,
  ),
);
