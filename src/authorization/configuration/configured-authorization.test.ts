import { describe, expect, test } from "vitest";
import { VirtualClock } from "../../apimachinery/clock.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import { parseRelease, type Release } from "../../apimachinery/release.ts";
import { featureGates } from "../../catalog/feature-gates.ts";
import { AuthorizationMetrics } from "../contract/authorization-metrics.ts";
import { policyRule } from "../contract/policy-rule.ts";
import { resourceAttributes } from "../contract/resource-attributes.ts";
import type { AuthorizationConfigurationSource } from "./authorization-configuration.ts";
import { configuredAuthorization } from "./configured-authorization.ts";

const eve = { name: "eve", uid: "", groups: ["dev"], extra: {} };
const root = { ...eve, groups: ["system:masters"] };
const lister = { get: () => undefined, list: () => [], follow: () => ({ next: () => undefined }) };
const roles = { of: () => [], allowing: () => undefined, role: () => undefined };

const text = (...authorizers: readonly object[]) =>
  JSON.stringify({
    apiVersion: "apiserver.config.k8s.io/v1",
    kind: "AuthorizationConfiguration",
    authorizers,
  });
const mode = (type: string) => ({ type, name: type.toLowerCase() });
const hook = (members: object = {}, name = "h") => ({
  type: "Webhook",
  name,
  webhook: {
    timeout: "3s",
    subjectAccessReviewVersion: "v1",
    matchConditionSubjectAccessReviewVersion: "v1",
    failurePolicy: "NoOpinion",
    connectionInfo: { type: "InClusterConfig" },
    ...members,
  },
});

const gone: AuthorizationConfigurationSource["readFile"] = () => {
  throw new Error("gone");
};

/** A configuration that is loaded, and what becomes of it. */
async function loaded(
  source: Partial<AuthorizationConfigurationSource> & Pick<AuthorizationConfigurationSource, "text">,
  { release = "1.34" as Release, closing = new AbortController() } = {},
) {
  const clock = new VirtualClock("2026-01-01T00:00:00Z");
  const metrics = new AuthorizationMetrics();
  const errors: string[] = [];
  const { authorizationOf, load } = configuredAuthorization(
    {
      webhooks: new Map(),
      readFile: gone,
      title: "option",
      hasPolicies: false,
      onReloadError: (error) => errors.push((error as Error).message),
      ...source,
    },
    {
      clock,
      metrics,
      release: parseRelease(release),
      gates: featureGates(parseRelease(release)),
      policies: [],
      webhook: undefined,
      nodeRules: () => [policyRule({ verbs: ["get"], apiGroups: [""], resources: ["events"] })],
    },
  );
  await load(closing.signal);
  const authorization = authorizationOf({ lister, roles });
  const asked = async (user = eve) =>
    authorization.authorize(
      resourceAttributes(user, {
        verb: "get",
        group: "",
        version: "v1",
        resource: "pods",
        namespace: "",
        name: "",
      }),
    );
  const verdict = async (user = eve) => (await asked(user)).verdict;
  const reloads = () => {
    const { success, failure } = metrics.reloads() ?? expect.fail();
    return { success, failure };
  };
  return { authorization, asked, verdict, reloads, clock, metrics, errors, closing };
}

const never = { count: 0, last: 0 };
/** Seconds after the clock starts. */
const at = (seconds: number) => Date.parse("2026-01-01T00:00:00Z") / 1000 + seconds;

test("before a configuration is loaded, only members of system:masters may do anything", async () => {
  const metrics = new AuthorizationMetrics();
  const { authorizationOf } = configuredAuthorization(
    {
      text: text(),
      webhooks: new Map(),
      readFile: gone,
      title: "",
      hasPolicies: false,
      onReloadError() {},
    },
    {
      clock: new VirtualClock(0),
      metrics,
      release: parseRelease("1.34"),
      gates: featureGates("1.34"),
      policies: [],
      webhook: undefined,
      nodeRules: () => [],
    },
  );
  const { authorize } = authorizationOf({ lister, roles });
  const info = { isResourceRequest: false, verb: "get", path: "/" } as const;
  expect(await authorize({ user: root, info })).toMatchObject({ verdict: "allow" });
  expect(await authorize({ user: eve, info })).toMatchObject({ verdict: "noOpinion" });
});

