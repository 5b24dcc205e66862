import { fieldInvalid, fieldNotSupported, fieldRequired } from "../../../apimachinery/errors/field.ts";
import { textsAt } from "../../../apimachinery/fields.ts";
import { go, typedValue } from "../../../apimachinery/go/go-value.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { child, index } from "../../../apimachinery/validation/field-path.ts";
import { addInvalid, type Findings } from "../../../apimachinery/validation/findings.ts";

const operations = ["*", "CONNECT", "CREATE", "DELETE", "UPDATE"];
const scopes = ["*", "Cluster", "Namespaced"];

/** Validates a RuleWithOperations. Upstream: validateRuleWithOperations. */
export function addOperationsRuleErrors(errors: Findings, rule: JsonObject, at: string): void {
  const field = child(at, "operations");
  const chosen = textsAt(rule, "operations");
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
  addRuleErrors(errors, rule, at);
}

function addRuleErrors(errors: Findings, rule: JsonObject, at: string): void {
  const versions = textsAt(rule, "apiVersions");
  const scope = rule["scope"];
  addListErrors(errors, textsAt(rule, "apiGroups"), child(at, "apiGroups"), "API groups");
  addListErrors(errors, versions, child(at, "apiVersions"), "API versions");
  addEmptyErrors(errors, versions, child(at, "apiVersions"));
  addResourceErrors(errors, textsAt(rule, "resources"), child(at, "resources"));
  if (scope !== undefined && !scopes.includes(String(scope))) {
    errors.push(fieldNotSupported(child(at, "scope"), scope, scopes));
  }
}

function isMixed(values: readonly string[]): boolean {
  return values.length > 1 && values.includes("*");
}

function addListErrors(errors: Findings, values: readonly string[], field: string, what: string): void {
  if (values.length === 0) {
    errors.push(fieldRequired(field));
    return;
  }
  if (!isMixed(values)) return;
  errors.push(
    fieldInvalid(field, go.stringSlice(values), `if '*' is present, must not specify other ${what}`),
  );
}

function addEmptyErrors(errors: Findings, values: readonly string[], field: string): void {
  for (const [i, value] of values.entries()) {
    if (value === "") errors.push(fieldRequired(index(field, i)));
  }
}

/** A wildcard on one side of the slash covers all entries with the same text on the other side. */
function addResourceErrors(errors: Findings, resources: readonly string[], field: string): void {
  if (resources.length === 0) {
    errors.push(fieldRequired(field));
    return;
  }
  const [covered, coveredSubresources] = [new Set<string>(), new Set<string>()];
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
    if (coveredSubresources.has(subresource)) errors.push(fieldInvalid(at, entry, cover(`*/${subresource}`)));
    if (subresource === "*") covered.add(resource);
    if (resource === "*") coveredSubresources.add(subresource);
  }
  addWildcardErrors(errors, resources, field, hasPlain);
}

function addWildcardErrors(
  errors: Findings,
  resources: readonly string[],
  field: string,
  hasPlain: boolean,
): void {
  const shown = go.stringSlice(resources);
  const details: string[] = [];
  if (resources.length > 1 && resources.includes("*/*")) {
    details.push("if '*/*' is present, must not specify other resources");
  }
  if (hasPlain && resources.includes("*")) {
    details.push("if '*' is present, must not specify other resources without subresources");
  }
  addInvalid(errors, field, shown, details);
}
