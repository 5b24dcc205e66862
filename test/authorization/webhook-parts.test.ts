import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/apimachinery/json.ts";
import { AuthorizationMetrics } from "../../src/authorization/contract/authorization-metrics.ts";
import type { Decision } from "../../src/authorization/contract/authorizer.ts";
import { resourceQuestion } from "../../src/authorization/contract/resource-attributes.ts";
import { accessReviews } from "../../src/authorization/webhook/access-reviews.ts";
import { DecisionCache } from "../../src/authorization/webhook/decision-cache.ts";
import { matchCondition, matchConditions } from "../../src/authorization/webhook/match-conditions.ts";
import { reviewSpec } from "../../src/authorization/webhook/review-spec.ts";
import { featureGates } from "../../src/catalog/feature-gates.ts";
import { VirtualClock } from "../../src/index.ts";
import type { ReviewFunction } from "../../src/webhooks/webhook-target.ts";

const eve = { name: "eve", uid: "", groups: [] as readonly string[], extra: {} };
const question = { verb: "list", group: "", version: "v1", resource: "pods", namespace: "ns", name: "" };
const gates = featureGates("1.34");
const options = { version: "v1" as const, hasSelectors: true, since: gates.since };

describe("the spec of a review", () => {
  const spec = (user: object, more: object = {}) =>
    reviewSpec({ user: { ...eve, ...user }, info: resourceQuestion({ ...question, ...more }) }, options);
  const resourceAttributes = { namespace: "ns", verb: "list", version: "v1", resource: "pods" };

  test.each<[string, object, object]>([
    ["nothing but a name", {}, { user: "eve" }],
    ["groups and a UID", { groups: ["a", "b"], uid: "u" }, { user: "eve", groups: ["a", "b"], uid: "u" }],
    ["one group", { groups: ["a"] }, { user: "eve", groups: ["a"] }],
    ["one entry of extra", { extra: { a: ["1"] } }, { user: "eve", extra: { a: ["1"] } }],
    [
      "extra, sorted",
      { extra: { b: ["1"], a: ["2", "3"] } },
      { user: "eve", extra: { a: ["2", "3"], b: ["1"] } },
    ],
  ])("of a user with %s", (_title, user, expected) => {
    expect(JSON.stringify(spec(user))).toBe(JSON.stringify({ resourceAttributes, ...expected }));
  });

  test("of v1beta1 has the field group", () => {
    const attributes = { user: { ...eve, groups: ["a"] }, info: resourceQuestion(question) };
    expect(reviewSpec(attributes, { ...options, version: "v1beta1" })).toMatchObject({ group: ["a"] });
  });

  test.each<[string, object]>([
    ["a=b", { key: "a", operator: "In", values: ["b"] }],
    ["a==b", { key: "a", operator: "In", values: ["b"] }],
    ["a in (b,c)", { key: "a", operator: "In", values: ["b", "c"] }],
    ["a!=b", { key: "a", operator: "NotIn", values: ["b"] }],
    ["a notin (b)", { key: "a", operator: "NotIn", values: ["b"] }],
    ["a", { key: "a", operator: "Exists" }],
    ["!a", { key: "a", operator: "DoesNotExist" }],
  ])("has the label selector %s", (labelSelector, requirement) => {
    expect(spec({}, { labelSelector })).toEqual({
      user: "eve",
      resourceAttributes: { ...resourceAttributes, labelSelector: { requirements: [requirement] } },
    });
  });

  test.each<[string, object]>([
    ["a=b", { key: "a", operator: "In", values: ["b"] }],
    ["a!=b", { key: "a", operator: "NotIn", values: ["b"] }],
  ])("has the field selector %s", (fieldSelector, requirement) => {
    expect(spec({}, { fieldSelector })).toEqual({
      user: "eve",
      resourceAttributes: { ...resourceAttributes, fieldSelector: { requirements: [requirement] } },
    });
  });

  test.each([
    { labelSelector: "a>b" },
    { labelSelector: "((" },
    { labelSelector: "a > 5" },
    { fieldSelector: "a" },
  ])("has no selector without a name or that cannot be parsed: %j", (selector) =>
    expect(spec({}, selector)).toEqual({ user: "eve", resourceAttributes }),
  );
});

