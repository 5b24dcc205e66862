import { generateKeyPairSync } from "node:crypto";
import { CompactSign, UnsecuredJWT } from "jose";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  type Cluster,
  type ClusterOptions,
  createCluster,
  createIssuer,
  type Issuer,
  type IssuerTokenOptions,
  type JsonObject,
  VirtualClock,
} from "../../src/index.ts";

const clusters: Cluster[] = [];
let clock: VirtualClock;
let issuer: Issuer;
beforeEach(() => {
  clock = new VirtualClock("2026-01-01T00:00:00Z");
  // Its keys take no time, unlike those of RSA.
  issuer = createIssuer({ clock, algorithm: "ES256" });
});
afterEach(async () => {
  await Promise.all(clusters.splice(0).map((cluster) => cluster.close()));
});

function clusterWith(options: ClusterOptions = {}): Cluster {
  const cluster = createCluster({
    clock,
    controllers: [],
    oidcIssuerUrl: issuer.url,
    oidcClientId: "kubernetes",
    oidcSigningAlgs: ["ES256"],
    oidcFetch: issuer.fetch,
    ...options,
  });
  clusters.push(cluster);
  return cluster;
}

// biome-ignore lint/suspicious/noExplicitAny: the body of a test's own request
async function whoIs(cluster: Cluster, token: string): Promise<any> {
  const response = await cluster.fetch("https://x/apis/authentication.k8s.io/v1/selfsubjectreviews", {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: "{}",
  });
  const body = (await response.json()) as { status: { userInfo: unknown } };
  return response.status === 201 ? body.status.userInfo : response.status;
}

/** Why a review refuses a token, without what all refusals have in common. */
async function problemOf(cluster: Cluster, token: string): Promise<unknown> {
  const { status } = (await cluster.create({
    kind: "TokenReview",
    apiVersion: "authentication.k8s.io/v1",
    metadata: {},
    spec: { token },
  })) as JsonObject & { status: { error?: string } };
  return status.error?.replace(/^\[invalid bearer token, (.*)\]$/s, "$1") ?? status;
}

test("an ID token authenticates the user of its claims", async () => {
  const cluster = clusterWith({ oidcGroupsClaim: "groups", oidcGroupsPrefix: "oidc:" });
  const token = await issuer.token({ claims: { sub: "alice", groups: ["dev", "ops"], jti: "t1" } });
  expect(await whoIs(cluster, token)).toEqual({
    username: "https://issuer.test#alice",
    groups: ["oidc:dev", "oidc:ops", "system:authenticated"],
    extra: { "authentication.kubernetes.io/credential-id": ["JTI=t1"] },
  });
});

test("a TokenReview answers for an ID token with the audiences of the API", async () => {
  const cluster = clusterWith({ apiAudiences: ["api"] });
  const review = (audiences?: string[]) => ({
    kind: "TokenReview",
    apiVersion: "authentication.k8s.io/v1",
    metadata: {},
    spec: { token, ...(audiences && { audiences }) },
  });
  const token = await issuer.token();
  expect(await cluster.create(review())).toMatchObject({
    status: { authenticated: true, user: { username: "https://issuer.test#alice" }, audiences: ["api"] },
  });
  expect(await cluster.create(review(["vault"]))).toMatchObject({
    status: { error: "invalid bearer token" },
  });
});

test.each<[string, ClusterOptions, JsonObject, unknown]>([
  ["with the prefix", { oidcUsernamePrefix: "oidc:" }, { sub: "alice" }, "oidc:alice"],
  ["without a prefix", { oidcUsernamePrefix: "-" }, { sub: "alice" }, "alice"],
  ["of another claim", { oidcUsernameClaim: "name" }, { name: "Al" }, "https://issuer.test#Al"],
  ["an address", { oidcUsernameClaim: "email" }, { email: "a@b.c" }, "a@b.c"],
  ["a verified address", { oidcUsernameClaim: "email" }, { email: "a@b.c", email_verified: true }, "a@b.c"],
  ["null, as in Go", { oidcUsernamePrefix: "u" }, { sub: null }, "u"],
])("a username is %s", async (_title, options, claims, username) => {
  const user = await whoIs(clusterWith(options), await issuer.token({ claims }));
  expect(user).toMatchObject({ username });
});

test.each<[string, unknown, unknown]>([
  ["a list", ["a", "b"], ["a", "b"]],
  ["a text", "a", ["a"]],
  ["null", null, []],
  ["an empty list", [], []],
])("groups may be %s", async (_title, groups, expected) => {
  const cluster = clusterWith({ oidcGroupsClaim: "groups" });
  const token = await issuer.token({ claims: { groups } as JsonObject });
  expect((await whoIs(cluster, token)).groups).toEqual([...(expected as string[]), "system:authenticated"]);
});

