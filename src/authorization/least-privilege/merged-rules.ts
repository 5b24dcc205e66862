import { compareText } from "../../apimachinery/text-order.ts";
import type { PolicyRule } from "../contract/policy-rule.ts";

/**
 * The same permissions in fewer rules: the verbs of one object or path are one rule, and resources of one group or paths with
 * the same verbs are one rule. Resources whose rules name objects stay apart.
 */
export function mergedRules(rules: readonly PolicyRule[]): readonly PolicyRule[] {
  const byObject = grouped(rules, ({ verbs: _, ...object }) => JSON.stringify(object));
  const withVerbs = byObject.map((same) => ({ ...same[0], verbs: sortedVerbs(same) }));
  const byVerbs = grouped(withVerbs, ({ verbs, apiGroups, resources, resourceNames }) =>
    JSON.stringify([
      verbs,
      apiGroups,
      resourceNames,
      resourceNames.length === 0 ? "" : resources,
      resources.length,
    ]),
  );
  return byVerbs
    .map((same) => ({
      ...same[0],
      resources: united(same, "resources"),
      nonResourceURLs: united(same, "nonResourceURLs"),
    }))
    .sort((a, b) => compareText(order(a), order(b)));
}

type Group = readonly [PolicyRule, ...PolicyRule[]];

function grouped(rules: readonly PolicyRule[], keyOf: (rule: PolicyRule) => string): readonly Group[] {
  const groups = new Map<string, [PolicyRule, ...PolicyRule[]]>();
  for (const rule of rules) {
    const key = keyOf(rule);
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [rule]);
    else known.push(rule);
  }
  return [...groups.values()];
}

function united(rules: Group, field: "resources" | "nonResourceURLs"): readonly string[] {
  return [...new Set(rules.flatMap((rule) => rule[field]))].sort();
}

/** The verbs of requests in the order of the documentation of RBAC, then others. */
const usualVerbs = ["get", "list", "watch", "create", "update", "patch", "delete", "deletecollection"];

function sortedVerbs(rules: Group): readonly string[] {
  const all = new Set(rules.flatMap(({ verbs }) => verbs));
  const others = [...all].filter((verb) => !usualVerbs.includes(verb)).sort();
  return [...usualVerbs.filter((verb) => all.has(verb)), ...others];
}

/** By group, resource and name; rules for paths come last. */
function order(rule: PolicyRule): string {
  const { apiGroups, resources, nonResourceURLs, resourceNames, verbs } = rule;
  const kind = nonResourceURLs.length === 0 ? "resource" : "url";
  return [kind, ...[apiGroups, resources, nonResourceURLs, resourceNames, verbs].map(String)].join("\n");
}
