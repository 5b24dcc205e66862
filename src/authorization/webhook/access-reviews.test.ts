import { describe, expect, test } from "vitest";
import type { Clock } from "../../apimachinery/clock.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import { parseRelease, type Release } from "../../apimachinery/release.ts";
import { featureGates } from "../../catalog/feature-gates.ts";
import { type AuthorizationCounter, AuthorizationMetrics } from "../contract/authorization-metrics.ts";
import type { AuthorizationAttributes } from "../contract/authorizer.ts";
import { resourceAttributes } from "../contract/resource-attributes.ts";
import { accessReviews } from "./access-reviews.ts";
import { MatchError } from "./match-conditions.ts";
import { webhookAuthorization } from "./webhook-authorization.ts";
import type { WebhookAuthorizerConfig } from "./webhook-authorizer-config.ts";

const eve = { name: "eve", uid: "", groups: [], extra: {} };
const question = { verb: "list", group: "", version: "v1", resource: "pods", namespace: "ns", name: "" };

/** A clock that stands still, but for what a test lets pass. */
function standing(): Clock & { pass(milliseconds: number): void } {
  let now = 0;
  return {
    now: () => now,
    after: () => ({ cancel() {} }),
    pass: (milliseconds) => {
      now += milliseconds;
    },
  };
}

/** An authorizer whose webhook answers with a status, and what the webhook saw. */
function asking(
  status: () => unknown,
  config: Partial<WebhookAuthorizerConfig> = {},
  {
    clock = standing() as Clock,
    release = "1.34" as Release,
    conditions = undefined as (() => boolean) | undefined,
  } = {},
) {
  const reviews: JsonObject[] = [];
  const metrics = new AuthorizationMetrics();
  const complete: WebhookAuthorizerConfig = {
    name: "h",
    target: async (review) => {
      reviews.push(JSON.parse(JSON.stringify(review)));
      return { ...review, status: JSON.parse(JSON.stringify(await status())) };
    },
    title: "t",
    version: "v1",
    timeoutMilliseconds: 1000,
    authorizedMilliseconds: 0,
    unauthorizedMilliseconds: 0,
    onFailure: "noOpinion",
    matchConditions: [],
    ...config,
  };
  const environment = { clock, metrics, gates: featureGates(parseRelease(release)) };
  const authorize = accessReviews(complete, environment, conditions);
  const counted = (counter: AuthorizationCounter) => Object.fromEntries(metrics.samples(counter));
  return { authorize, reviews, metrics, counted, complete, environment };
}

const attributes = (more: object = {}): AuthorizationAttributes =>
  resourceAttributes(eve, { ...question, ...more });
const path = (named: string): AuthorizationAttributes => ({
  user: eve,
  info: { isResourceRequest: false, verb: "get", path: named },
});

describe("a review", () => {
  const head = { kind: "SubjectAccessReview", apiVersion: "authorization.k8s.io/v1" };
  const requirements = [{ key: "a", operator: "In", values: ["b"] }];
  const plain = { namespace: "ns", verb: "list", version: "v1", resource: "pods" };

  test.each<[Release, object, object]>([
    ["1.31", { creationTimestamp: null }, plain],
    ["1.33", { creationTimestamp: null }, { ...plain, labelSelector: { requirements } }],
    ["1.34", {}, { ...plain, labelSelector: { requirements } }],
  ])("of %s has its metadata and the selectors", async (release, metadata, expected) => {
    const { authorize, reviews } = asking(() => ({}), {}, { release });
    await authorize(attributes({ labelSelector: "a=b" }));
    const spec = { resourceAttributes: expected, user: "eve" };
    expect(reviews).toEqual([{ ...head, metadata, spec, status: { allowed: false } }]);
  });

  test("of a path has the path and the verb", async () => {
    const { authorize, reviews } = asking(() => ({}));
    await authorize(path("/metrics"));
    expect(reviews[0]?.["spec"]).toEqual({
      nonResourceAttributes: { path: "/metrics", verb: "get" },
      user: "eve",
    });
  });
});

describe("conditions", () => {
  test("that cannot be evaluated are decided by the policy", async () => {
    const conditions = () => {
      throw new MatchError("no such key");
    };
    const { authorize, reviews } = asking(() => ({}), { onFailure: "deny" }, { conditions });
    expect(await authorize(attributes())).toEqual({ verdict: "deny", reason: "", error: "no such key" });
    expect(reviews).toEqual([]);
  });

  test("that are false are no opinion", async () => {
    const { authorize, reviews } = asking(() => ({}), { onFailure: "deny" }, { conditions: () => false });
    expect(await authorize(attributes())).toEqual({ verdict: "noOpinion", reason: "" });
    expect(reviews).toEqual([]);
  });

  test("whose code fails decide nothing", async () => {
    const conditions = () => {
      throw new Error("a mistake");
    };
    await expect(asking(() => ({}), {}, { conditions }).authorize(attributes())).rejects.toThrow("a mistake");
  });
});

