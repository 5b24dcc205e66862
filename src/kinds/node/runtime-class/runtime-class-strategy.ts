import { type FieldError, fieldInvalid } from "../../../apimachinery/errors/field.ts";
import { listAt, objectAt, textAt } from "../../../apimachinery/fields.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { labelErrors } from "../../../apimachinery/validation/label-errors.ts";
import { dnsLabelMessages } from "../../../apimachinery/validation/names.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import { validateAsNew } from "../../../registry/contract/validate-as-new.ts";
import type { Findings } from "../../findings/findings.ts";
import { addTolerations } from "../../pod-spec/validation/scheduling.ts";
import { nodeLabelDeprecation } from "../../pod-spec/warnings/node-label-warnings.ts";
import { addContainerResources } from "../../quantities/resources.ts";

/** The strategy of RuntimeClasses, whose handler is immutable. */
export function runtimeClassStrategy(base: Strategy): Strategy {
  const strategy: Strategy = {
    ...base,
    metadataChecks: { create: "library", update: "library" },
    validate: runtimeClassErrors,
    warningsOnCreate: selectorWarnings,
    warningsOnUpdate: selectorWarnings,
    validateUpdate: (runtimeClass, old) => {
      const handler = textAt(runtimeClass, "handler");
      if (handler === textAt(old, "handler")) return [];
      return [fieldInvalid("handler", handler, "field is immutable")];
    },
  };
  return validateAsNew(strategy, "Cluster");
}

/** The warnings for deprecated node labels. */
function selectorWarnings(runtimeClass: KubeObject): readonly string[] {
  return Object.keys(objectAt(runtimeClass, "scheduling", "nodeSelector") ?? {}).flatMap((label) => {
    const deprecation = nodeLabelDeprecation(label);
    return deprecation === undefined ? [] : [`scheduling.nodeSelector: ${deprecation}`];
  });
}

function runtimeClassErrors(runtimeClass: KubeObject): readonly FieldError[] {
  const handler = textAt(runtimeClass, "handler");
  const errors: Findings = dnsLabelMessages(handler).map((message) =>
    fieldInvalid("handler", handler, message),
  );
  const overhead = objectAt(runtimeClass, "overhead", "podFixed");
  if (overhead !== undefined) {
    addContainerResources(errors, { limits: overhead }, "overhead", {
      claimNames: new Set(),
      allowsIndivisibleHugePages: false,
    });
  }
  const scheduling = objectAt(runtimeClass, "scheduling") ?? {};
  const nodeSelector = Object.entries(objectAt(scheduling, "nodeSelector") ?? {});
  const labels = Object.fromEntries(nodeSelector.map(([key, value]) => [key, String(value)]));
  errors.push(...labelErrors(labels, "scheduling.nodeSelector"));
  addTolerations(errors, listAt(scheduling, "tolerations"), "scheduling.tolerations");
  return errors;
}
