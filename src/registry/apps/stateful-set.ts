import { child, index } from "../../apimachinery/field-path.ts";
import { integerAt, listAt } from "../../apimachinery/fields.ts";
import { dnsLabelName } from "../../apimachinery/names.ts";
import { type KubeObject, section } from "../../apimachinery/object-meta.ts";
import type { FeatureGates } from "../../catalog/feature-gates.ts";
import { claimSpecWarnings } from "../core/claim-spec-warnings.ts";
import { changed, withGeneration } from "../default-strategy.ts";
import { gatedField, withGatedFields } from "../gated-fields.ts";
import type { StrategyFacts } from "../registry-options.ts";
import type { Strategy } from "../strategy.ts";
import { statusStrategy } from "../subresource/status.ts";
import { withGatedTemplate } from "./gated-template.ts";
import {
  statefulSetErrors,
  statefulSetStatusErrors,
  statefulSetUpdateErrors,
} from "./stateful-set-validation.ts";
import { newTemplateWarnings, templateWarnings } from "./template-warnings.ts";

const gatedFields = [
  gatedField("MaxUnavailableStatefulSet", "spec", "updateStrategy", "rollingUpdate", "maxUnavailable"),
  gatedField("StatefulSetAutoDeletePVC", "spec", "persistentVolumeClaimRetentionPolicy"),
  gatedField("StatefulSetMinReadySeconds", "spec", "minReadySeconds"),
  gatedField("StatefulSetStartOrdinal", "spec", "ordinals"),
];

const claimTemplates = "spec.volumeClaimTemplates";

/** StatefulSets keep most of their spec; their name is part of the host names of their pods. */
export function statefulSetStrategy(base: Strategy, { gates }: StrategyFacts): Strategy {
  const gated = withGatedFields(withGatedTemplate(base, gates), gates, gatedFields);
  return {
    ...withGeneration(gated, changed("spec")),
    validateName: dnsLabelName,
    validate: (object) => statefulSetErrors(object, gates),
    warningsOnCreate: (object) => [
      ...newTemplateWarnings(object, gates),
      ...claimWarnings(object, (position) => index(claimTemplates, position)),
      ...historyWarnings(object, gates),
    ],
    validateUpdate: (object, old) => statefulSetUpdateErrors(object, old, gates),
    warningsOnUpdate: (object, old) => [
      ...templateWarnings(object, old, gates),
      // Upstream's path, capital letter and all.
      ...claimWarnings(object, (position) => child(index(claimTemplates, position), "Spec")),
      ...historyWarnings(object, gates),
    ],
  };
}

/** `/status` of a StatefulSet counts pods among pods. */
export function statefulSetStatusStrategy(base: Strategy): Strategy {
  return { ...statusStrategy(base), validateUpdate: statefulSetStatusErrors };
}

function claimWarnings(statefulSet: KubeObject, pathOf: (position: number) => string): readonly string[] {
  return listAt(statefulSet, "spec", "volumeClaimTemplates").flatMap((claim, position) =>
    claimSpecWarnings(section(claim, "spec"), pathOf(position)),
  );
}

function historyWarnings(statefulSet: KubeObject, { minor }: FeatureGates): readonly string[] {
  if (minor < 33 || integerAt(statefulSet, "spec", "revisionHistoryLimit") >= 0) return [];
  const fate = "a negative value retains all historical revisions; a value >= 0 is recommended";
  return [`spec.revisionHistoryLimit: ${fate}`];
}
