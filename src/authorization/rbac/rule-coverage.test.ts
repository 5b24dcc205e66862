import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type PolicyRule, policyRule } from "../contract/policy-rule.ts";
import { ruleLines, uncoveredRules } from "./rule-coverage.ts";

/** `get pods [a]`, `get,list apps!deployments/scale` or `get /metrics`: verbs, group, resource and names, or paths. */
function rule(text: string): PolicyRule {
  const [verbs = "", what = "", names = ""] = text.split(" ");
  if (what.startsWith("/")) return policyRule({ verbs: verbs.split(","), nonResourceURLs: what.split(",") });
  const [group = "", resource = ""] = what.includes("!") ? what.split("!") : ["", what];
  return policyRule({
    verbs: verbs.split(","),
    apiGroups: group.split(","),
    resources: resource.split(","),
    resourceNames: names === "" ? [] : names.split(","),
  });
}

const isCovered = (owned: readonly string[], wanted: string) =>
  uncoveredRules(owned.map(rule), [rule(wanted)]).length === 0;

describe("a rule is covered", () => {
  test.each<[owned: string[], wanted: string, covered: boolean]>([
    [["get pods"], "get pods", true],
    [["get pods"], "list pods", false],
    [["* pods"], "list pods", true],
    [["get pods"], "get secrets", false],
    [["get *"], "get secrets", true],
    [["get *"], "get pods/log", true],
    [["get pods"], "get pods/log", false],
    [["get */log"], "get pods/log", true],
    [["get */log"], "get pods/exec", false],
    [["get */log"], "get pods", false],
    [["get apps!deployments"], "get deployments", false],
    [["get *!deployments"], "get apps!deployments", true],
    [["get pods a"], "get pods a", true],
    [["get pods a"], "get pods b", false],
    [["get pods a"], "get pods", false],
    [["get pods"], "get pods a,b", true],
    [["get pods *"], "get pods a", true],
    [["get pods a", "get pods b"], "get pods a,b", true],
    [["get pods", "list pods"], "get,list pods", true],
    [["get /metrics"], "get /metrics", true],
    [["get /metrics"], "get /metrics/x", false],
    [["get /metrics/*"], "get /metrics/x", true],
    [["get /metrics/*"], "get /metrics/", true],
    [["get /metrics/*"], "get /metrics", false],
    [["get /metrics/*"], "get /m", false],
    [["get /a,/b"], "get /a,/b", true],
    [["get /a", "get /b"], "get /a,/b", true],
    [["get /a"], "get /a,/b", false],
  ])("%j and %s: %s", (owned, wanted, covered) => expect(isCovered(owned, wanted)).toBe(covered));
});

test("a part of a rule names one of its objects", () => {
  expect(uncoveredRules([], [rule("get pods a")])).toEqual([rule("get pods a")]);
  expect(uncoveredRules([], [rule("get pods a,b")])).toEqual([rule("get pods a"), rule("get pods b")]);
});

test.each([
  [10_000, 10_000],
  [10_001, 1],
])("a rule with %i parts is refused in %i", (count, parts) => {
  const paths = policyRule({
    verbs: ["get"],
    nonResourceURLs: Array.from({ length: count }, (_, n) => `/${n}`),
  });
  expect(uncoveredRules([], [paths])).toHaveLength(parts);
});

const some = (...values: readonly string[]) => fc.subarray([...values], { minLength: 1, maxLength: 2 });
const anyRule = fc.oneof(
  fc
    .record({
      verbs: some("get", "list", "*"),
      apiGroups: some("", "a", "*"),
      resources: some("pods", "pods/log", "*/log", "*"),
      resourceNames: fc.subarray(["one", "two"]),
    })
    .map(policyRule),
  fc
    .record({ verbs: some("get", "list", "*"), nonResourceURLs: some("/a", "/a/b", "/a/*", "/b*") })
    .map(policyRule),
);

