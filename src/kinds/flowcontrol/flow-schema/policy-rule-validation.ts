import { fieldInvalid, fieldNotSupported, fieldRequired } from "../../../apimachinery/errors/field.ts";
import { worded } from "../../../apimachinery/errors/wording.ts";
import { textsAt } from "../../../apimachinery/fields.ts";
import { go } from "../../../apimachinery/go/go-value.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { child, index } from "../../../apimachinery/validation/field-path.ts";
import type { Findings } from "../../../apimachinery/validation/findings.ts";
import { dnsLabelMessages } from "../../../apimachinery/validation/names.ts";

const verbs = ["create", "delete", "deletecollection", "get", "list", "patch", "proxy", "update", "watch"];
const namespaceRule = "each member of this list must be '*' or a DNS-1123 label; ";

/** Upstream: ValidateFlowSchemaResourcePolicyRule. */
export function addResourceRuleErrors(errors: Findings, rule: JsonObject, at: string): void {
  addVerbErrors(errors, rule, at);
  addListErrors(
    errors,
    rule,
    "apiGroups",
    "resource rules must supply at least one api group",
    "api groups",
    at,
  );
  addListErrors(
    errors,
    rule,
    "resources",
    "resource rules must supply at least one resource",
    "resources",
    at,
  );
  addNamespaceErrors(errors, rule, at);
}

/** Upstream: ValidateFlowSchemaNonResourcePolicyRule. */
export function addNonResourceRuleErrors(errors: Findings, rule: JsonObject, at: string): void {
  const field = child(at, "nonResourceURLs");
  const urls = textsAt(rule, "nonResourceURLs");
  const missing = "nonResourceURLs must contain at least one value";
  addVerbErrors(errors, rule, at);
  addListErrors(errors, rule, "nonResourceURLs", missing, "non-resource URLs", at);
  if (!urls.includes("*")) {
    for (const [i, url] of urls.entries()) addUrlErrors(errors, url, index(field, i));
  }
}

function addVerbErrors(errors: Findings, rule: JsonObject, at: string): void {
  const field = child(at, "verbs");
  const chosen = textsAt(rule, "verbs");
  addListErrors(errors, rule, "verbs", "verbs must contain at least one value", "verbs", at);
  if (chosen.includes("*") || chosen.every((verb) => verbs.includes(verb))) return;
  errors.push(fieldNotSupported(field, go.stringSlice(chosen), verbs));
}

function addListErrors(
  errors: Findings,
  rule: JsonObject,
  name: string,
  missing: string,
  what: string,
  at: string,
): void {
  const values = textsAt(rule, name);
  if (values.length === 0) {
    errors.push(fieldRequired(child(at, name), missing));
    return;
  }
  if (values.length === 1 || !values.includes("*")) return;
  const detail = `if '*' is present, must not specify other ${what}`;
  errors.push(fieldInvalid(child(at, name), go.stringSlice(values), detail));
}

function addNamespaceErrors(errors: Findings, rule: JsonObject, at: string): void {
  const field = child(at, "namespaces");
  const namespaces = textsAt(rule, "namespaces");
  if (namespaces.length === 0 && rule["clusterScope"] === true) return;
  const missing = "resource rules that are not cluster scoped must supply at least one namespace";
  addListErrors(errors, rule, "namespaces", missing, "namespaces", at);
  if (namespaces.includes("*")) return;
  for (const [i, namespace] of namespaces.entries()) {
    for (const message of dnsLabelMessages(namespace)) {
      errors.push(fieldInvalid(index(field, i), namespace, worded`${namespaceRule}${message}`));
    }
  }
}

function addUrlErrors(errors: Findings, url: string, field: string): void {
  const problem = urlProblem(url);
  if (problem !== undefined) errors.push(fieldInvalid(field, url, problem));
}

function urlProblem(url: string): string | undefined {
  if (url === "") return "must not be empty";
  if (url === "/") return undefined;
  if (!url.startsWith("/")) return "must start with slash";
  if (url.includes(" ")) return "must not contain white-space";
  if (url.includes("//")) return "must not contain double slash";
  const wildcards = url.split("*").length - 1;
  if (wildcards === 0 || (wildcards === 1 && url.endsWith("/*"))) return undefined;
  return "wildcard can only do suffix matching";
}
