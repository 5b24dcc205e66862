import { expect, test } from "vitest";
import { VirtualClock } from "../../apimachinery/clock.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import { parseRelease, type Release } from "../../apimachinery/release.ts";
import { featureGates } from "../../catalog/feature-gates.ts";
import type { ReviewFunction } from "../../webhooks/webhook-target.ts";
import type { AuthenticationConfig } from "../contract/authentication-config.ts";
import { AuthenticationMetrics } from "../contract/authentication-metrics.ts";
import { tokenReviews } from "./token-reviews.ts";

const api = ["https://api", "other"];
const clock = () => new VirtualClock("2026-01-01T00:00:00Z");

/** A method that asks this function. */
function methodOf(
  target: ReviewFunction,
  options: { cache?: number; release?: Release; time?: VirtualClock } = {},
) {
  const { cache = 0, release = "1.32", time = clock() } = options;
  // The method reads nothing else of the configuration.
  const config = { apiAudiences: api } as unknown as AuthenticationConfig;
  const webhook = { target, title: "option", version: "v1", cacheMilliseconds: cache } as const;
  return tokenReviews(webhook, {
    clock: time,
    metrics: new AuthenticationMetrics(),
    config,
    gates: featureGates(parseRelease(release), new Map()),
  });
}

const answering =
  (status: JsonObject): ReviewFunction =>
  (review) => ({ ...review, status });
const some = { username: "somebody" };
const person = {
  username: "person@place.com",
  uid: "abcd-1234",
  groups: ["stuff-dev", "main-eng"],
  extra: { foo: ["bar", "baz"], ["__proto__"]: ["x"] },
};
const named = (name: string) => ({ name, uid: "", groups: [], extra: {} });

// The cases of upstream's TestV1WebhookTokenAuthenticator, and what it does not have.
test.each<[string, JsonObject, readonly string[], object]>([
  [
    "all of the user counts",
    { authenticated: true, user: person },
    api,
    {
      type: "authenticated",
      user: { name: person.username, uid: person.uid, groups: person.groups, extra: person.extra },
      audiences: api,
    },
  ],
  [
    "a user of an unknown token does not count",
    { authenticated: false, user: person },
    api,
    { type: "noOpinion" },
  ],
  [
    "without audiences, those of the API are meant",
    { authenticated: true, user: some },
    ["other", "strange"],
    { type: "authenticated", user: named("somebody"), audiences: ["other"] },
  ],
  [
    "without audiences, no others are meant",
    { authenticated: true, user: some },
    ["x"],
    { type: "noOpinion" },
  ],
  [
    "audiences of the webhook count",
    { authenticated: true, user: some, audiences: ["y", "x"] },
    ["x", "y", "z"],
    { type: "authenticated", user: named("somebody"), audiences: ["x", "y"] },
  ],
  [
    "other audiences are no success",
    { authenticated: true, user: some, audiences: ["x"] },
    api,
    { type: "noOpinion" },
  ],
  ["an error is a rejection", { error: "expired" }, api, { type: "rejected", message: "expired" }],
  [
    "an error does not undo a success",
    { authenticated: true, user: some, error: "e" },
    api,
    { type: "authenticated" },
  ],
  [
    "text is no boolean",
    { authenticated: "true", user: some },
    api,
    {
      type: "rejected",
      message:
        "json: cannot unmarshal string into Go struct field TokenReviewStatus.status.authenticated of type bool",
    },
  ],
])("%s", async (_title, status, wanted, expected) => {
  expect(await methodOf(answering(status))("t0k3n", wanted)).toMatchObject(expected);
});

test.each<[Release, object]>([
  ["1.32", { creationTimestamp: null }],
  ["1.34", {}],
])("the review of %s is that of the release", async (release, metadata) => {
  const sent: JsonObject[] = [];
  const method = methodOf(
    (review) => {
      sent.push(review);
      return review;
    },
    { release },
  );
  await method("t0k3n", api);
  expect(JSON.stringify(sent)).toBe(
    JSON.stringify([
      {
        kind: "TokenReview",
        apiVersion: "authentication.k8s.io/v1",
        metadata,
        spec: { token: "t0k3n", audiences: api },
        status: { user: {} },
      },
    ]),
  );
});

test("answers count until their time, by token and audiences; failures do not", async () => {
  const time = clock();
  const calls: unknown[] = [];
  let status: JsonObject = { authenticated: true, user: some };
  const method = methodOf(
    (review) => {
      calls.push(review["spec"]);
      return { ...review, status };
    },
    { cache: 120_000, time },
  );
  await Promise.all([method("a", api), method("a", api)]);
  await method("a", ["other"]);
  await method("b", api);
  expect(calls).toHaveLength(3);
  status = { error: "down" };
  await time.advance(119_999);
  expect(await method("a", api)).toMatchObject({ type: "authenticated" });
  await time.advance(1);
  expect(await method("a", api)).toEqual({ type: "rejected", message: "down" });
  await method("a", api);
  expect(calls).toHaveLength(5);
  status = { authenticated: false };
  expect(await method("a", api)).toEqual({ type: "noOpinion" });
  status = { authenticated: true, user: some };
  expect(await method("a", api)).toEqual({ type: "noOpinion" });
  expect(calls).toHaveLength(6);
});

test.each<[string, ReviewFunction, string]>([
  ["what it throws", () => Promise.reject(new Error("no")), "no"],
  ["no object", () => JSON.parse("[]"), "couldn't get version/kind; json parse error"],
  ["nothing", () => JSON.parse("null"), "couldn't get version/kind; json parse error"],
  [
    "another version",
    (review) => ({ ...review, apiVersion: "authentication.k8s.io/v1beta1" }),
    "converting (v1beta1.TokenReview) to (v1.TokenReview): unknown conversion",
  ],
  [
    "another kind",
    (review) => ({ ...review, kind: "Pod", apiVersion: "v1" }),
    'no kind "Pod" is registered for version "v1"',
  ],
])("the answer %s is a rejection", async (_title, target, message) => {
  const answer = await methodOf(target)("t", api);
  expect(answer).toMatchObject({ type: "rejected", message: expect.stringContaining(message) });
});

test("an answer without kind and version is one of the review's", async () => {
  const method = methodOf(() => ({ status: { authenticated: true, user: some } }));
  expect(await method("t", api)).toMatchObject({ type: "authenticated" });
});

test("a function that does not answer in ten seconds has failed", async () => {
  const time = clock();
  const answer = Promise.resolve(methodOf(() => new Promise(() => {}), { time })("t", api));
  await time.advance("9s");
  await time.advance("1s");
  expect(await answer).toEqual({ type: "rejected", message: "context deadline exceeded" });
});