const now = Date.UTC(2026, 0, 1) / 1000;

test.each<[string, ClusterOptions, IssuerTokenOptions, string]>([
  [
    "of another audience",
    {},
    { claims: { aud: ["x", "y"] } },
    'oidc: verify token: oidc: expected audience "kubernetes" got ["x" "y"]',
  ],
  [
    "that has expired",
    {},
    { expiresIn: "-1m" },
    "oidc: verify token: oidc: token is expired (Token Expiry: 2025-12-31 23:59:00 +0000 UTC)",
  ],
  [
    "without an expiry",
    {},
    { claims: { exp: null } },
    "oidc: verify token: oidc: token is expired (Token Expiry: 0001-01-01 00:00:00 +0000 UTC)",
  ],
  [
    "that is not valid yet",
    {},
    { claims: { nbf: now + 61 } },
    "oidc: verify token: oidc: current time 2026-01-01 00:00:00 +0000 UTC before the nbf (not before) time: 2026-01-01 00:01:01 +0000 UTC",
  ],
  [
    "with a wrong time",
    {},
    { claims: { exp: {} } },
    "oidc: verify token: oidc: failed to unmarshal claims: json: cannot unmarshal object into Go value of type json.Number",
  ],
  [
    "with a wrong signature",
    {},
    { signature: "wrong" },
    "oidc: verify token: failed to verify signature: failed to verify id token signature",
  ],
  [
    "without a signature",
    {},
    { signature: "none" },
    "oidc: verify token: failed to verify signature: failed to verify id token signature",
  ],
  [
    "of the algorithm none",
    {},
    { signature: "none", header: { alg: "none" } },
    'oidc: verify token: oidc: id token signed with unsupported algorithm, expected ["ES256"] got "none"',
  ],
  [
    "of an algorithm that is not allowed",
    { oidcSigningAlgs: ["RS256"] },
    {},
    'oidc: verify token: oidc: id token signed with unsupported algorithm, expected ["RS256"] got "ES256"',
  ],
  [
    "of an unknown key",
    {},
    { header: { kid: "other" } },
    "oidc: verify token: failed to verify signature: failed to verify id token signature",
  ],
  [
    "with critical extensions",
    {},
    { header: { crit: ["b64"], b64: false } },
    "oidc: verify token: failed to verify signature: failed to verify id token signature",
  ],
  [
    "whose key id is no text",
    {},
    { header: { kid: 7 } },
    "oidc: verify token: oidc: malformed jwt: json: cannot unmarshal into Go value of type string",
  ],
  [
    "without the claim of the username",
    { oidcUsernameClaim: "name" },
    {},
    'oidc: parse username claims "name": claim not present',
  ],
  [
    "with a number as username",
    {},
    { claims: { sub: 5 } },
    'oidc: parse username claims "sub": json: cannot unmarshal number into Go value of type string',
  ],
  [
    "of an address that is not verified",
    { oidcUsernameClaim: "email" },
    { claims: { email: "a@b.c", email_verified: false } },
    "oidc: email not verified",
  ],
  [
    "of an address that is verified as text",
    { oidcUsernameClaim: "email" },
    { claims: { email: "a@b.c", email_verified: "true" } },
    "oidc: parse 'email_verified' claim: json: cannot unmarshal string into Go value of type bool",
  ],
  [
    "with wrong groups",
    { oidcGroupsClaim: "groups" },
    { claims: { groups: ["a", 1] } },
    'oidc: parse groups claim "groups": json: cannot unmarshal array into Go value of type string',
  ],
  [
    "without a required claim",
    { oidcRequiredClaim: { hd: "example.com" } },
    {},
    "oidc: required claim hd not present in ID token",
  ],
  [
    "with another value of a required claim",
    { oidcRequiredClaim: new Map([["hd", "example.com"]]) },
    { claims: { hd: "example.org" } },
    "oidc: required claim hd value does not match. Got = example.org, want = example.com",
  ],
  [
    "whose groups are somewhere else",
    { oidcGroupsClaim: "groups" },
    { claims: { _claim_names: { groups: "s" }, _claim_sources: { s: { endpoint: "https://x" } } } },
    "oidc: could not expand distributed claims: they are not supported",
  ],
])("a token %s is refused", async (_title, options, token, problem) => {
  const cluster = clusterWith(options);
  const text = await issuer.token(token);
  expect(await problemOf(cluster, text)).toBe(problem);
  expect(await whoIs(cluster, text)).toBe(401);
});