describe("metrics", () => {
  const seconds = ({ webhookCalls }: AuthorizationMetrics) =>
    [...webhookCalls.series].map(([labels, { sum, count }]) => [labels, sum, count]);

  test("count and time an answer", async () => {
    const clock = standing();
    const { authorize, counted, metrics } = asking(() => clock.pass(2500) ?? {}, {}, { clock });
    await authorize(attributes());
    const labels = 'name="h",result="success"';
    expect(counted("webhook_evaluations_total")).toEqual({ [labels]: 1 });
    expect(seconds(metrics)).toEqual([[labels, 2.5, 1]]);
    expect(counted("webhook_evaluations_fail_open_total")).toEqual({});
  });

  test.each([
    ["noOpinion", { 'name="h",result="error"': 1 }],
    ["deny", {}],
  ] as const)(
    "with the policy %s, a failure that is no opinion counts as open: %j",
    async (onFailure, open) => {
      const { authorize, counted } = asking(() => Promise.reject(new Error("broken")), { onFailure });
      expect(await authorize(attributes())).toEqual({ verdict: onFailure, reason: "", error: "broken" });
      expect(counted("webhook_evaluations_total")).toEqual({ 'name="h",result="error"': 1 });
      expect(counted("webhook_evaluations_fail_open_total")).toEqual(open);
    },
  );

  test.each(["noOpinion", "deny"] as const)(
    "with the policy %s, a request whose client is gone is canceled and not open",
    async (onFailure) => {
      const leaving = new AbortController();
      const status = () => {
        leaving.abort();
        return new Promise(() => {});
      };
      const { authorize, counted } = asking(status, { onFailure });
      const decision = await authorize({ ...attributes(), request: leaving });
      expect(decision).toEqual({ verdict: onFailure, reason: "", error: "context canceled" });
      expect(counted("webhook_evaluations_total")).toEqual({ 'name="h",result="canceled"': 1 });
      expect(counted("webhook_evaluations_fail_open_total")).toEqual({});
    },
  );
});

describe("an answer", () => {
  test.each([
    [{ allowed: "yes" }, "string into Go struct field SubjectAccessReviewStatus.status.allowed of type bool"],
    [{ denied: 1 }, "number into Go struct field SubjectAccessReviewStatus.status.denied of type bool"],
    [{ reason: 7 }, "number into Go struct field SubjectAccessReviewStatus.status.reason of type string"],
  ])("with a field of another type is a failure: %j", async (status, problem) => {
    const decision = await asking(() => status).authorize(attributes());
    expect(decision.error).toBe(`json: cannot unmarshal ${problem}`);
  });

  test("that the code cannot wait for decides nothing", async () => {
    const clock: Clock = {
      now: () => 0,
      after: () => {
        throw new Error("a mistake");
      },
    };
    await expect(asking(() => ({}), {}, { clock }).authorize(attributes())).rejects.toThrow("a mistake");
  });

  test.each([
    [0, 2],
    [1, 1],
  ])("that is kept for %i milliseconds is asked for %i times", async (unauthorizedMilliseconds, calls) => {
    const { authorize, reviews } = asking(() => ({}), { unauthorizedMilliseconds });
    for (const _ of [1, 2]) await authorize(attributes());
    expect(reviews).toHaveLength(calls);
  });

  // "list", "v1", "pods" and "ns" have twelve characters, and "get" three.
  test.each([
    ["a resource of 9,999 characters", attributes({ name: "x".repeat(9987), labelSelector: "a=b" }), 1],
    ["a resource of 10,000 characters", attributes({ name: "x".repeat(9988), labelSelector: "a=b" }), 2],
    ["a path of 9,999 characters", path("x".repeat(9996)), 1],
    ["a path of 10,000 characters", path("x".repeat(9997)), 2],
  ])("to %s is asked for %i times", async (_title, asked, calls) => {
    const { authorize, reviews } = asking(() => ({}), { unauthorizedMilliseconds: 1000 });
    for (const _ of [1, 2]) await authorize(asked);
    expect(reviews).toHaveLength(calls);
  });
});

test("the answers to 8,192 requests are remembered, without the least recently used", async () => {
  const { authorize, reviews } = asking(() => ({}), { unauthorizedMilliseconds: 1000 });
  const isAsked = async (number: number) => {
    const before = reviews.length;
    await authorize(path(`/${number}`));
    return reviews.length > before;
  };
  for (let number = 0; number < 8192; number++) await authorize(path(`/${number}`));
  expect(await isAsked(0)).toBe(false);
  expect(await isAsked(8192)).toBe(true);
  expect([await isAsked(1), await isAsked(0), await isAsked(8192)]).toEqual([true, false, false]);
});

test("the mode Webhook asks the webhook, and cannot list what it allows", async () => {
  const { complete, environment, reviews } = asking(() => ({ allowed: true, reason: "r" }));
  const lister = { get: () => undefined, list: () => [], follow: () => ({ next: () => undefined }) };
  const roles = { of: () => [], allowing: () => undefined, role: () => undefined };
  const { authorize, rulesFor } = webhookAuthorization(complete, environment)({ lister, roles });
  for (const _ of [1, 2]) {
    expect(await authorize(attributes())).toEqual({ verdict: "allow", reason: "r" });
  }
  expect(reviews).toHaveLength(2);
  expect(rulesFor(eve, "ns")).toEqual({
    rules: [],
    isIncomplete: true,
    errors: ["webhook authorizer does not support user rule resolution"],
  });
});
