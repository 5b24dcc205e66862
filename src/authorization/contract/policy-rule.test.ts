import { expect, test } from "vitest";
import { pathMatches, pathPrefixOf, policyRule, policyRuleObject, policyRulesOf } from "./policy-rule.ts";

const none = { verbs: [], apiGroups: [], resources: [], resourceNames: [], nonResourceURLs: [] };

test("a rule has all lists, and in a manifest those that are not empty, in the order of manifests", () => {
  expect(policyRule({ verbs: ["get"] })).toEqual({ ...none, verbs: ["get"] });
  const full = {
    verbs: ["a"],
    nonResourceURLs: ["b"],
    resourceNames: ["c"],
    resources: ["d"],
    apiGroups: [""],
  };
  expect(JSON.stringify(policyRuleObject(full))).toBe(
    '{"apiGroups":[""],"resources":["d"],"resourceNames":["c"],"nonResourceURLs":["b"],"verbs":["a"]}',
  );
  expect(policyRuleObject(policyRule({}))).toEqual({ verbs: [] });
  expect(policyRulesOf({ rules: [full, {}] })).toEqual([full, none]);
  expect(policyRulesOf({})).toEqual([]);
});

test.each([
  ["/a", "/a", true],
  ["/a", "/a/b", false],
  ["/a*", "/a/b", true],
  ["/a**", "/a*b", true],
  ["/a*", "/b", false],
  ["*", "/", true],
  ["/*/b", "/a/b", false],
])("the path of a rule %s matches %s: %s", (pattern, path, matches) =>
  expect(pathMatches(pattern, path)).toBe(matches),
);

test.each([
  ["/a", undefined],
  ["/a*", "/a"],
  ["/a***", "/a"],
  ["***", ""],
])("what the path of a rule %s matches begins with %j", (pattern, prefix) =>
  expect(pathPrefixOf(pattern)).toBe(prefix),
);
