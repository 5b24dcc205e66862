import { type FieldError, fieldInvalid } from "../../../apimachinery/errors/field.ts";
import { listAt, objectAt, textAt } from "../../../apimachinery/fields.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { labelErrors } from "../../../apimachinery/validation/label-errors.ts";
import { dnsLabelMessages } from "../../../apimachinery/validation/names.ts";
import type { Findings } from "../../findings/findings.ts";
import { addTolerations } from "../../pod-spec/validation/scheduling.ts";
import { addContainerResources } from "../../quantities/resources.ts";

/** The errors in a RuntimeClass. Upstream: pkg/apis/node/validation/validation.go, ValidateRuntimeClass. */
export function runtimeClassErrors(runtimeClass: KubeObject): readonly FieldError[] {
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
