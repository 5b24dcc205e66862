import { afterEach, describe, expect, test } from "vitest";
import {
  type Cluster,
  type ClusterOptions,
  createCluster,
  createIssuer,
  type JsonObject,
  VirtualClock,
} from "../../src/index.ts";
import { type Serving, serve } from "../../src/transports/node/serve.ts";
import { clients, whoIs } from "./clients.ts";

const clusters: Cluster[] = [];
const servings: Serving[] = [];
afterEach(async () => {
  await Promise.all(servings.splice(0).map((serving) => serving.close()));
  await Promise.all(clusters.splice(0).map((cluster) => cluster.close()));
});

function clusterWith(options: ClusterOptions = {}): Cluster {
  const clock = new VirtualClock("2030-01-01T00:00:00Z");
  const cluster = createCluster({ clock, controllers: [], ...options });
  clusters.push(cluster);
  return cluster;
}

async function textOf(cluster: Cluster): Promise<string> {
  const headers = { authorization: `Bearer ${cluster.adminToken()}` };
  return (await cluster.fetch("https://x/metrics", { headers })).text();
}

/** The values of the metrics whose names begin with a text. */
async function metrics(cluster: Cluster, prefix: string): Promise<Readonly<Record<string, number>>> {
  const lines = (await textOf(cluster)).split("\n").filter((line) => line.startsWith(prefix));
  return Object.fromEntries(
    lines.map((line) => line.split(" ")).map(([name, value]) => [name, Number(value)]),
  );
}

async function statusFor(cluster: Cluster, token: string): Promise<number> {
  return (await cluster.fetch("https://x/api", { headers: { authorization: `Bearer ${token}` } })).status;
}

interface HeldWebhook {
  readonly review: (review: JsonObject) => Promise<JsonObject>;
  /** How often the webhook was called. */
  calls: number;
  /** Resolves at the second call. */
  readonly calledTwice: Promise<void>;
  readonly release: () => void;
}

/** A webhook that knows all tokens that begin with an `a`, and answers when the test lets it. */
function heldWebhook(): HeldWebhook {
  let [release, second] = [() => {}, () => {}];
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const calledTwice = new Promise<void>((resolve) => {
    second = resolve;
  });
  const webhook = {
    calls: 0,
    calledTwice,
    release,
    review: async (review: JsonObject): Promise<JsonObject> => {
      webhook.calls += 1;
      if (webhook.calls === 2) second();
      await held;
      const { token } = review["spec"] as { readonly token: string };
      return { ...review, status: { authenticated: token.startsWith("a"), user: { username: token } } };
    },
  };
  return webhook;
}

test("an authentication that waits takes as long as the clock of the cluster says", async () => {
  const webhook = heldWebhook();
  const cluster = clusterWith({ authenticationTokenWebhookConfig: webhook.review });
  const asking = [statusFor(cluster, "alice"), statusFor(cluster, "bob")];
  await webhook.calledTwice;
  await cluster.clock.advance(3000);
  webhook.release();
  expect(await Promise.all(asking)).toEqual([200, 401]);
  const durations = await metrics(cluster, "authentication_duration_seconds");
  expect(durations).toMatchObject({
    'authentication_duration_seconds_bucket{result="error",le="2.048"}': 0,
    'authentication_duration_seconds_bucket{result="error",le="4.096"}': 1,
    'authentication_duration_seconds_bucket{result="error",le="+Inf"}': 1,
    'authentication_duration_seconds_sum{result="error"}': 3,
    'authentication_duration_seconds_count{result="error"}': 1,
    'authentication_duration_seconds_sum{result="success"}': 3,
  });
  // The administrator who reads the metrics does not wait.
  expect(durations['authentication_duration_seconds_bucket{result="success",le="0.001"}']).toBe(1);
});