describe("answers that are remembered", () => {
  const cacheAt = () => {
    const clock = new VirtualClock("2026-01-01T00:00:00Z");
    return { clock, cache: new DecisionCache(clock, 8192) };
  };

  test("are forgotten after their time, and replaced", async () => {
    const { clock, cache } = cacheAt();
    cache.set("a", { allowed: true }, 1000);
    await clock.advance(1000);
    expect(cache.get("a")).toEqual({ allowed: true });
    await clock.advance(1);
    expect(cache.get("a")).toBeUndefined();
    cache.set("a", { allowed: true }, 1000);
    cache.set("a", { allowed: false }, 2000);
    await clock.advance(1001);
    expect(cache.get("a")).toEqual({ allowed: false });
  });

  test("are at most 8,192; the least recently used goes first", () => {
    const { cache } = cacheAt();
    for (let n = 0; n < 8192; n++) cache.set(String(n), {}, 1000);
    expect(cache.get("0")).toEqual({});
    cache.set("new", {}, 1000);
    expect([cache.get("0"), cache.get("1"), cache.get("2"), cache.get("new")]).toEqual([
      {},
      undefined,
      {},
      {},
    ]);
  });

  test("have at most 16 Mi characters, those of replaced ones not counted", async () => {
    const { clock, cache } = cacheAt();
    const half = "x".repeat(8 * 1024 * 1024 - 2);
    // A status of an empty object has two characters.
    for (let n = 0; n < 3; n++) cache.set(half, {}, 1000);
    const other = half.replace("x", "y");
    cache.set(other, {}, 1000);
    expect([cache.get(half), cache.get(other)]).toEqual([{}, {}]);
    cache.set("", {}, 1000);
    expect([cache.get(half), cache.get(other), cache.get("")]).toEqual([undefined, {}, {}]);
    // What has expired is not counted either.
    await clock.advance(1001);
    expect(cache.get(other)).toBeUndefined();
    cache.set(half, {}, 1000);
    expect(cache.get(half)).toEqual({});
  });
});

describe("conditions", () => {
  const matches = (spec: JsonObject, ...expressions: readonly string[]) => {
    const metrics = new AuthorizationMetrics();
    const clock = new VirtualClock("2026-01-01T00:00:00Z");
    const compiled = expressions.map((expression) => {
      const condition = matchCondition(expression, "1.34");
      return "problem" in condition ? expect.fail(condition.problem) : condition;
    });
    const counted = (
      counter: "match_condition_evaluation_errors_total" | "match_condition_exclusions_total",
    ) => metrics.samples(counter).get('name="h",type="Webhook"') ?? 0;
    let result: unknown;
    try {
      result = matchConditions(compiled, "h", { clock, metrics })(spec);
    } catch (error) {
      result = (error as Error).message;
    }
    expect([...metrics.matchConditions.series]).toMatchObject([['name="h",type="Webhook"', { count: 1 }]]);
    const errors = counted("match_condition_evaluation_errors_total");
    return [result, errors, counted("match_condition_exclusions_total")];
  };

  test.each<[string, JsonObject, boolean]>([
    ["request.user == 'eve' && request.uid == 'u'", { user: "eve", uid: "u" }, true],
    ["request.groups == ['a', 'b']", { groups: ["a", "b"] }, true],
    ["request.groups == ['a']", { group: ["a"] }, true],
    ["request.extra['k'] == ['v']", { extra: { k: ["v"] } }, true],
    ["request.user == '' && request.uid == '' && request.groups == []", {}, true],
    ["has(request.nonResourceAttributes)", { resourceAttributes: { verb: "get" } }, false],
    ["has(request.resourceAttributes)", { nonResourceAttributes: { verb: "get", path: "/x" } }, false],
    [
      "request.nonResourceAttributes.verb == 'get' && request.nonResourceAttributes.path == '/x'",
      { nonResourceAttributes: { verb: "get", path: "/x" } },
      true,
    ],
    [
      "has(request.resourceAttributes.fieldSelector) || has(request.resourceAttributes.labelSelector)",
      { resourceAttributes: { verb: "list" } },
      false,
    ],
    [
      "has(request.resourceAttributes.labelSelector)",
      { resourceAttributes: { labelSelector: { requirements: [{ key: "a" }] } } },
      true,
    ],
    [
      "request.resourceAttributes.labelSelector.requirements[0].key == 'a'",
      { resourceAttributes: { labelSelector: { requirements: [{ key: "a" }] } } },
      true,
    ],
    ...["namespace", "verb", "group", "version", "resource", "subresource", "name"].flatMap(
      (name): [string, JsonObject, boolean][] => [
        [`request.resourceAttributes.${name} == 'x'`, { resourceAttributes: { [name]: "x" } }, true],
        [`request.resourceAttributes.${name} == ''`, { resourceAttributes: {} }, true],
      ],
    ),
    [
      "request.resourceAttributes.fieldSelector.requirements[0].key == 'a'",
      { resourceAttributes: { fieldSelector: { requirements: [{ key: "a" }] } } },
      true,
    ],
  ])("%s of %j: %s", (expression, spec, expected) => {
    expect(matches(spec, expression)).toEqual([expected, 0, expected ? 0 : 1]);
  });

  test.each([
    ["request", "kubernetes.SubjectAccessReviewSpec"],
    ["request.resourceAttributes", "kubernetes.ResourceAttributes"],
    ["request.resourceAttributes.fieldSelector", "kubernetes.FieldSelectorAttributes"],
    ["request.resourceAttributes.labelSelector", "kubernetes.LabelSelectorAttributes"],
    ["request.resourceAttributes.labelSelector.requirements", "list(kubernetes.SelectorRequirement)"],
    ["request.nonResourceAttributes", "kubernetes.NonResourceAttributes"],
  ])("%s has the type %s", (part, type) => {
    expect(matchCondition(`${part} == 1`, "1.34")).toMatchObject({
      problem: expect.stringContaining(`no matching overload for '_==_' applied to '(${type}, int)'`),
    });
  });

  test("take as long as the clock says", () => {
    const metrics = new AuthorizationMetrics();
    let now = 1000;
    const clock = { now: () => (now += 1500), after: () => expect.fail("no timers") };
    matchConditions([], "h", { clock, metrics })({});
    expect([...metrics.matchConditions.series.values()]).toMatchObject([{ sum: 1.5, count: 1 }]);
  });

  test("after a false one, no other is evaluated", () => {
    const broken = "request.extra['x'] == []";
    expect(matches({}, "false", broken)).toEqual([false, 0, 1]);
    expect(matches({}, broken, "false")).toEqual([false, 1, 1]);
    expect(matches({}, broken, "true")).toEqual([expect.stringMatching("no such key: x"), 1, 0]);
  });
});

