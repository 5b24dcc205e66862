import { fieldInvalid, fieldRequired } from "../../../apimachinery/errors/field.ts";
import type { Wording } from "../../../apimachinery/errors/wording.ts";
import { listAt, objectAt, structAt, textAt, textsAt } from "../../../apimachinery/fields.ts";
import { go, plainValue, typedValue } from "../../../apimachinery/go/go-value.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { child, key } from "../../../apimachinery/validation/field-path.ts";
import { addInvalid, type Findings } from "../../../apimachinery/validation/findings.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";
import { amountsAt } from "../../quantities/amounts.ts";
import { addResourceName } from "../../quantities/resource-names.ts";
import { addQuantity } from "../../quantities/resources.ts";
import { fitsScope, isQuotaResource, isScope, isScopeOfNames } from "./quota-scopes.ts";

/** Upstream: pkg/apis/core/validation/validation.go, ValidateScopedResourceSelectorRequirement. */
const onlyExists: Wording = (since) => {
  const operator = since("1.31") ? "Exists" : "Exist";
  return `must be '${operator}' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity`;
};

const conflicts = [
  ["BestEffort", "NotBestEffort"],
  ["Terminating", "NotTerminating"],
];

/** Validates a quota. Upstream: pkg/apis/core/validation/validation.go, ValidateResourceQuota. */
export function addQuotaErrors(errors: Findings, object: KubeObject, gates: FeatureGates): void {
  const spec = objectAt(object, "spec") ?? {};
  const names = Object.keys(objectAt(spec, "hard") ?? {}).filter(isQuotaResource);
  addHardErrors(errors, object, "spec", "hard");
  addScopesErrors(errors, textsAt(spec, "scopes"), names, gates);
  addSelectorErrors(errors, spec, names, gates);
}

/** Validates an update of a quota, whose scopes are immutable. */
export function addQuotaUpdateErrors(
  errors: Findings,
  object: KubeObject,
  old: KubeObject,
  gates: FeatureGates,
): void {
  addQuotaErrors(errors, object, gates);
  const scopes = textsAt(object, "spec", "scopes");
  const before = new Set(textsAt(old, "spec", "scopes"));
  const isSame = before.size === new Set(scopes).size && scopes.every((scope) => before.has(scope));
  if (!isSame) {
    errors.push(
      fieldInvalid(
        "spec.scopes",
        plainValue("[]core.ResourceQuotaScope", structAt(object, "spec")["scopes"]),
        "field is immutable",
      ),
    );
  }
}

/** Validates the used and hard amounts of a status. */
export function addQuotaStatusErrors(errors: Findings, object: KubeObject): void {
  addHardErrors(errors, object, "status", "hard");
  addHardErrors(errors, object, "status", "used");
}

function addHardErrors(errors: Findings, object: KubeObject, ...path: readonly string[]): void {
  for (const [name, amount] of amountsAt(object, ...path)) {
    const field = key(path.join("."), name);
    addResourceName(errors, name, field);
    if (!name.includes("/") && !isQuotaResource(name)) {
      errors.push(fieldInvalid(field, go.stringer(name), "must be a standard resource for quota"));
    }
    addQuantity(errors, name, amount, field);
  }
}

function addScopesErrors(
  errors: Findings,
  scopes: readonly string[],
  names: readonly string[],
  gates: FeatureGates,
): void {
  const shown = typedValue("[]core.ResourceQuotaScope", scopes);
  const details = scopes.flatMap((scope) => [
    ...(isScope(scope, gates) ? [] : ["unsupported scope"]),
    ...misfits(scope, names),
  ]);
  addInvalid(errors, "spec.scopes", shown, [...details, ...conflictsAmong(scopes)]);
}

function misfits(scope: string, names: readonly string[]): readonly string[] {
  return names.filter((name) => !fitsScope(scope, name)).map(() => "unsupported scope applied to resource");
}

function conflictsAmong(scopes: readonly string[]): readonly string[] {
  return conflicts
    .filter((pair) => pair.every((scope) => scopes.includes(scope)))
    .map(() => "conflicting scopes");
}

function addSelectorErrors(
  errors: Findings,
  spec: JsonObject,
  names: readonly string[],
  gates: FeatureGates,
): void {
  const selector = objectAt(spec, "scopeSelector");
  if (selector === undefined) return;
  const field = "spec.scopeSelector.matchExpressions";
  const requirements = listAt(selector, "matchExpressions");
  for (const requirement of requirements) {
    addScopeNameErrors(errors, requirement, field, gates);
    addInvalid(
      errors,
      field,
      typedValue("core.ScopeSelector", selector),
      misfits(textAt(requirement, "scopeName"), names),
    );
    addOperatorErrors(errors, requirement, field, gates);
  }
  const shown = plainValue("[]core.ResourceQuotaScope", spec["scopes"]);
  const scopes = requirements.map((requirement) => textAt(requirement, "scopeName"));
  addInvalid(errors, field, shown, conflictsAmong(scopes));
}

function addScopeNameErrors(
  errors: Findings,
  requirement: JsonObject,
  field: string,
  gates: FeatureGates,
): void {
  const scope = textAt(requirement, "scopeName");
  if (!isScope(scope, gates)) {
    errors.push(fieldInvalid(child(field, "scopeName"), scope, "unsupported scope"));
  }
}

/** Only scopes that name a class have operators other than Exists. */
function addOperatorErrors(
  errors: Findings,
  requirement: JsonObject,
  field: string,
  gates: FeatureGates,
): void {
  const scope = textAt(requirement, "scopeName");
  const operator = textAt(requirement, "operator");
  const values = textsAt(requirement, "values");
  if (isScope(scope, gates) && !isScopeOfNames(scope) && operator !== "Exists") {
    errors.push(fieldInvalid(child(field, "operator"), operator, onlyExists));
  }
  if (operator === "In" || operator === "NotIn") {
    if (values.length > 0) return;
    const detail = "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector";
    errors.push(fieldRequired(child(field, "values"), detail));
    return;
  }
  if (operator === "Exists" || operator === "DoesNotExist") {
    if (values.length === 0) return;
    const detail = "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector";
    errors.push(fieldInvalid(child(field, "values"), go.stringSlice(values), detail));
    return;
  }
  errors.push(fieldInvalid(child(field, "operator"), operator, "not a valid selector operator"));
}