describe("modes", () => {
  test("are asked in order after system:masters, and have their metrics and rules", async () => {
    const { authorization, verdict, metrics } = await loaded({
      text: text(mode("Node"), mode("RBAC"), mode("AlwaysAllow")),
    });
    expect(authorization.members?.map(({ name }) => name)).toEqual([
      "system:masters",
      "Node",
      "RBAC",
      "AlwaysAllow",
    ]);
    expect([await verdict(root), await verdict()]).toEqual(["allow", "allow"]);
    expect([...metrics.samples("decisions_total")]).toEqual([
      ['decision="allowed",name="alwaysallow",type="AlwaysAllow"', 1],
    ]);
    expect(authorization.rulesFor(eve, "").rules).toHaveLength(2);
    // What they know of the state stays.
    expect(authorization.members?.[2]).toBe(authorization.members?.[2]);
  });

  test("ABAC needs policies", async () => {
    const source = { text: text(mode("ABAC")) };
    await expect(loaded(source)).rejects.toThrow("option: open : no such file or directory");
    expect(await (await loaded({ ...source, hasPolicies: true })).verdict()).toBe("noOpinion");
    expect(await (await loaded({ text: text(mode("AlwaysDeny")) })).verdict()).toBe("noOpinion");
  });

  test.each([
    ["Node", false, "option: Node"],
    ["RBAC", false, "option: RBAC"],
    ["ABAC", true, "option: ABAC"],
  ])("%s cannot be added later, but stay", async (type, hasPolicies, problem) => {
    let present = text(mode("AlwaysAllow"));
    const added = await loaded({ text: () => present, hasPolicies });
    present = text(mode(type));
    expect(await added.verdict()).toBe("allow");
    expect([added.errors, added.reloads()]).toEqual([
      [problem],
      { success: never, failure: { count: 1, last: at(0) } },
    ]);
    present = text(mode(type), mode("AlwaysDeny"));
    const kept = await loaded({ text: () => present, hasPolicies });
    const [, before] = kept.authorization.members ?? [];
    present = text(mode(type), mode("AlwaysAllow"));
    expect([await kept.verdict(), kept.errors]).toEqual(["allow", []]);
    expect(kept.authorization.members?.[1]?.authorization).toBe(before?.authorization);
  });

  test("AlwaysAllow and AlwaysDeny may be added later", async () => {
    let present = text(mode("AlwaysDeny"));
    const { verdict, errors } = await loaded({ text: () => present });
    expect(await verdict()).toBe("noOpinion");
    present = text(mode("AlwaysAllow"));
    expect([await verdict(), errors]).toEqual(["allow", []]);
  });
});

