import { integerAt, listAt, structAt } from "../../../apimachinery/fields.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { child, index } from "../../../apimachinery/validation/field-path.ts";
import { dnsLabelName } from "../../../apimachinery/validation/names.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";
import { changed, withGeneration } from "../../../registry/contract/default-strategy.ts";
import { gatedField, withGatedFields } from "../../../registry/contract/gated-fields.ts";
import type { StrategyFacts } from "../../../registry/contract/registry-options.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import { statusStrategy } from "../../../registry/subresources/status.ts";
import { claimSpecWarnings } from "../../pod-spec/warnings/claim-spec-warnings.ts";
import { withGatedTemplate } from "../../workload/gated-template.ts";
import { newTemplateWarnings, templateWarnings } from "../../workload/template-warnings.ts";
import {
  addStatefulSetErrors,
  addStatefulSetStatusErrors,
  addStatefulSetUpdateErrors,
} from "./stateful-set-validation.ts";

const gatedFields = [
  gatedField("MaxUnavailableStatefulSet", "spec", "updateStrategy", "rollingUpdate", "maxUnavailable"),
  gatedField("StatefulSetAutoDeletePVC", "spec", "persistentVolumeClaimRetentionPolicy"),
  gatedField("StatefulSetMinReadySeconds", "spec", "minReadySeconds"),
  gatedField("StatefulSetStartOrdinal", "spec", "ordinals"),
];

const claimTemplates = "spec.volumeClaimTemplates";

/** The strategy of StatefulSets. Their name is a DNS label, as it is part of the hostnames of their pods. */
export function statefulSetStrategy(base: Strategy, { gates }: StrategyFacts): Strategy {
  const gated = withGatedFields(withGatedTemplate(base, gates), gates, gatedFields);
  return {
    ...withGeneration(gated, changed("spec")),
    validateName: dnsLabelName,
    validate: (errors, object) => addStatefulSetErrors(errors, object, gates),
    warningsOnCreate: (object) => [
      ...newTemplateWarnings(object, gates),
      ...claimWarnings(object, (position) => index(claimTemplates, position)),
      ...historyWarnings(object, gates),
    ],
    validateUpdate: (errors, object, old) => addStatefulSetUpdateErrors(errors, object, old, gates),
    warningsOnUpdate: (object, old) => [
      ...templateWarnings(object, old, gates),
      // The capital letter is in upstream's path.
      ...claimWarnings(object, (position) => child(index(claimTemplates, position), "Spec")),
      ...historyWarnings(object, gates),
    ],
  };
}

/** The strategy of `/status`. */
export function statefulSetStatusStrategy(base: Strategy): Strategy {
  return {
    ...statusStrategy(base),
    validateUpdate: addStatefulSetStatusErrors,
  };
}

function claimWarnings(statefulSet: KubeObject, pathOf: (position: number) => string): readonly string[] {
  return listAt(statefulSet, "spec", "volumeClaimTemplates").flatMap((claim, position) =>
    claimSpecWarnings(structAt(claim, "spec"), pathOf(position)),
  );
}

function historyWarnings(statefulSet: KubeObject, { since }: FeatureGates): readonly string[] {
  if (!since("1.33") || integerAt(statefulSet, "spec", "revisionHistoryLimit") >= 0) return [];
  const advice = "a negative value retains all historical revisions; a value >= 0 is recommended";
  return [`spec.revisionHistoryLimit: ${advice}`];
}
