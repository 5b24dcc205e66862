import { expect, test } from "vitest";
import type { JsonObject } from "../../src/apimachinery/json.ts";
import type { UserInfo } from "../../src/apimachinery/user-info.ts";
import { AuthorizationMetrics } from "../../src/authorization/contract/authorization-metrics.ts";
import type { AuthorizationAttributes, Decision } from "../../src/authorization/contract/authorizer.ts";
import {
  pathMatches,
  pathPrefixOf,
  policyRule,
  policyRuleObject,
  policyRulesOf,
} from "../../src/authorization/contract/policy-rule.ts";
import {
  resourceAttributes,
  resourceQuestion,
} from "../../src/authorization/contract/resource-attributes.ts";
import { type AuthorizationMode, authorizationOf } from "../../src/authorization/modes.ts";
import { featureGates } from "../../src/catalog/feature-gates.ts";
import { VirtualClock } from "../../src/index.ts";
import { PlainLister, stateOf } from "./plain-lister.ts";

const eve: UserInfo = { name: "eve", uid: "", groups: [], extra: {} };
const question = { verb: "get", group: "", version: "v1", resource: "pods", namespace: "ns", name: "" };
const policy = {
  user: "eve",
  group: "",
  readonly: false,
  apiGroup: "*",
  resource: "*",
  namespace: "*",
  nonResourcePath: "",
};

/** What modes decide about a user, with a webhook that allows everything to those whose name it likes. */
async function decided(modes: readonly AuthorizationMode[], { hasWebhook = true, user = eve } = {}) {
  const metrics = new AuthorizationMetrics();
  const target = (review: JsonObject): JsonObject => {
    const { user: asking } = review["spec"] as { readonly user: string };
    return { ...review, status: { allowed: asking === "eve", denied: asking === "mallory" } };
  };
  const webhook = {
    name: "webhook",
    target,
    title: "t",
    version: "v1" as const,
    timeoutMilliseconds: 1000,
    authorizedMilliseconds: 0,
    unauthorizedMilliseconds: 0,
    onFailure: "noOpinion" as const,
    matchConditions: [],
  };
  const authorization = authorizationOf(modes, {
    release: "1.34",
    gates: featureGates("1.34"),
    policies: [policy],
    webhook: hasWebhook ? webhook : undefined,
    clock: new VirtualClock(0),
    metrics,
    nodeRules: () => [],
  })(stateOf(new PlainLister()));
  const attributes: AuthorizationAttributes = resourceAttributes(user, question);
  const { verdict } = await authorization.authorize(attributes);
  const counts = [...metrics.samples("decisions_total")];
  return { verdict, counts, members: authorization.members?.map(({ name }) => name) };
}

test.each<[AuthorizationMode, Decision["verdict"]]>([
  ["AlwaysAllow", "allow"],
  ["AlwaysDeny", "noOpinion"],
  ["ABAC", "allow"],
  ["Webhook", "allow"],
  ["RBAC", "noOpinion"],
  ["Node", "noOpinion"],
])("the mode %s decides after system:masters: %s", async (mode, verdict) => {
  const counts =
    verdict === "allow" ? [[`decision="allowed",name="${mode.toLowerCase()}",type="${mode}"`, 1]] : [];
  expect(await decided([mode])).toEqual({ verdict, counts, members: ["system:masters", mode] });
  const root = { ...eve, name: "root", groups: ["system:masters"] };
  expect(await decided([mode], { user: root })).toMatchObject({ verdict: "allow", counts: [] });
});

test("a decision that ends the authorization is counted for its mode, and no other", async () => {
  const modes = ["RBAC", "Webhook", "AlwaysAllow"] as const;
  expect(await decided(modes, { user: { ...eve, name: "mallory" } })).toMatchObject({
    verdict: "deny",
    counts: [['decision="denied",name="webhook",type="Webhook"', 1]],
  });
  expect(await decided(modes, { user: { ...eve, name: "bob" } })).toMatchObject({
    verdict: "allow",
    counts: [['decision="allowed",name="alwaysallow",type="AlwaysAllow"', 1]],
  });
});

test("the mode Webhook without a webhook allows nothing", async () => {
  expect(await decided(["Webhook"], { hasWebhook: false })).toMatchObject({
    verdict: "noOpinion",
    counts: [],
  });
});

test("durations have upstream's bounds", () => {
  const { attempts, matchConditions, reloads } = new AuthorizationMetrics();
  expect([attempts.bounds[0], attempts.bounds[1], attempts.bounds.length]).toEqual([0.001, 0.002, 15]);
  expect(matchConditions.bounds).toEqual([0.001, 0.005, 0.01, 0.025, 0.1, 0.2, 0.25]);
  expect(reloads()).toBeUndefined();
});

test.each([
  ["/a", "/a", true],
  ["/a", "/a/b", false],
  ["/a*", "/ab", true],
  ["/a/*", "/a", false],
  ["*", "/a", true],
  ["/b*", "/a", false],
  ["/a**", "/ab", true],
])("the path %s of a rule and %s: %s", (pattern, path, matches) => {
  expect(pathMatches(pattern, path)).toBe(matches);
});

test.each([
  ["/a", undefined],
  ["/a*", "/a"],
  ["/a***", "/a"],
  ["a*", "a"],
  ["*", ""],
  ["**", ""],
])("the paths that %s matches begin with %s", (pattern, prefix) =>
  expect(pathPrefixOf(pattern)).toBe(prefix),
);

test("a rule is read with all of its fields, and written in their order without empty ones", () => {
  const manifest = {
    apiGroups: ["a"],
    resources: ["b"],
    resourceNames: ["c"],
    nonResourceURLs: ["/d"],
    verbs: ["e"],
  };
  const rules = policyRulesOf({ rules: [manifest, {}] });
  expect(rules).toEqual([manifest, policyRule({})]);
  expect(rules.map((rule) => JSON.stringify(policyRuleObject(rule)))).toEqual([
    JSON.stringify(manifest),
    '{"verbs":[]}',
  ]);
});

test.each([
  ["ns", true],
  ["", false],
])("a question in the namespace %j is one below a namespace: %s", (namespace, isBelowNamespace) => {
  expect(resourceQuestion({ ...question, namespace })).toEqual({
    ...question,
    namespace,
    subresource: "",
    fieldSelector: "",
    labelSelector: "",
    isResourceRequest: true,
    isBelowNamespace,
    path: "",
    parts: [],
  });
});
