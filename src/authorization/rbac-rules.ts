import { listAt, textsAt } from "../apimachinery/fields.ts";
import { goTrimRight } from "../apimachinery/go/go-trim.ts";
import type { JsonObject } from "../apimachinery/json.ts";
import type { NonResourceRequestInfo, RequestInfo, ResourceRequestInfo } from "../request/request-info.ts";

/** A PolicyRule of a role. */
export interface PolicyRule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames: readonly string[];
  readonly nonResourceURLs: readonly string[];
}

/** The rules of a Role or ClusterRole. */
export function rulesOf(role: JsonObject): readonly PolicyRule[] {
  return listAt(role, "rules").map((rule) => ({
    verbs: textsAt(rule, "verbs"),
    apiGroups: textsAt(rule, "apiGroups"),
    resources: textsAt(rule, "resources"),
    resourceNames: textsAt(rule, "resourceNames"),
    nonResourceURLs: textsAt(rule, "nonResourceURLs"),
  }));
}

/** Whether the rule allows the request. */
export function ruleAllows(rule: PolicyRule, info: RequestInfo): boolean {
  if (!rule.verbs.includes("*") && !rule.verbs.includes(info.verb)) return false;
  return info.isResourceRequest ? allowsResource(rule, info) : allowsPath(rule, info);
}

function allowsResource(rule: PolicyRule, info: ResourceRequestInfo): boolean {
  const { group, name } = info;
  if (!rule.apiGroups.includes("*") && !rule.apiGroups.includes(group)) return false;
  if (rule.resourceNames.length > 0 && !rule.resourceNames.includes(name)) return false;
  return rule.resources.some((resource) => resourceMatches(resource, info));
}

/** Matches `pods`, `pods/log`, `*` for everything, or `*` with a subresource for that of every resource. */
function resourceMatches(pattern: string, { resource, subresource }: ResourceRequestInfo): boolean {
  if (pattern === "*") return true;
  const combined = subresource === "" ? resource : `${resource}/${subresource}`;
  if (pattern === combined) return true;
  return subresource !== "" && pattern === `*/${subresource}`;
}

/** Matches a path, or a prefix that ends with `*`. */
function allowsPath(rule: PolicyRule, { path }: NonResourceRequestInfo): boolean {
  return rule.nonResourceURLs.some((pattern) => {
    if (pattern === "*" || pattern === path) return true;
    return pattern.endsWith("*") && path.startsWith(goTrimRight(pattern, "*"));
  });
}
