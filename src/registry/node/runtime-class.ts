import { type FieldError, fieldInvalid } from "../../apimachinery/field.ts";
import { listAt, objectAt, textAt } from "../../apimachinery/fields.ts";
import { labelErrors } from "../../apimachinery/label-errors.ts";
import { dnsLabelMessages } from "../../apimachinery/names.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { Findings } from "../core/pod-spec-validation/findings.ts";
import { addContainerResources } from "../core/pod-spec-validation/resources.ts";
import { addTolerations } from "../core/pod-spec-validation/scheduling.ts";
import type { Strategy } from "../strategy.ts";

/** RuntimeClasses name a handler on nodes, for good. */
export function runtimeClassStrategy(base: Strategy): Strategy {
  return {
    ...base,
    validate: runtimeClassErrors,
    validateUpdate: (runtimeClass, old) => {
      const handler = textAt(runtimeClass, "handler");
      if (handler === textAt(old, "handler")) return [];
      return [fieldInvalid("handler", handler, "field is immutable")];
    },
  };
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