describe("a forged token", () => {
  const claims = () => ({ iss: issuer.url, sub: "eve", aud: "kubernetes", exp: now + 600 });
  const publicKey = async () => {
    const response = await issuer.fetch(`${issuer.url}/keys`);
    const { keys } = (await response.json()) as { keys: JsonObject[] };
    return keys[0] ?? {};
  };

  test.each<[string, () => Promise<string>]>([
    ["without a signature", async () => new UnsecuredJWT(claims()).encode()],
    [
      "is signed with the public key as a secret",
      async () => {
        const secret = new TextEncoder().encode(JSON.stringify(await publicKey()));
        const { kid } = await publicKey();
        return new CompactSign(new TextEncoder().encode(JSON.stringify(claims())))
          .setProtectedHeader({ alg: "HS256", kid: String(kid) })
          .sign(secret);
      },
    ],
    [
      "brings its own key",
      async () => {
        const pair = generateKeyPairSync("ec", { namedCurve: "P-256" });
        const jwk = pair.publicKey.export({ format: "jwk" });
        return new CompactSign(new TextEncoder().encode(JSON.stringify(claims())))
          .setProtectedHeader({ alg: "ES256", jwk, jku: "https://evil.test/keys" })
          .sign(pair.privateKey);
      },
    ],
    [
      "has a megabyte",
      async () => issuer.token({ claims: { ...claims(), x: "a".repeat(1 << 20) }, signature: "wrong" }),
    ],
    ["has a part too many", async () => `${await issuer.token()}.a`],
    ["has a part too few", async () => (await issuer.token()).replace(/\.[^.]*$/, "")],
    ["is a megabyte of dots", async () => ".".repeat(1 << 20)],
  ])("%s: 401 with the answer of kube-apiserver", async (_title, make) => {
    const cluster = clusterWith();
    const headers = { authorization: `Bearer ${await make()}` };
    const response = await cluster.fetch("https://x/api/v1/pods", { headers });
    expect(response.status).toBe(401);
    expect(await response.json()).toEqual({
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      message: "Unauthorized",
      reason: "Unauthorized",
      code: 401,
    });
  });

  test("does not count beside a good one", async () => {
    const headers = new Headers();
    headers.append("authorization", `Bearer ${new UnsecuredJWT(claims()).encode()}`);
    headers.append("authorization", `Bearer ${await issuer.token()}`);
    const response = await clusterWith().fetch("https://x/api", { headers });
    expect(response.status).toBe(401);
  });
});

