import fc from "fast-check";
import { expect, test } from "vitest";
import { type PolicyRule, pathMatches, policyRule } from "../contract/policy-rule.ts";
import { OwnedRules } from "./owned-rules.ts";

/** Whether an owner's rule covers another one, by every pair of values. Upstream: component-helpers, `ruleCovers`. */
function naivelyCovers(owned: PolicyRule, rule: PolicyRule): boolean {
  const all = (has: readonly string[], wants: readonly string[]) =>
    has.includes("*") || wants.every((want) => has.includes(want));
  const coversResource = (want: string) => {
    const [, subresource] = want.split(/\/(.*)/);
    return (
      all(owned.resources, [want]) ||
      (subresource !== undefined && owned.resources.includes(`*/${subresource}`))
    );
  };
  const { resourceNames, nonResourceURLs } = owned;
  const areNamesCovered =
    resourceNames.length === 0 || (rule.resourceNames.length > 0 && all(resourceNames, rule.resourceNames));
  return (
    all(owned.verbs, rule.verbs) &&
    all(owned.apiGroups, rule.apiGroups) &&
    rule.resources.every(coversResource) &&
    areNamesCovered &&
    rule.nonResourceURLs.every((path) => nonResourceURLs.some((pattern) => pathMatches(pattern, path)))
  );
}

const some = (...values: readonly string[]) => fc.subarray([...values], { minLength: 0, maxLength: 2 });
const anyRule = fc.record({
  verbs: some("get", "list", "*"),
  apiGroups: some("", "a", "*"),
  resources: some("pods", "pods/log", "*/log", "*"),
  resourceNames: some("one", "two"),
  nonResourceURLs: some("/a", "/a/b", "/a/*", "/a*", "/*", "*", "/b**"),
});

test("a rule is covered if one rule of the owner covers all of it", () => {
  fc.assert(
    fc.property(fc.array(anyRule, { maxLength: 5 }), anyRule, (owned, rule) => {
      const expected = owned.some((one) => naivelyCovers(one, rule));
      expect(new OwnedRules(owned).cover(rule)).toBe(expected);
    }),
    { numRuns: 1000 },
  );
});

test.each([
  ["*s", "pods", false],
  ["*/log", "/log", true],
  ["*/log", "pods/log", true],
  ["*/log", "log", false],
])("a rule for the resource %s covers %s: %s", (owned, wanted, expected) => {
  const ruleOf = (resource: string) => policyRule({ verbs: ["get"], apiGroups: [""], resources: [resource] });
  expect(new OwnedRules([ruleOf(owned)]).cover(ruleOf(wanted))).toBe(expected);
});