describe("the cache of tokens", () => {
  const named = "authentication_token_cache";

  test("counts hits and misses, and what the methods say about the misses", async () => {
    const cluster = clusterWith({ tokens: { file: { name: "carol" } } });
    // Tokens that the cluster issues are in no cache, like those that kube-apiserver gives itself.
    expect(await statusFor(cluster, cluster.token("alice"))).toBe(200);
    expect(await metrics(cluster, named)).toEqual({});
    for (const token of ["file", "file", "wrong", "wrong"]) await statusFor(cluster, token);
    const spec = { token: "file", audiences: ["other"] };
    await cluster.create({ apiVersion: "authentication.k8s.io/v1", kind: "TokenReview", metadata: {}, spec });
    expect(await metrics(cluster, `${named}_request_total`)).toEqual({
      [`${named}_request_total{status="hit"}`]: 1,
      [`${named}_request_total{status="miss"}`]: 4,
    });
    expect(await metrics(cluster, `${named}_fetch_total`)).toEqual({
      [`${named}_fetch_total{status="ok"}`]: 4,
    });
    const durations = await metrics(cluster, `${named}_request_duration_seconds`);
    expect(durations[`${named}_request_duration_seconds_bucket{status="miss",le="0.005"}`]).toBe(4);
    expect(durations[`${named}_request_duration_seconds_count{status="hit"}`]).toBe(1);
  });

  test("asks once for all requests that wait for the same token", async () => {
    const webhook = heldWebhook();
    const cluster = clusterWith({
      authenticationTokenWebhookConfig: webhook.review,
      authenticationTokenWebhookCacheTtl: "0s",
    });
    const asking = ["alice", "alice", "alice", "bob"].map((token) => statusFor(cluster, token));
    await webhook.calledTwice;
    expect(await metrics(cluster, `${named}_active`)).toEqual({
      // The webhook has a cache of its own, which counts in the same metrics.
      [`${named}_active_fetch_count{status="blocked"}`]: 4 + 2,
      [`${named}_active_fetch_count{status="in_flight"}`]: 2 + 2,
    });
    webhook.release();
    expect(await Promise.all(asking)).toEqual([200, 200, 200, 401]);
    expect(webhook.calls).toBe(2);
    expect(await metrics(cluster, `${named}_active`)).toEqual({
      [`${named}_active_fetch_count{status="blocked"}`]: 0,
      [`${named}_active_fetch_count{status="in_flight"}`]: 0,
    });
    expect(await metrics(cluster, `${named}_fetch_total`)).toEqual({
      [`${named}_fetch_total{status="ok"}`]: 4,
    });
  });

  test("does not take a token for one of another audience", async () => {
    const issuer = createIssuer({ clock: new VirtualClock("2030-01-01T00:00:00Z"), algorithm: "ES256" });
    const cluster = clusterWith({
      authenticationTokenWebhookConfig: (review) => ({
        ...review,
        status: { authenticated: true, user: { username: "alice" }, audiences: ["other"] },
      }),
    });
    const token = await issuer.token();
    const spec = { token, audiences: ["other"] };
    const review = { apiVersion: "authentication.k8s.io/v1", kind: "TokenReview", metadata: {}, spec };
    expect(await cluster.create(review)).toMatchObject({ status: { authenticated: true } });
    for (const wanted of [token, `["other"]${token}`, `r["other"]${token}`]) {
      expect(await statusFor(cluster, wanted)).toBe(401);
    }
  });
});

test("each request with a certificate counts how long that is valid", async () => {
  const cluster = clusterWith();
  const serving = await serve(cluster);
  servings.push(serving);
  const named = "apiserver_client_certificate_expiration_seconds";
  expect(await metrics(cluster, `${named}_`)).toMatchObject({ [`${named}_count`]: 0, [`${named}_sum`]: 0 });
  const certificate = await cluster.certificate("alice", { expirationSeconds: 3600 });
  for (const [, ask] of clients) {
    expect(await whoIs(ask, serving, { certificate })).toMatchObject({ username: "alice" });
  }
  await cluster.clock.advance("2h");
  const [[, ask]] = clients as [(typeof clients)[number]];
  expect(await whoIs(ask, serving, { certificate })).toBe(401);
  expect(await metrics(cluster, `${named}_`)).toMatchObject({
    [`${named}_bucket{le="0"}`]: 1,
    [`${named}_bucket{le="1800"}`]: 1,
    [`${named}_bucket{le="3600"}`]: 3,
    [`${named}_bucket{le="3.1104e+07"}`]: 3,
    [`${named}_count`]: 3,
    [`${named}_sum`]: 3600,
  });
});