/** Whether one rule covers a part, which has one value in each field that is not empty. */
function coversPart(owned: PolicyRule, part: PolicyRule): boolean {
  const has = (values: readonly string[], value: string) => values.includes("*") || values.includes(value);
  const [verb = "", group = "", resource = "", name, path] = [
    part.verbs[0],
    part.apiGroups[0],
    part.resources[0],
    part.resourceNames[0],
    part.nonResourceURLs[0],
  ];
  if (!has(owned.verbs, verb)) return false;
  if (path !== undefined) {
    return owned.nonResourceURLs.some(
      (pattern) =>
        pattern === path || (pattern.endsWith("*") && path.startsWith(pattern.replace(/\*+$/, ""))),
    );
  }
  const subresource = resource.split("/")[1];
  return (
    has(owned.apiGroups, group) &&
    (has(owned.resources, resource) ||
      (subresource !== undefined && owned.resources.includes(`*/${subresource}`))) &&
    (owned.resourceNames.length === 0 || (name !== undefined && owned.resourceNames.includes(name)))
  );
}

test("of a rule, the parts are uncovered that no rule of the owner covers", () => {
  fc.assert(
    fc.property(fc.array(anyRule, { maxLength: 4 }), anyRule, (owned, wanted) => {
      const uncovered = uncoveredRules(owned, [wanted]);
      for (const part of uncovered)
        expect([part, owned.some((one) => coversPart(one, part))]).toEqual([part, false]);
      const names = wanted.resourceNames.length === 0 ? [[]] : wanted.resourceNames.map((name) => [name]);
      const parts = wanted.verbs.flatMap((verb) => [
        ...wanted.nonResourceURLs.map((path) => policyRule({ verbs: [verb], nonResourceURLs: [path] })),
        ...wanted.apiGroups.flatMap((group) =>
          wanted.resources.flatMap((resource) =>
            names.map((resourceNames) =>
              policyRule({ verbs: [verb], apiGroups: [group], resources: [resource], resourceNames }),
            ),
          ),
        ),
      ]);
      // A rule that is covered as a whole has no uncovered part.
      const expected = parts.filter((part) => !owned.some((one) => coversPart(one, part))).length;
      expect(uncovered.length).toBe(expected);
    }),
    { numRuns: 1000 },
  );
});

test("a rule with more than 10,000 parts must be covered as a whole", () => {
  const values = (count: number) => Array.from({ length: count }, (_, i) => `v${i}`);
  const owned = [rule("get *"), rule("v0 *")];
  const wide = (verbs: number) =>
    policyRule({ verbs: values(verbs), apiGroups: [""], resources: values(50), resourceNames: values(10) });
  // Of 10,000 parts, only those of the owner's verb are covered.
  expect(uncoveredRules(owned, [wide(20)])).toHaveLength(9_500);
  expect(uncoveredRules(owned, [wide(21)])).toEqual([wide(21)]);
  const unnamed = policyRule({ verbs: values(100), apiGroups: [""], resources: values(100) });
  expect(uncoveredRules(owned, [unnamed])).toHaveLength(9_900);
  const wider = { ...unnamed, verbs: values(101) };
  expect(uncoveredRules(owned, [wider])).toEqual([wider]);
  expect(uncoveredRules([rule("* *")], [wider])).toEqual([]);
  const paths = policyRule({ verbs: values(2), nonResourceURLs: values(5_001) });
  expect(uncoveredRules(owned, [paths])).toEqual([paths]);
});

test("lines of rules unite the verbs of an object, but not those of a path, and are sorted", () => {
  const parts = ["get pods", "get configmaps a", "list pods", "get /b", "list /b", "get pods"].map(rule);
  expect(ruleLines(parts)).toEqual([
    '{APIGroups:[""], Resources:["configmaps"], ResourceNames:["a"], Verbs:["get"]}',
    '{APIGroups:[""], Resources:["pods"], Verbs:["get" "list" "get"]}',
    '{NonResourceURLs:["/b"], Verbs:["get"]}',
    '{NonResourceURLs:["/b"], Verbs:["list"]}',
  ]);
});
