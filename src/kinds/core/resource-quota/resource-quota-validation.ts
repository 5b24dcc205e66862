import { type FieldError, fieldInvalid, fieldRequired } from "../../../apimachinery/errors/field.ts";
import { listAt, objectAt, textAt, textsAt } from "../../../apimachinery/fields.ts";
import { go, typedValue } from "../../../apimachinery/go/go-value.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { child, key } from "../../../apimachinery/validation/field-path.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";
import { amountsAt } from "../../quantities/amounts.ts";
import { addResourceName } from "../../quantities/resource-names.ts";
import { addQuantity } from "../../quantities/resources.ts";
import { fitsScope, isQuotaResource, isScope, isScopeOfNames } from "./quota-scopes.ts";

const conflicts = [
  ["BestEffort", "NotBestEffort"],
  ["Terminating", "NotTerminating"],
];

/** Validates a quota. Upstream: pkg/apis/core/validation/validation.go, ValidateResourceQuota. */
export function quotaErrors(object: KubeObject, gates: FeatureGates): FieldError[] {
  const spec = objectAt(object, "spec") ?? {};
  const names = Object.keys(objectAt(spec, "hard") ?? {}).filter(isQuotaResource);
  return [
    ...hardErrors(object, "spec", "hard"),
    ...scopesErrors(textsAt(spec, "scopes"), names, gates),
    ...selectorErrors(spec, names, gates),
  ];
}

/** Validates an update of a quota, whose scopes are immutable. */
export function quotaUpdateErrors(object: KubeObject, old: KubeObject, gates: FeatureGates): FieldError[] {
  const errors = quotaErrors(object, gates);
  const scopes = textsAt(object, "spec", "scopes");
  const before = new Set(textsAt(old, "spec", "scopes"));
  const isSame = before.size === new Set(scopes).size && scopes.every((scope) => before.has(scope));
  return isSame
    ? errors
    : [
        ...errors,
        fieldInvalid("spec.scopes", typedValue("[]core.ResourceQuotaScope", scopes), "field is immutable"),
      ];
}

/** Validates the used and hard amounts of a status. */
export function quotaStatusErrors(object: KubeObject): FieldError[] {
  return [...hardErrors(object, "status", "hard"), ...hardErrors(object, "status", "used")];
}

function hardErrors(object: KubeObject, ...path: readonly string[]): FieldError[] {
  const errors: FieldError[] = [];
  for (const [name, amount] of amountsAt(object, ...path)) {
    const field = key(path.join("."), name);
    addResourceName(errors, name, field);
    if (!name.includes("/") && !isQuotaResource(name)) {
      errors.push(fieldInvalid(field, go.stringer(name), "must be a standard resource for quota"));
    }
    addQuantity(errors, name, amount, field);
  }
  return errors;
}

function scopesErrors(
  scopes: readonly string[],
  names: readonly string[],
  gates: FeatureGates,
): FieldError[] {
  const shown = typedValue("[]core.ResourceQuotaScope", scopes);
  const details = scopes.flatMap((scope) => [
    ...(isScope(scope, gates) ? [] : ["unsupported scope"]),
    ...misfits(scope, names),
  ]);
  return [...details, ...conflictsAmong(scopes)].map((detail) => fieldInvalid("spec.scopes", shown, detail));
}

function misfits(scope: string, names: readonly string[]): readonly string[] {
  return names.filter((name) => !fitsScope(scope, name)).map(() => "unsupported scope applied to resource");
}

function conflictsAmong(scopes: readonly string[]): readonly string[] {
  return conflicts
    .filter((pair) => pair.every((scope) => scopes.includes(scope)))
    .map(() => "conflicting scopes");
}

function selectorErrors(spec: JsonObject, names: readonly string[], gates: FeatureGates): FieldError[] {
  const selector = objectAt(spec, "scopeSelector");
  if (selector === undefined) return [];
  const field = "spec.scopeSelector.matchExpressions";
  const requirements = listAt(selector, "matchExpressions");
  const errors = requirements.flatMap((requirement) => [
    ...scopeNameErrors(requirement, field, gates),
    ...misfits(textAt(requirement, "scopeName"), names).map((detail) =>
      fieldInvalid(field, typedValue("core.ScopeSelector", selector), detail),
    ),
    ...operatorErrors(requirement, field, gates),
  ]);
  const shown = typedValue("[]core.ResourceQuotaScope", textsAt(spec, "scopes"));
  const scopes = requirements.map((requirement) => textAt(requirement, "scopeName"));
  return [...errors, ...conflictsAmong(scopes).map((detail) => fieldInvalid(field, shown, detail))];
}

function scopeNameErrors(requirement: JsonObject, field: string, gates: FeatureGates): FieldError[] {
  const scope = textAt(requirement, "scopeName");
  return isScope(scope, gates) ? [] : [fieldInvalid(child(field, "scopeName"), scope, "unsupported scope")];
}

/** Only scopes that name a class have operators other than Exists. */
function operatorErrors(requirement: JsonObject, field: string, gates: FeatureGates): FieldError[] {
  const scope = textAt(requirement, "scopeName");
  const operator = textAt(requirement, "operator");
  const values = textsAt(requirement, "values");
  const errors: FieldError[] = [];
  if (isScope(scope, gates) && !isScopeOfNames(scope) && operator !== "Exists") {
    const detail =
      "must be 'Exist' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity";
    errors.push(fieldInvalid(child(field, "operator"), operator, detail));
  }
  if (operator === "In" || operator === "NotIn") {
    if (values.length > 0) return errors;
    const detail = "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector";
    return [...errors, fieldRequired(child(field, "values"), detail)];
  }
  if (operator === "Exists" || operator === "DoesNotExist") {
    if (values.length === 0) return errors;
    const detail = "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector";
    return [...errors, fieldInvalid(child(field, "values"), go.stringSlice(values), detail)];
  }
  return [...errors, fieldInvalid(child(field, "operator"), operator, "not a valid selector operator")];
}
