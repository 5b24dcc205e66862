import { type FieldError, fieldInvalid } from "../../apimachinery/field.ts";
import { listAt, objectAt, textAt } from "../../apimachinery/fields.ts";
import { labelErrors } from "../../apimachinery/label-errors.ts";
import { dnsLabelMessages } from "../../apimachinery/names.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { checkedAnew } from "../checked-anew.ts";
import type { Findings } from "../core/pod-spec-validation/findings.ts";
import { addContainerResources } from "../core/pod-spec-validation/resources.ts";
import { addTolerations } from "../core/pod-spec-validation/scheduling.ts";
import { nodeLabelDeprecation } from "../core/pod-warnings/node-label-warnings.ts";
import type { Strategy } from "../strategy.ts";

/** RuntimeClasses name a handler on nodes, for good. */
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
  return checkedAnew(strategy, false);
}

/** Labels of nodes that are no longer what they were. */
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
