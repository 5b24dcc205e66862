import { fieldForbidden, fieldInvalid, fieldRequired } from "../../../apimachinery/errors/field.ts";
import { integerAt, listAt, structAt, textAt } from "../../../apimachinery/fields.ts";
import { type JsonObject, jsonEqual } from "../../../apimachinery/json.ts";
import { jsonKey } from "../../../apimachinery/json-key.ts";
import { withField } from "../../../apimachinery/object-edits.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { index } from "../../../apimachinery/validation/field-path.ts";
import type { Findings } from "../../../apimachinery/validation/findings.ts";
import { inclusiveRange } from "../../../apimachinery/validation/format-messages.ts";
import { dnsSubdomainName } from "../../../apimachinery/validation/names.ts";
import { addMetadataErrors } from "../../../registry/contract/metadata-errors.ts";
import type { StrategyFacts } from "../../../registry/contract/registry-options.ts";
import { podSpecDiff } from "../../internal-types/pod-diff.ts";
import { addAnnotationChanges } from "../../pod-spec/validation/annotations.ts";
import {
  type PodValidationOptions,
  podValidationOptions,
} from "../../pod-spec/validation/pod-validation-options.ts";
import { addTolerations } from "../../pod-spec/validation/scheduling.ts";
import { addGatedChanges } from "./pod-gated-update.ts";
import { addWholePodErrors } from "./pod-validation.ts";

const maxDeadline = 2 ** 31 - 1;
const changeable = [
  "`spec.containers[*].image`",
  "`spec.initContainers[*].image`",
  "`spec.activeDeadlineSeconds`",
  "`spec.tolerations` (only additions to existing tolerations)",
  "`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)",
];

/**
 * Validates an update of a pod, most of whose spec is immutable. Upstream: pkg/apis/core/validation/validation.go,
 * ValidatePodUpdate.
 */
export function addPodUpdateErrors(
  errors: Findings,
  pod: KubeObject,
  old: KubeObject,
  { gates, schema }: StrategyFacts,
): void {
  const options = podValidationOptions(gates, pod.metadata.name ?? "", old);
  addChangedPodErrors(errors, pod, old, options);
  const spec = structAt(pod, "spec");
  const oldSpec = structAt(old, "spec");
  for (const list of ["containers", "initContainers"]) {
    if (addContainerChanges(errors, spec, oldSpec, list) === "stop") return;
  }
  if (addDeadlineChange(errors, spec, oldSpec) === "stop") return;
  addTolerationChanges(errors, listAt(spec, "tolerations"), listAt(oldSpec, "tolerations"), options);
  addGateChanges(errors, listAt(spec, "schedulingGates"), listAt(oldSpec, "schedulingGates"));
  if (jsonEqual(spec, oldSpec)) return;
  const rest = addGatedChanges(errors, withChangesUndone(spec, oldSpec), oldSpec);
  if (jsonEqual(rest, oldSpec)) return;
  const sentence = `pod updates may not change fields other than ${changeable.join(",")}`;
  const diff = podSpecDiff(schema, oldSpec, rest);
  errors.push(fieldForbidden("spec", (since, goTypes) => `${sentence}\n${diff(since, goTypes)}`));
}

/** Validates what all kinds of pod updates share, after their metadata. */
export function addChangedPodErrors(
  errors: Findings,
  pod: KubeObject,
  old: KubeObject,
  options: PodValidationOptions,
): void {
  const rules = { namespaced: true, validateName: dnsSubdomainName };
  addMetadataErrors(errors, pod, rules);
  addWholePodErrors(errors, pod, options);
  addAnnotationChanges(errors, pod, old, "metadata.annotations", options);
}

function addContainerChanges(
  errors: Findings,
  spec: JsonObject,
  old: JsonObject,
  list: string,
): "stop" | undefined {
  const path = `spec.${list}`;
  const containers = listAt(spec, list);
  if (containers.length !== listAt(old, list).length) {
    errors.push(fieldForbidden(path, "pod updates may not add or remove containers"));
    return "stop";
  }
  containers.forEach((container, i) => {
    const image = textAt(container, "image");
    const field = `${index(path, i)}.image`;
    if (image === "") errors.push(fieldRequired(field));
    if (image.trim() === image) return;
    errors.push(fieldInvalid(field, image, "must not have leading or trailing whitespace"));
  });
  return undefined;
}

/** `activeDeadlineSeconds` can be set and decreased. */
function addDeadlineChange(errors: Findings, spec: JsonObject, old: JsonObject): "stop" | undefined {
  const field = "spec.activeDeadlineSeconds";
  const had = old["activeDeadlineSeconds"] !== undefined;
  if (spec["activeDeadlineSeconds"] === undefined) {
    if (had) errors.push(fieldInvalid(field, null, "must not update from a positive integer to nil value"));
    return undefined;
  }
  const seconds = integerAt(spec, "activeDeadlineSeconds");
  if (seconds < 0 || seconds > maxDeadline) {
    errors.push(fieldInvalid(field, seconds, inclusiveRange(0, maxDeadline)));
    return "stop";
  }
  if (!had || seconds <= integerAt(old, "activeDeadlineSeconds")) return undefined;
  errors.push(fieldInvalid(field, seconds, "must be less than or equal to previous value"));
  return "stop";
}

/** Tolerations can be added, and their `tolerationSeconds` can change. */
function addTolerationChanges(
  errors: Findings,
  tolerations: readonly JsonObject[],
  old: readonly JsonObject[],
  options: PodValidationOptions,
): void {
  const keyOf = (toleration: JsonObject) => jsonKey(withField(toleration, "tolerationSeconds", undefined));
  // Most updates leave the list as it was, and share it.
  const before = tolerations === old ? [] : old;
  const keys = new Set(before.length === 0 ? [] : tolerations.map(keyOf));
  if (before.every((toleration) => keys.has(keyOf(toleration))))
    addTolerations(errors, tolerations, "spec.tolerations", options);
  else {
    const detail = "existing toleration can not be modified except its tolerationSeconds";
    errors.push(fieldForbidden("spec.tolerations", detail));
  }
}

function addGateChanges(errors: Findings, gates: readonly JsonObject[], old: readonly JsonObject[]): void {
  const before = new Set(old.map((gate) => textAt(gate, "name")));
  gates.forEach((gate, i) => {
    const name = textAt(gate, "name");
    if (before.has(name)) return;
    const detail = `only deletion is allowed, but found new scheduling gate '${name}'`;
    errors.push(fieldForbidden(`${index("spec.schedulingGates", i)}.name`, detail));
  });
}

/** The new spec with all permitted or separately validated changes undone. */
function withChangesUndone(spec: JsonObject, old: JsonObject): JsonObject {
  let undone = spec;
  for (const list of ["containers", "initContainers"]) {
    const before = listAt(old, list);
    const containers = listAt(spec, list).map((container, i) =>
      withField(container, "image", before[i]?.["image"]),
    );
    if (containers.length > 0) undone = withField(undone, list, containers);
  }
  for (const field of ["activeDeadlineSeconds", "schedulingGates", "tolerations"]) {
    undone = withField(undone, field, old[field]);
  }
  const mends =
    integerAt(old, "terminationGracePeriodSeconds") < 0 &&
    integerAt(spec, "terminationGracePeriodSeconds") === 1;
  return mends
    ? withField(undone, "terminationGracePeriodSeconds", old["terminationGracePeriodSeconds"])
    : undone;
}