describe("the keys of an issuer", () => {
  test("are fetched with the first token, and again for an unknown key", async () => {
    const asked: string[] = [];
    const cluster = clusterWith({
      oidcFetch: (url) => {
        asked.push(url);
        return issuer.fetch(url);
      },
    });
    await cluster.list("v1", "Pod");
    expect(asked).toEqual([]);
    const first = await issuer.token();
    expect(await whoIs(cluster, first)).toMatchObject({ username: "https://issuer.test#alice" });
    await issuer.rotateKeys();
    expect(await whoIs(cluster, await issuer.token({ claims: { sub: "bob" } }))).toMatchObject({
      username: "https://issuer.test#bob",
    });
    const keys = "https://issuer.test/keys";
    expect(asked).toEqual(["https://issuer.test/.well-known/openid-configuration", keys, keys]);
    // The old key verifies nothing any more, once the token is no longer remembered.
    await clock.advance("10s");
    expect(await whoIs(cluster, first)).toBe(401);
  });

  test("are fetched once for all tokens that wait", async () => {
    let fetches = 0;
    const cluster = clusterWith({
      oidcFetch: (url) => {
        fetches += 1;
        return issuer.fetch(url);
      },
    });
    const tokens = await Promise.all(["a", "b", "c"].map((sub) => issuer.token({ claims: { sub } })));
    const users = await Promise.all(tokens.map((token) => whoIs(cluster, token)));
    expect(users.map(({ username }) => username)).toEqual(
      ["a", "b", "c"].map((sub) => `${issuer.url}#${sub}`),
    );
    expect(fetches).toBe(2);
  });

  test("are asked for again ten seconds after a failure", async () => {
    let isDown = true;
    const cluster = clusterWith({
      oidcFetch: async (url) => {
        if (isDown) throw new Error("connect ECONNREFUSED");
        return issuer.fetch(url);
      },
    });
    const token = await issuer.token();
    expect(await problemOf(cluster, token)).toBe("oidc: authenticator not initialized");
    isDown = false;
    expect(await whoIs(cluster, token)).toBe(401);
    await clock.advance("10s");
    expect(await whoIs(cluster, token)).toMatchObject({ username: "https://issuer.test#alice" });
  });

  /** An issuer whose keys are answered by a function. */
  const withKeys = (keys: () => Promise<Response>): Cluster =>
    clusterWith({ oidcFetch: (url) => (url.endsWith("/keys") ? keys() : issuer.fetch(url)) });

  test("may not have more than a megabyte", async () => {
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(64 * 1024).fill(32)),
    });
    const cluster = withKeys(async () => new Response(endless));
    expect(await problemOf(cluster, await issuer.token())).toBe(
      "oidc: verify token: failed to verify signature: fetching keys the document has more than 1048576 bytes",
    );
  });

  test("must come within thirty seconds of the cluster's clock", async () => {
    let asked = () => {};
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const cluster = withKeys(() => {
      asked();
      return new Promise(() => {});
    });
    const problem = problemOf(cluster, await issuer.token());
    await isAsked;
    await clock.advance("30s");
    expect(await problem).toBe(
      'oidc: verify token: failed to verify signature: fetching keys Get "https://issuer.test/keys": context deadline exceeded',
    );
  });

  test.each<[string, () => Response, string]>([
    ["are no JSON", () => new Response("<html>"), "fetching keys Unexpected token"],
    ["are no keys", () => new Response('{"keys":5}'), "fetching keys oidc: failed to decode keys"],
    ["are an error", () => new Response("no", { status: 500 }), "fetching keys 500 : no"],
    [
      "are of other kinds",
      () => new Response('{"keys":[{"kty":"oct","k":"AA"},{"kty":"EC"},7,null]}'),
      "failed to verify id token signature",
    ],
  ])("do not count if they %s", async (_title, keys, problem) => {
    const cluster = withKeys(async () => keys());
    expect(await problemOf(cluster, await issuer.token())).toContain(problem);
  });

  test("do not count if the discovery document names another issuer", async () => {
    const cluster = clusterWith({
      oidcFetch: async () => Response.json({ issuer: "https://other.test", jwks_uri: `${issuer.url}/keys` }),
    });
    expect(await problemOf(cluster, await issuer.token())).toBe("oidc: authenticator not initialized");
  });
});

test("no method knows the tokens of an issuer that is not configured", async () => {
  const other = createIssuer({ url: "https://other.test", clock, algorithm: "ES256" });
  expect(await problemOf(clusterWith(), await other.token())).toBe("invalid bearer token");
});

test("forks trust the same issuer", async () => {
  const fork = clusterWith().fork();
  clusters.push(fork);
  expect(await whoIs(fork, await issuer.token())).toMatchObject({ username: "https://issuer.test#alice" });
});

test.each<[string, ClusterOptions, string]>([
  [
    "the issuer alone",
    { oidcIssuerUrl: "https://a.b" },
    "oidc-issuer-url and oidc-client-id must be specified together when any oidc-* flags are set",
  ],
  [
    "another option alone",
    { oidcUsernameClaim: "sub" },
    "oidc-issuer-url and oidc-client-id must be specified together when any oidc-* flags are set",
  ],
  [
    "the client alone, in an old release",
    { release: "1.20", oidcClientId: "c" },
    "oidc-issuer-url and oidc-client-id should be specified together",
  ],
  [
    "an authority without a function that takes it",
    { oidcIssuerUrl: "https://a.b", oidcClientId: "c", oidcCa: "x" },
    "oidcCa needs the option oidcFetch",
  ],
])("%s is an error of the options", (_title, options, message) => {
  expect(() => createCluster(options)).toThrow(message);
});

test.each<[string, ClusterOptions, string]>([
  [
    "a scheme other than https",
    { oidcIssuerUrl: "http://a.b" },
    'invalid authentication configuration: jwt[0].issuer.url: Invalid value: "http://a.b": URL scheme must be https',
  ],
  ["an unknown algorithm", { oidcSigningAlgs: ["HS256"] }, 'oidc: unsupported signing alg: "HS256"'],
  [
    "the issuer of service accounts",
    { oidcIssuerUrl: "https://sa.test", serviceAccountIssuer: "https://sa.test" },
    "URL must not overlap with disallowed issuers: [https://sa.test]",
  ],
])("%s is an error of the start", async (_title, options, message) => {
  const cluster = clusterWith(options);
  await expect(cluster.list("v1", "Pod")).rejects.toThrow(message);
});