describe("a webhook's answer", () => {
  const decided = async (
    status: object | Error,
    onFailure: "deny" | "noOpinion",
    conditions?: () => boolean,
  ): Promise<Decision & { calls: number }> => {
    let calls = 0;
    const target: ReviewFunction = (review) => {
      calls += 1;
      if (status instanceof Error) throw status;
      return { ...review, status: JSON.parse(JSON.stringify(status)) };
    };
    const clock = new VirtualClock("2026-01-01T00:00:00Z");
    const authorize = accessReviews(
      {
        name: "h",
        target,
        title: "t",
        version: "v1",
        timeoutMilliseconds: 1000,
        authorizedMilliseconds: 1000,
        unauthorizedMilliseconds: 0,
        onFailure,
        matchConditions: [],
      },
      { clock, gates, metrics: new AuthorizationMetrics() },
      conditions,
    );
    const attributes = { user: eve, info: resourceQuestion(question) };
    await authorize(attributes);
    return { ...(await authorize(attributes)), calls };
  };

  test.each<[object, object]>([
    [
      { allowed: true, reason: "r" },
      { verdict: "allow", reason: "r", calls: 1 },
    ],
    [
      { allowed: false, reason: "r" },
      { verdict: "noOpinion", reason: "r", calls: 2 },
    ],
    [
      { denied: true, reason: "r" },
      { verdict: "deny", reason: "r", calls: 2 },
    ],
    [
      { allowed: true, denied: true, reason: "r" },
      {
        verdict: "deny",
        reason: "r",
        error: "webhook subject access review returned both allow and deny response",
        calls: 1,
      },
    ],
  ])("%j decides, and is kept if its time is not zero", async (status, expected) => {
    expect(await decided(status, "noOpinion")).toEqual(expected);
  });

  test.each(["deny", "noOpinion"] as const)("that fails is decided by the policy: %s", async (onFailure) => {
    const { calls: _, ...decision } = await decided({ allowed: "yes" }, onFailure);
    expect(decision).toEqual({
      verdict: onFailure,
      reason: "",
      error: expect.stringMatching("SubjectAccessReviewStatus"),
    });
    expect(await decided({ reason: 7 }, onFailure)).toMatchObject({ verdict: onFailure, reason: "" });
  });

  test("is not asked for if a condition is false", async () => {
    expect(await decided({ allowed: true }, "deny", () => false)).toEqual({
      verdict: "noOpinion",
      reason: "",
      calls: 0,
    });
  });
});

test("metrics that are reset count from zero", () => {
  const metrics = new AuthorizationMetrics();
  metrics.count("decisions_total", "a");
  metrics.count("decisions_total", "a");
  expect([...metrics.samples("decisions_total")]).toEqual([["a", 2]]);
  metrics.countAttempt({ verdict: "allow", reason: "" }, 0);
  metrics.matchConditions.observe("a", 0);
  metrics.webhookCalls.observe("a", 0);
  metrics.reset();
  const { attempts, matchConditions, webhookCalls } = metrics;
  expect([attempts, matchConditions, webhookCalls].map(({ series }) => series.size)).toEqual([0, 0, 0]);
  expect([...metrics.samples("decisions_total")]).toEqual([]);
});

test.each<[Decision, string]>([
  [{ verdict: "allow", reason: "" }, "allowed"],
  [{ verdict: "allow", reason: "", error: "e" }, "allowed"],
  [{ verdict: "deny", reason: "" }, "denied"],
  [{ verdict: "deny", reason: "", error: "e" }, "error"],
  [{ verdict: "noOpinion", reason: "" }, "no-opinion"],
  [{ verdict: "noOpinion", reason: "", error: "" }, "error"],
])("the decision %j is counted as %s", (decision, result) => {
  const metrics = new AuthorizationMetrics();
  metrics.countAttempt(decision, 0.003);
  expect([...metrics.attempts.series.keys()]).toEqual([`result="${result}"`]);
});
