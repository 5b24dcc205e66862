import {
  fieldDuplicate,
  fieldInvalid,
  fieldRequired,
  fieldTooMany,
} from "../../../apimachinery/errors/field.ts";
import { listAt, numberAt, objectAt, structAt, textAt, valueAt } from "../../../apimachinery/fields.ts";
import { plainValue, typedValue } from "../../../apimachinery/go/go-value.ts";
import { type JsonObject, jsonEqual } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { child, index } from "../../../apimachinery/validation/field-path.ts";
import { addLabel, type Findings } from "../../../apimachinery/validation/findings.ts";
import { repeats } from "../../../apimachinery/validation/repeats.ts";
import { addControllerErrors } from "./workload-validation.ts";

const groupsField = "spec.podGroups";
const mostGroups = 8;
const oneOf = "exactly one of `basic`, `gang` is required";

/** Validates a new Workload of 1.35, which lists pod groups. Upstream: pkg/apis/scheduling/validation/validation.go of 1.35. */
export function addEarlyWorkloadErrors(errors: Findings, workload: KubeObject): void {
  const spec = structAt(workload, "spec");
  const controller = objectAt(spec, "controllerRef");
  if (controller !== undefined) addControllerErrors(errors, controller);
  const groups = listAt(spec, "podGroups");
  if (groups.length === 0) errors.push(fieldRequired(groupsField, "must have at least one item"));
  else if (groups.length > mostGroups) errors.push(fieldTooMany(groupsField, groups.length, mostGroups));
  else addGroupErrors(errors, groups);
}

function addGroupErrors(errors: Findings, groups: readonly JsonObject[]): void {
  const isRepeated = repeats(groups.map((group) => textAt(group, "name")));
  for (const [i, group] of groups.entries()) {
    const at = index(groupsField, i);
    const name = textAt(group, "name");
    addLabel(errors, name, child(at, "name"));
    if (isRepeated[i]) errors.push(fieldDuplicate(child(at, "name"), name));
    addPolicyErrors(errors, structAt(group, "policy"), child(at, "policy"));
  }
}

function addPolicyErrors(errors: Findings, policy: JsonObject, at: string): void {
  const [basic, gang] = [objectAt(policy, "basic"), objectAt(policy, "gang")];
  if (basic === undefined && gang === undefined) errors.push(fieldRequired(at, oneOf));
  else if (basic !== undefined && gang !== undefined)
    errors.push(fieldInvalid(at, "{`basic`, `gang`}", `${oneOf}, but multiple fields are set`));
  else if (gang !== undefined && numberAt(gang, "minCount") <= 0) {
    const count = numberAt(gang, "minCount");
    errors.push(fieldInvalid(child(at, "gang", "minCount"), count, "must be greater than zero"));
  }
}

/** Validates a changed Workload of 1.35. Upstream leaves out `spec` where it names what is immutable. */
export function addEarlyWorkloadUpdateErrors(errors: Findings, workload: KubeObject, old: KubeObject): void {
  addEarlyWorkloadErrors(errors, workload);
  const controller = valueAt(workload, "spec", "controllerRef");
  const before = objectAt(old, "spec", "controllerRef");
  if (before !== undefined && !jsonEqual(controller ?? null, before)) {
    const shown = typedValue("scheduling.TypedLocalObjectReference", controller);
    errors.push(fieldInvalid("controllerRef", shown, "field is immutable"));
  }
  const groups = valueAt(workload, "spec", "podGroups");
  if (jsonEqual(groups ?? null, valueAt(old, "spec", "podGroups") ?? null)) return;
  errors.push(fieldInvalid("podGroups", plainValue("[]scheduling.PodGroup", groups), "field is immutable"));
}