describe("a webhook", () => {
  /** Functions that note the reviews they get. */
  function noting(status: () => unknown) {
    const reviews: JsonObject[] = [];
    const h = async (review: JsonObject): Promise<JsonObject> => {
      reviews.push(review);
      return { ...review, status: JSON.parse(JSON.stringify(await status())) };
    };
    return { reviews, webhooks: new Map([["h", h]]) };
  }

  test.each([
    [{}, { allowed: true }, 300_000],
    [{}, {}, 30_000],
    [{ authorizedTTL: "7s" }, { allowed: true }, 7000],
    [{ unauthorizedTTL: "8s" }, {}, 8000],
  ])("with %j keeps %j for %i milliseconds", async (members, status, milliseconds) => {
    const { reviews, webhooks } = noting(() => status);
    const { asked, clock } = await loaded({ text: text(hook(members)), webhooks });
    await asked();
    await clock.advance(milliseconds);
    await asked();
    expect(reviews).toHaveLength(1);
    await clock.advance(1);
    await asked();
    expect(reviews).toHaveLength(2);
  });

  test.each([
    ["cacheAuthorizedRequests", { allowed: true }, 2],
    ["cacheAuthorizedRequests", {}, 1],
    ["cacheUnauthorizedRequests", { allowed: true }, 1],
    ["cacheUnauthorizedRequests", {}, 2],
  ])("without %s is asked about %j so many times: %i", async (field, status, calls) => {
    const { reviews, webhooks } = noting(() => status);
    const { asked } = await loaded({ text: text(hook({ [field]: false })), webhooks });
    for (const _ of [1, 2]) await asked();
    expect(reviews).toHaveLength(calls);
  });

  test.each([
    ["Deny", "deny"],
    ["NoOpinion", "noOpinion"],
  ])("that is late, with the policy %s, is decided after its timeout: %s", async (failurePolicy, verdict) => {
    const { webhooks } = noting(() => new Promise(() => {}));
    const { asked, clock } = await loaded({ text: text(hook({ failurePolicy, timeout: "2s" })), webhooks });
    let decision: unknown;
    void asked().then((decided) => {
      decision = decided;
    });
    await clock.advance(1999);
    expect(decision).toBeUndefined();
    await clock.advance(1);
    expect(decision).toMatchObject({ verdict, error: "context deadline exceeded" });
  });

  test.each(["v1", "v1beta1"])("gets reviews of its version %s", async (version) => {
    const { reviews, webhooks } = noting(() => ({}));
    const members = { subjectAccessReviewVersion: version };
    await (await loaded({ text: text(hook(members)), webhooks })).asked();
    expect(reviews).toMatchObject([{ apiVersion: `authorization.k8s.io/${version}` }]);
  });

  test("counts by its name, and its conditions only if it has some", async () => {
    const { reviews, webhooks } = noting(() => ({ allowed: true }));
    const free = await loaded({ text: text(hook()), webhooks });
    expect(await free.verdict()).toBe("allow");
    expect(free.authorization.members?.map(({ name }) => name)).toEqual(["system:masters", "h"]);
    expect([...free.metrics.samples("decisions_total").keys()]).toEqual([
      'decision="allowed",name="h",type="Webhook"',
    ]);
    expect([...free.metrics.samples("webhook_evaluations_total").keys()]).toEqual([
      'name="h",result="success"',
    ]);
    expect(free.metrics.matchConditions.series.size).toBe(0);
    const matchConditions = [{ expression: "request.user == 'bob'" }];
    const bound = await loaded({ text: text(hook({ matchConditions })), webhooks });
    expect([await bound.verdict(), await bound.verdict({ ...eve, name: "bob" })]).toEqual([
      "noOpinion",
      "allow",
    ]);
    expect([...bound.metrics.samples("match_condition_exclusions_total")]).toEqual([
      ['name="h",type="Webhook"', 1],
    ]);
    expect(reviews).toHaveLength(2);
    expect(bound.authorization.rulesFor(eve, "")).toMatchObject({ isIncomplete: true });
  });

  test.each([
    ["/etc/hook/config", "token", "/etc/hook/token"],
    ["/etc/hook/config", "/run/token", "/run/token"],
    ["/etc/hook/config", "tokens/", "/etc/hook/tokens/"],
    ["/config", "token", "/token"],
  ])("whose kubeconfig is %s reads its file %s from %s", async (kubeConfigFile, tokenFile, path) => {
    const read: string[] = [];
    const named = (list: string, name: string, member: object) => ({ [list]: [{ name, ...member }] });
    const kubeconfig = {
      ...named("clusters", "c", { cluster: { server: "https://webhook.test" } }),
      ...named("users", "u", { user: { tokenFile } }),
      ...named("contexts", "x", { context: { cluster: "c", user: "u" } }),
      "current-context": "x",
    };
    const readFile = (file: string) => {
      read.push(file);
      return file === kubeConfigFile ? JSON.stringify(kubeconfig) : "secret";
    };
    const connectionInfo = { type: "KubeConfigFile", kubeConfigFile };
    await loaded({ text: text(hook({ connectionInfo })), readFile });
    expect([read[0], read.at(-1)]).toEqual([kubeConfigFile, path]);
  });

  test("whose kubeconfig cannot be used is named with its file", async () => {
    const connectionInfo = { type: "KubeConfigFile", kubeConfigFile: "/config" };
    const source = { text: text(hook({ connectionInfo })), readFile: () => "clusters: 7" };
    await expect(loaded(source)).rejects.toThrow(/^option: \/config/);
  });
});

