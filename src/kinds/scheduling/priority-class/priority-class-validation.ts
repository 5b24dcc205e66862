import {
  fieldForbidden,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
} from "../../../apimachinery/errors/field.ts";
import { integerAt } from "../../../apimachinery/fields.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { Findings } from "../../../apimachinery/validation/findings.ts";

const systemPrefix = "system-";

const highestUserPriority = 1_000_000_000;

const preemptionPolicies = ["PreemptLowerPriority", "Never"];

/** The values of the classes that every cluster has. */
export const systemClasses: ReadonlyMap<string, number> = new Map([
  ["system-node-critical", 2_000_001_000],
  ["system-cluster-critical", 2_000_000_000],
]);

/** Adds the errors in a PriorityClass. Upstream: pkg/apis/scheduling/validation/validation.go, ValidatePriorityClass. */
export function addPriorityClassErrors(errors: Findings, object: KubeObject): void {
  const policy = object["preemptionPolicy"];
  addValueErrors(errors, object);
  addPolicyErrors(errors, typeof policy === "string" ? policy : undefined);
}

function addValueErrors(errors: Findings, object: KubeObject): void {
  const { name = "" } = object.metadata;
  if (name.startsWith(systemPrefix)) {
    const problem = systemClassProblem(object, name);
    const rule = `priority class names with '${systemPrefix}' prefix are reserved for system use only`;
    if (problem !== undefined) errors.push(fieldForbidden("metadata.name", `${rule}. error: ${problem}`));
    return;
  }
  if (integerAt(object, "value") <= highestUserPriority) return;
  const detail = `maximum allowed value of a user defined priority is ${highestUserPriority}`;
  errors.push(fieldForbidden("value", detail));
}

/** Why a class with the reserved prefix is not one of the system classes; undefined if it is. */
function systemClassProblem(object: KubeObject, name: string): string | undefined {
  const value = systemClasses.get(name);
  if (value === undefined) return `${name} is not a known system priority class`;
  if (integerAt(object, "value") !== value) return `value of ${name} PriorityClass must be ${value}`;
  return object["globalDefault"] === true
    ? `globalDefault of ${name} PriorityClass must be false`
    : undefined;
}

function addPolicyErrors(errors: Findings, policy: string | undefined): void {
  if (policy === undefined || preemptionPolicies.includes(policy)) return;
  if (policy === "") errors.push(fieldRequired("preemptionPolicy"));
  else errors.push(fieldNotSupported("preemptionPolicy", policy, preemptionPolicies));
}

/** Adds the errors of an update. Upstream: pkg/apis/scheduling/validation/validation.go, ValidatePriorityClassUpdate. */
export function addPriorityClassUpdateErrors(errors: Findings, object: KubeObject, old: KubeObject): void {
  if (integerAt(object, "value") !== integerAt(old, "value")) {
    errors.push(fieldForbidden("value", "may not be changed in an update."));
  }
  const policy = object["preemptionPolicy"];
  if (policy !== old["preemptionPolicy"]) {
    errors.push(fieldInvalid("preemptionPolicy", policy, "field is immutable"));
  }
}
