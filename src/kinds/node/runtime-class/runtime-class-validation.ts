import { listAt, objectAt, textAt } from "../../../apimachinery/fields.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { addInvalid, type Findings } from "../../../apimachinery/validation/findings.ts";
import { addLabelErrors } from "../../../apimachinery/validation/label-errors.ts";
import { dnsLabelMessages } from "../../../apimachinery/validation/names.ts";
import { addTolerations } from "../../pod-spec/validation/scheduling.ts";
import { addContainerResources } from "../../quantities/resources.ts";

/** Adds the errors in a RuntimeClass. Upstream: pkg/apis/node/validation/validation.go, ValidateRuntimeClass. */
export function addRuntimeClassErrors(errors: Findings, runtimeClass: KubeObject): void {
  const handler = textAt(runtimeClass, "handler");
  addInvalid(errors, "handler", handler, dnsLabelMessages(handler));
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
  addLabelErrors(errors, labels, "scheduling.nodeSelector");
  addTolerations(errors, listAt(scheduling, "tolerations"), "scheduling.tolerations");
}