describe("an issuer of ID tokens", () => {
  const named = "apiserver_authentication_jwt_authenticator";

  function trusting(options: ClusterOptions = {}) {
    const clock = new VirtualClock("2030-01-01T00:00:00Z");
    const issuer = createIssuer({ clock, algorithm: "ES256" });
    let isDown = false;
    const cluster = clusterWith({
      clock,
      oidcIssuerUrl: issuer.url,
      oidcClientId: "kubernetes",
      oidcSigningAlgs: ["ES256"],
      oidcFetch: async (url) => {
        if (isDown && url.endsWith("/keys")) throw new Error("connect ECONNREFUSED");
        return issuer.fetch(url);
      },
      ...options,
    });
    const stop = () => {
      isDown = true;
    };
    return { cluster, issuer, stop };
  }

  /** The hashes in labels differ by issuer; what the test knows is that there is one. */
  const plain = (samples: Readonly<Record<string, number>>) =>
    Object.fromEntries(
      Object.entries(samples).map(([name, value]) => [name.replaceAll(/sha256:[\da-f]{64}/g, "#"), value]),
    );

  test("counts the tokens that it verified, not those that are remembered or of others", async () => {
    const { cluster, issuer } = trusting();
    const token = await issuer.token();
    for (const each of [token, token, await issuer.token({ expiresIn: "-1m" }), "other"]) {
      await statusFor(cluster, each);
    }
    expect(plain(await metrics(cluster, `${named}_latency_seconds_count`))).toEqual({
      [`${named}_latency_seconds_count{jwt_issuer_hash="#",result="success"}`]: 1,
      [`${named}_latency_seconds_count{jwt_issuer_hash="#",result="failure"}`]: 1,
    });
    expect(await textOf(cluster)).not.toContain(`${named}_jwks`);
  });

  test("since 1.35, tells when its keys came", async () => {
    const { cluster, issuer, stop } = trusting({ release: "1.35" });
    const start = cluster.clock.now() / 1000;
    expect(await statusFor(cluster, await issuer.token())).toBe(200);
    const keys = await metrics(cluster, `${named}_jwks_fetch_last_key_set_info`);
    expect(Object.values(keys)).toEqual([1]);
    await issuer.rotateKeys();
    stop();
    await cluster.clock.advance("1m");
    expect(await statusFor(cluster, await issuer.token())).toBe(401);
    expect(plain(await metrics(cluster, `${named}_jwks_fetch_last_timestamp`))).toEqual({
      [`${named}_jwks_fetch_last_timestamp_seconds{apiserver_id_hash="#",jwt_issuer_hash="#",result="success"}`]:
        start,
      [`${named}_jwks_fetch_last_timestamp_seconds{apiserver_id_hash="#",jwt_issuer_hash="#",result="failure"}`]:
        start + 60,
    });
    // The keys are those of the last success.
    expect(await metrics(cluster, `${named}_jwks_fetch_last_key_set_info`)).toEqual(keys);
  });
});

test.each([
  ["1.16", 4],
  ["1.19", 11],
] as const)("%s has %i metrics of authentication", async (release, count) => {
  const cluster = clusterWith({ release, tokens: { file: { name: "carol" } } });
  await statusFor(cluster, "file");
  const types = (await textOf(cluster)).match(
    /^# TYPE (apiserver_client_cert|authenticat|serviceaccount_)\S+ \w+$/gm,
  );
  expect(types).toHaveLength(count);
});

test("a reset forgets what was counted", async () => {
  const cluster = clusterWith({ tokens: { file: { name: "carol" } } });
  await statusFor(cluster, "file");
  const headers = { authorization: `Bearer ${cluster.adminToken()}` };
  await cluster.fetch("https://x/metrics", { method: "DELETE", headers });
  // The request that reads the metrics.
  expect(await metrics(cluster, "authenticat")).toMatchObject({
    'authenticated_user_requests{username="other"}': 1,
    'authentication_attempts{result="success"}': 1,
  });
  expect(await textOf(cluster)).not.toContain("authentication_token_cache");
});
