import {
  type FieldError,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
} from "../../../apimachinery/errors/field.ts";
import { textsAt } from "../../../apimachinery/fields.ts";
import { go, typedValue } from "../../../apimachinery/go/go-value.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { child, index } from "../../../apimachinery/validation/field-path.ts";

const operations = ["*", "CONNECT", "CREATE", "DELETE", "UPDATE"];
const scopes = ["*", "Cluster", "Namespaced"];

/** Validates a RuleWithOperations. Upstream: validateRuleWithOperations. */
export function operationsRuleErrors(rule: JsonObject, at: string): FieldError[] {
  const field = child(at, "operations");
  const chosen = textsAt(rule, "operations");
  const errors: FieldError[] = [];
  if (chosen.length === 0) errors.push(fieldRequired(field));
  if (isMixed(chosen)) {
    const detail = "if '*' is present, must not specify other operations";
    errors.push(fieldInvalid(field, typedValue("[]admissionregistration.OperationType", chosen), detail));
  }
  for (const [i, operation] of chosen.entries()) {
    if (!operations.includes(operation)) {
      errors.push(fieldNotSupported(index(field, i), operation, operations));
    }
  }
  return [...errors, ...ruleErrors(rule, at)];
}

function ruleErrors(rule: JsonObject, at: string): FieldError[] {
  const versions = textsAt(rule, "apiVersions");
  const scope = rule["scope"];
  return [
    ...listErrors(textsAt(rule, "apiGroups"), child(at, "apiGroups"), "API groups"),
    ...listErrors(versions, child(at, "apiVersions"), "API versions"),
    ...emptyErrors(versions, child(at, "apiVersions")),
    ...resourceErrors(textsAt(rule, "resources"), child(at, "resources")),
    ...(scope === undefined || scopes.includes(String(scope))
      ? []
      : [fieldNotSupported(child(at, "scope"), scope, scopes)]),
  ];
}

function isMixed(values: readonly string[]): boolean {
  return values.length > 1 && values.includes("*");
}

function listErrors(values: readonly string[], field: string, what: string): FieldError[] {
  if (values.length === 0) return [fieldRequired(field)];
  if (!isMixed(values)) return [];
  return [fieldInvalid(field, go.stringSlice(values), `if '*' is present, must not specify other ${what}`)];
}

function emptyErrors(values: readonly string[], field: string): FieldError[] {
  return values.flatMap((value, i) => (value === "" ? [fieldRequired(index(field, i))] : []));
}

/** A wildcard on one side of the slash covers all entries with the same text on the other side. */
function resourceErrors(resources: readonly string[], field: string): FieldError[] {
  if (resources.length === 0) return [fieldRequired(field)];
  const [covered, coveredSubresources] = [new Set<string>(), new Set<string>()];
  const errors: FieldError[] = [];
  let hasPlain = false;
  for (const [i, entry] of resources.entries()) {
    const at = index(field, i);
    if (entry === "") errors.push(fieldRequired(at));
    const slash = entry.indexOf("/");
    if (slash < 0) {
      // As upstream, only the last entry without a slash counts.
      if (entry !== "") hasPlain = entry !== "*";
      continue;
    }
    const [resource, subresource] = [entry.slice(0, slash), entry.slice(slash + 1)];
    const cover = (pattern: string) => `if '${pattern}' is present, must not specify ${entry}`;
    if (covered.has(resource)) errors.push(fieldInvalid(at, entry, cover(`${resource}/*`)));
    if (coveredSubresources.has(subresource)) {
      errors.push(fieldInvalid(at, entry, cover(`*/${subresource}`)));
    }
    if (subresource === "*") covered.add(resource);
    if (resource === "*") coveredSubresources.add(subresource);
  }
  return [...errors, ...wildcardErrors(resources, field, hasPlain)];
}

function wildcardErrors(resources: readonly string[], field: string, hasPlain: boolean): FieldError[] {
  const shown = go.stringSlice(resources);
  const details: string[] = [];
  if (resources.length > 1 && resources.includes("*/*")) {
    details.push("if '*/*' is present, must not specify other resources");
  }
  if (hasPlain && resources.includes("*")) {
    details.push("if '*' is present, must not specify other resources without subresources");
  }
  return details.map((detail) => fieldInvalid(field, shown, detail));
}
