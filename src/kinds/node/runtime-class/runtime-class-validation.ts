import { fieldDuplicate } from "../../../apimachinery/errors/field.ts";
import { listAt, objectAt, textAt } from "../../../apimachinery/fields.ts";
import { plainValue } from "../../../apimachinery/go/go-value.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { child, index } from "../../../apimachinery/validation/field-path.ts";
import { addInvalid, type Findings } from "../../../apimachinery/validation/findings.ts";
import { addLabelErrors } from "../../../apimachinery/validation/label-errors.ts";
import { dnsLabelMessages } from "../../../apimachinery/validation/names.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";
import { addTolerations } from "../../pod-spec/validation/scheduling.ts";
import { addContainerResources } from "../../quantities/resources.ts";

const listKeys = ["key", "operator", "value", "effect"];

/** Adds the errors in a RuntimeClass. Upstream: pkg/apis/node/validation/validation.go, ValidateRuntimeClass. */
export function addRuntimeClassErrors(errors: Findings, runtimeClass: KubeObject, gates: FeatureGates): void {
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
  addClassTolerations(errors, listAt(scheduling, "tolerations"), gates);
}

/** Tolerations with the same list keys are duplicates, whatever their other fields are. */
function addClassTolerations(
  errors: Findings,
  tolerations: readonly JsonObject[],
  gates: FeatureGates,
): void {
  const path = "scheduling.tolerations";
  // Upstream named the field twice.
  const field = gates.since("1.35") ? path : child(path, "tolerations");
  const allowsComparisons = gates.isEnabled("TaintTolerationComparisonOperators");
  addTolerations(errors, tolerations, field, { gates, allowsComparisons });
  const seen = new Set<string>();
  for (const [i, toleration] of tolerations.entries()) {
    const listKey = JSON.stringify(listKeys.map((name) => textAt(toleration, name)));
    if (seen.has(listKey))
      errors.push(fieldDuplicate(index(path, i), plainValue("core.Toleration", toleration)));
    seen.add(listKey);
  }
}
