import {
  type FieldError,
  fieldForbidden,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
} from "../../../apimachinery/errors/field.ts";
import { integerAt } from "../../../apimachinery/fields.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";

const systemPrefix = "system-";

const highestUserPriority = 1_000_000_000;

const preemptionPolicies = ["PreemptLowerPriority", "Never"];

const systemClasses: ReadonlyMap<string, number> = new Map([
  ["system-node-critical", 2_000_001_000],
  ["system-cluster-critical", 2_000_000_000],
]);

/** The errors in a PriorityClass. Upstream: pkg/apis/scheduling/validation/validation.go, ValidatePriorityClass. */
export function priorityClassErrors(object: KubeObject): FieldError[] {
  const policy = object["preemptionPolicy"];
  return [...valueErrors(object), ...policyErrors(typeof policy === "string" ? policy : undefined)];
}

function valueErrors(object: KubeObject): FieldError[] {
  const { name = "" } = object.metadata;
  if (name.startsWith(systemPrefix)) {
    const problem = systemClassProblem(object, name);
    const rule = `priority class names with '${systemPrefix}' prefix are reserved for system use only`;
    return problem === undefined ? [] : [fieldForbidden("metadata.name", `${rule}. error: ${problem}`)];
  }
  if (integerAt(object, "value") <= highestUserPriority) return [];
  const detail = `maximum allowed value of a user defined priority is ${highestUserPriority}`;
  return [fieldForbidden("value", detail)];
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

function policyErrors(policy: string | undefined): FieldError[] {
  if (policy === undefined || preemptionPolicies.includes(policy)) return [];
  if (policy === "") return [fieldRequired("preemptionPolicy")];
  return [fieldNotSupported("preemptionPolicy", policy, preemptionPolicies)];
}

/** The errors of an update. Upstream: pkg/apis/scheduling/validation/validation.go, ValidatePriorityClassUpdate. */
export function priorityClassUpdateErrors(object: KubeObject, old: KubeObject): FieldError[] {
  const errors: FieldError[] = [];
  if (integerAt(object, "value") !== integerAt(old, "value")) {
    errors.push(fieldForbidden("value", "may not be changed in an update."));
  }
  const policy = object["preemptionPolicy"];
  if (policy !== old["preemptionPolicy"]) {
    errors.push(fieldInvalid("preemptionPolicy", policy, "field is immutable"));
  }
  return errors;
}
