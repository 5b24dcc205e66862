import { goQuote } from "../../apimachinery/go/go-quote.ts";
import { type PolicyRule, policyRule } from "../contract/policy-rule.ts";
import { OwnedRules } from "./owned-rules.ts";

/**
 * The parts of rules that no rule of an owner covers. A part names one verb, and one resource and object or one path; an
 * owner's rules do not add up for one part. Upstream: component-helpers, auth/rbac/validation, `Covers`.
 */
export function uncoveredRules(
  owned: readonly PolicyRule[],
  wanted: readonly PolicyRule[],
): readonly PolicyRule[] {
  const owner = new OwnedRules(owned);
  return wanted.flatMap((rule) => {
    if (owner.cover(rule)) return [];
    return partCount(rule) > mostParts ? rule : [...partsOf(rule)].filter((part) => !owner.cover(part));
  });
}

/**
 * The number of parts grows with the product of the lists of a rule, and upstream has no limit for it. A rule with more parts
 * than this must be covered as a whole.
 */
const mostParts = 10_000;

function partCount({ verbs, apiGroups, resources, resourceNames, nonResourceURLs }: PolicyRule): number {
  const objects = apiGroups.length * resources.length * Math.max(1, resourceNames.length);
  return verbs.length * (objects + nonResourceURLs.length);
}

/**
 * The rules as an error lists them: those that differ only in their verb are one, and each is a line. Upstream:
 * pkg/registry/rbac/validation, `CompactRules`; pkg/apis/rbac/v1, `CompactString`.
 */
export function ruleLines(parts: readonly PolicyRule[]): readonly string[] {
  const byObject = new Map<string, PolicyRule>();
  for (const part of parts) {
    const { verbs, ...object } = part;
    // Parts about paths are not merged.
    const key = JSON.stringify(part.nonResourceURLs.length > 0 ? part : object);
    const known = byObject.get(key);
    byObject.set(key, known === undefined ? part : { ...known, verbs: [...known.verbs, ...verbs] });
  }
  return [...new Set([...byObject.values()].map(ruleLine))].sort();
}

function ruleLine({ apiGroups, resources, resourceNames, nonResourceURLs, verbs }: PolicyRule): string {
  const fields = [
    ["APIGroups", apiGroups],
    ["Resources", resources],
    ["NonResourceURLs", nonResourceURLs],
    ["ResourceNames", resourceNames],
    ["Verbs", verbs],
  ] as const;
  const shown = fields.filter(([, values]) => values.length > 0);
  return `{${shown.map(([name, values]) => `${name}:[${values.map(goQuote).join(" ")}]`).join(", ")}}`;
}

/** Every part of a rule: upstream's `BreakdownRule`. */
export function* partsOf({
  verbs,
  apiGroups,
  resources,
  resourceNames,
  nonResourceURLs,
}: PolicyRule): Generator<PolicyRule> {
  const names = resourceNames.length > 0 ? resourceNames.map((name) => [name]) : [[]];
  for (const group of apiGroups) {
    for (const resource of resources) {
      for (const verb of verbs) {
        for (const name of names) {
          yield policyRule({ apiGroups: [group], resources: [resource], resourceNames: name, verbs: [verb] });
        }
      }
    }
  }
  for (const path of nonResourceURLs) {
    for (const verb of verbs) yield policyRule({ nonResourceURLs: [path], verbs: [verb] });
  }
}
