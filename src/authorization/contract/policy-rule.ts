import { listAt, textsAt } from "../../apimachinery/fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";

/** A PolicyRule of a role. */
export interface PolicyRule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames: readonly string[];
  readonly nonResourceURLs: readonly string[];
}

const emptyRule: PolicyRule = {
  verbs: [],
  apiGroups: [],
  resources: [],
  resourceNames: [],
  nonResourceURLs: [],
};

/** A rule with the given fields; the others are empty. */
export function policyRule(fields: Partial<PolicyRule>): PolicyRule {
  return { ...emptyRule, ...fields };
}

/** A rule as a manifest has it: without empty lists. */
export type PolicyRuleObject = Pick<PolicyRule, "verbs"> & Partial<PolicyRule>;

/** The rule as a manifest has it. */
export function policyRuleObject(rule: PolicyRule): PolicyRuleObject {
  const given = ruleFields.filter((field) => rule[field].length > 0);
  return { ...Object.fromEntries(given.map((field) => [field, rule[field]])), verbs: rule.verbs };
}

/** In the order of manifests. */
const ruleFields = ["apiGroups", "resources", "resourceNames", "nonResourceURLs", "verbs"] as const;

/** The rules of a Role or ClusterRole. */
export function policyRulesOf(role: JsonObject): readonly PolicyRule[] {
  return listAt(role, "rules").map((rule) => ({
    verbs: textsAt(rule, "verbs"),
    apiGroups: textsAt(rule, "apiGroups"),
    resources: textsAt(rule, "resources"),
    resourceNames: textsAt(rule, "resourceNames"),
    nonResourceURLs: textsAt(rule, "nonResourceURLs"),
  }));
}

/** Whether a path of a rule matches a path: it is equal, or it ends with `*` and is a prefix without it. */
export function pathMatches(pattern: string, path: string): boolean {
  if (pattern === path) return true;
  const prefix = pathPrefixOf(pattern);
  return prefix !== undefined && path.startsWith(prefix);
}

/** What the paths begin with that a path of a rule matches; undefined if it matches only itself. */
export function pathPrefixOf(pattern: string): string | undefined {
  if (!pattern.endsWith("*")) return undefined;
  let end = pattern.length;
  while (end > 0 && pattern[end - 1] === "*") end -= 1;
  return pattern.slice(0, end);
}
