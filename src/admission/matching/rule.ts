import { textAt, textsAt } from "../../apimachinery/fields.ts";
import type { GroupVersionResource } from "../../apimachinery/group-version.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { AdmissionAttributes } from "../contract/admission.ts";

/** Whether a rule selects a request as one to this resource, which may be another version of the requested one. */
export type Rule = (attributes: AdmissionAttributes, gvr: GroupVersionResource) => boolean;

/** A RuleWithOperations, or a NamedRuleWithOperations of a policy. Upstream: apiserver, webhook/predicates/rules/rules.go. */
export function ruleOf(rule: JsonObject): Rule {
  const scope = textAt(rule, "scope");
  const operations = namesOf(rule, "operations");
  const groups = namesOf(rule, "apiGroups");
  const versions = namesOf(rule, "apiVersions");
  const resources = textsAt(rule, "resources").map(resourcePattern);
  const names = textsAt(rule, "resourceNames");
  return (attributes, gvr) =>
    includes(operations, attributes.operation) &&
    includes(groups, gvr.group) &&
    includes(versions, gvr.version) &&
    resources.some((matches) => matches(gvr.resource, attributes.subresource)) &&
    isInScope(scope, attributes, gvr) &&
    (names.length === 0 || names.includes(attributes.name));
}

type ResourcePattern = (resource: string, subresource: string) => boolean;

/** `pods`, `pods/status`, `pods/*`, `*`, or `*` with a subresource. */
function resourcePattern(text: string): ResourcePattern {
  const slash = text.indexOf("/");
  const wanted = slash < 0 ? text : text.slice(0, slash);
  const wantedSub = slash < 0 ? "" : text.slice(slash + 1);
  return (resource, subresource) =>
    (wanted === "*" || wanted === resource) && (wantedSub === "*" || wantedSub === subresource);
}

/** Namespaces count as resources of the cluster, although requests to them have a namespace. */
function isInScope(scope: string, { namespace }: AdmissionAttributes, gvr: GroupVersionResource): boolean {
  if (scope === "" || scope === "*") return true;
  const isNamespace = gvr.group === "" && gvr.version === "v1" && gvr.resource === "namespaces";
  const isNamespaced = !isNamespace && namespace !== "";
  return scope === "Namespaced" ? isNamespaced : scope === "Cluster" && !isNamespaced;
}

/** The names in a list of a rule; undefined if the list has `*`, which matches everything. */
function namesOf(rule: JsonObject, field: string): readonly string[] | undefined {
  const names = textsAt(rule, field);
  return names.includes("*") ? undefined : names;
}

function includes(names: readonly string[] | undefined, name: string): boolean {
  return names === undefined || names.includes(name);
}