describe("a text that changes", () => {
  test("is in use from the next request, and counts", async () => {
    let present = text(mode("AlwaysDeny"));
    const { verdict, reloads, clock, metrics } = await loaded({ text: () => present });
    const hashes = () => {
      const { serverHash, configurationHash } = metrics.reloads() ?? expect.fail();
      return [serverHash, configurationHash];
    };
    const before = hashes();
    expect(reloads()).toEqual({ success: never, failure: never });
    await clock.advance("30s");
    present = text(mode("AlwaysAllow"));
    expect(await verdict()).toBe("allow");
    expect(reloads()).toEqual({ success: { count: 1, last: at(30) }, failure: never });
    const after = hashes();
    expect(after[0]).toBe(before[0]);
    expect(after[1]).not.toBe(before[1]);
    // The digests of "kube-apiserver" and of the text.
    expect(before[0]).toBe("sha256:3ddd18007da0e2a1e7da24b251a2d691f53a918f9e2dedf116c0bd39de1149fe");
    expect(before[1]).toMatch(/^sha256:[0-9a-f]{64}$/);
    present = text(mode("AlwaysDeny"));
    expect(await verdict()).toBe("noOpinion");
    expect(reloads()).toEqual({ success: { count: 2, last: at(30) }, failure: never });
    expect(hashes()).toEqual(before);
  });

  test("but says the same does not count", async () => {
    let present = text(mode("AlwaysDeny"));
    const { verdict, reloads } = await loaded({ text: () => present });
    present = `${present} `;
    await verdict();
    expect(reloads()).toEqual({ success: never, failure: never });
  });

  test("into one that is not valid is not in use, and counts once", async () => {
    let present = text(mode("AlwaysAllow"));
    const { verdict, reloads, clock, errors } = await loaded({ text: () => present });
    present = text();
    for (const _ of [1, 2]) expect(await verdict()).toBe("allow");
    await clock.advance("3m");
    expect(errors).toEqual([
      "option: authorizers: Required value: at least one authorization mode must be defined",
    ]);
    expect(reloads()).toEqual({ success: never, failure: { count: 1, last: at(0) } });
  });

  test("into one whose modes cannot be added is known from then on", async () => {
    let present = text(mode("AlwaysAllow"));
    const { verdict, reloads } = await loaded({ text: () => present });
    present = text(mode("RBAC"));
    await verdict();
    present = `${present} `;
    await verdict();
    expect(reloads()).toEqual({ success: never, failure: { count: 1, last: at(0) } });
  });

  test("is found every minute, until the cluster is closed", async () => {
    let present = text(mode("AlwaysDeny"));
    const { reloads, clock, closing } = await loaded({ text: () => present });
    present = text(mode("AlwaysAllow"));
    await clock.advance(59_999);
    expect(reloads().success).toEqual(never);
    await clock.advance(1);
    expect(reloads().success).toEqual({ count: 1, last: at(60) });
    present = text(mode("AlwaysDeny"));
    await clock.advance("1m");
    expect(reloads().success).toEqual({ count: 2, last: at(120) });
    closing.abort();
    present = text(mode("AlwaysAllow"));
    await clock.advance("5m");
    expect(reloads().success.count).toBe(2);
  });

  test("is not looked for by a cluster that was closed before", async () => {
    const closing = new AbortController();
    closing.abort();
    let reads = 0;
    const counted = () => {
      reads += 1;
      return text(mode("AlwaysAllow"));
    };
    const { clock } = await loaded({ text: counted }, { closing });
    await clock.advance("5m");
    expect(reads).toBe(1);
  });

  test("and cannot be read fails every minute, but no request", async () => {
    let isGone = false;
    const present = () => (isGone ? gone("") : text(mode("AlwaysAllow")));
    const { verdict, reloads, clock, errors } = await loaded({ text: present });
    isGone = true;
    expect([await verdict(), errors]).toEqual(["allow", []]);
    await clock.advance("2m");
    expect(errors).toEqual(["gone", "gone"]);
    expect(reloads().failure).toEqual({ count: 2, last: at(120) });
    expect(await verdict()).toBe("allow");
  });
});

test("a text that cannot change has no reloads", async () => {
  const { verdict, reloads, metrics } = await loaded({ text: text(mode("AlwaysAllow")) });
  expect(await verdict()).toBe("allow");
  expect(reloads()).toEqual({ success: never, failure: never });
  expect(metrics.reloads()?.configurationHash).toMatch(/^sha256:/);
});
