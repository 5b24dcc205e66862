import { child, index } from "../../apimachinery/field-path.ts";
import { listAt, objectAt, valueAt } from "../../apimachinery/fields.ts";
import type { MutableJsonObject } from "../../apimachinery/json.ts";
import { dnsLabelName } from "../../apimachinery/names.ts";
import { type KubeObject, type MutableKubeObject, section } from "../../apimachinery/object-meta.ts";
import { claimSpecWarnings } from "../core/claim-spec-warnings.ts";
import { changed, withGeneration } from "../default-strategy.ts";
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

const claimTemplates = "spec.volumeClaimTemplates";

/** StatefulSets keep most of their spec; their name is part of the host names of their pods. */
export function statefulSetStrategy(base: Strategy, { gates }: StrategyFacts): Strategy {
  const gated = withGatedTemplate(base, gates);
  return {
    ...withGeneration(base, changed("spec")),
    validateName: dnsLabelName,
    prepareForCreate: (object, context) => {
      gated.prepareForCreate(object, context);
      dropDisabledFields(object, undefined);
    },
    validate: (object) => statefulSetErrors(object, gates),
    warningsOnCreate: (object) => [
      ...newTemplateWarnings(object, gates),
      ...claimWarnings(object, (position) => index(claimTemplates, position)),
    ],
    prepareForUpdate: (object, old, context) => {
      gated.prepareForUpdate(object, old, context);
      dropDisabledFields(object, old);
    },
    validateUpdate: (object, old) => statefulSetUpdateErrors(object, old, gates),
    warningsOnUpdate: (object, old) => [
      ...templateWarnings(object, old, gates),
      // Upstream's path, capital letter and all.
      ...claimWarnings(object, (position) => child(index(claimTemplates, position), "Spec")),
    ],
  };
}

/** `/status` of a StatefulSet counts pods among pods. */
export function statefulSetStatusStrategy(base: Strategy): Strategy {
  return { ...statusStrategy(base), validateUpdate: statefulSetStatusErrors };
}

/** How many pods may be missing in an update is behind a gate, MaxUnavailableStatefulSet; who has it may keep it. */
function dropDisabledFields(statefulSet: MutableKubeObject, old: KubeObject | undefined): void {
  const path = ["spec", "updateStrategy", "rollingUpdate"] as const;
  if (old !== undefined && valueAt(old, ...path, "maxUnavailable") !== undefined) return;
  const rollingUpdate = objectAt(statefulSet, ...path);
  // The object is the request's own until it is stored.
  if (rollingUpdate !== undefined) delete (rollingUpdate as MutableJsonObject)["maxUnavailable"];
}

function claimWarnings(statefulSet: KubeObject, pathOf: (position: number) => string): readonly string[] {
  return listAt(statefulSet, "spec", "volumeClaimTemplates").flatMap((claim, position) =>
    claimSpecWarnings(section(claim, "spec"), pathOf(position)),
  );
}
