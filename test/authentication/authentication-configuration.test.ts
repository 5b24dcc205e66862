import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  type Cluster,
  type ClusterOptions,
  createCluster,
  createIssuer,
  type Issuer,
  type JsonObject,
  VirtualClock,
} from "../../src/index.ts";

const clusters: Cluster[] = [];
let clock: VirtualClock;
let issuer: Issuer;
beforeEach(() => {
  clock = new VirtualClock("2026-01-01T00:00:00Z");
  issuer = createIssuer({ clock, algorithm: "ES256" });
});
afterEach(async () => {
  await Promise.all(clusters.splice(0).map((cluster) => cluster.close()));
});

/** A configuration of the issuer with these parts. */
function configuration(parts: JsonObject, rest: JsonObject = {}, version = "v1"): string {
  const { claimMappings, ...others } = parts;
  const mappings = { username: { claim: "sub", prefix: "" }, ...(claimMappings as JsonObject) };
  return JSON.stringify({
    apiVersion: `apiserver.config.k8s.io/${version}`,
    kind: "AuthenticationConfiguration",
    jwt: [{ issuer: { url: issuer.url, audiences: ["kubernetes"] }, ...others, claimMappings: mappings }],
    ...rest,
  });
}

function clusterWith(text: string | (() => string), options: ClusterOptions = {}): Cluster {
  const cluster = createCluster({
    release: "1.34",
    clock,
    controllers: [],
    authenticationConfiguration: text,
    oidcFetch: issuer.fetch,
    ...options,
  });
  clusters.push(cluster);
  return cluster;
}

async function reviewOf(cluster: Cluster, token: string): Promise<JsonObject> {
  const { status } = await cluster.create({
    kind: "TokenReview",
    apiVersion: "authentication.k8s.io/v1",
    metadata: {},
    spec: { token },
  });
  return status as JsonObject;
}

describe("mappings", () => {
  test.each<[string, JsonObject, JsonObject, JsonObject]>([
    [
      "expressions make all parts of a user",
      {
        username: { expression: "'u:' + claims.sub" },
        groups: { expression: "claims.roles.split(',')" },
        uid: { expression: "string(claims.id)" },
        extra: [
          { key: "example.com/tenant", valueExpression: "claims.tenant" },
          { key: "example.com/empty", valueExpression: "''" },
          { key: "example.com/none", valueExpression: "null" },
          { key: "example.com/list", valueExpression: "['a', '', 'b']" },
        ],
      },
      { sub: "alice", roles: "a,b", id: 7, tenant: "t" },
      {
        username: "u:alice",
        groups: ["a", "b", "system:authenticated"],
        uid: "7",
        extra: { "example.com/tenant": ["t"], "example.com/list": ["a", "b"] },
      },
    ],
    [
      "claims make them, too",
      { username: { claim: "name", prefix: "p:" }, uid: { claim: "id" } },
      { name: "al", id: "7" },
      { username: "p:al", uid: "7", groups: ["system:authenticated"] },
    ],
    [
      "numbers are doubles, and keys may be escaped",
      {
        username: { expression: "claims.kubernetes__dot__io.name" },
        uid: { expression: "type(claims.id) == double ? 'double' : 'int'" },
      },
      { "kubernetes.io": { name: "bob" }, id: 7 },
      { username: "bob", uid: "double", groups: ["system:authenticated"] },
    ],
  ])("%s", async (_title, claimMappings, claims, user) => {
    const cluster = clusterWith(configuration({ claimMappings }));
    expect(await reviewOf(cluster, await issuer.token({ claims }))).toMatchObject({ user });
  });

  test("before 1.34, numbers are ints", async () => {
    const claimMappings = { uid: { expression: "type(claims.id) == int ? 'int' : 'double'" } };
    const text = configuration({ claimMappings }, {}, "v1beta1");
    const cluster = clusterWith(text, { release: "1.32" });
    expect(await reviewOf(cluster, await issuer.token({ claims: { id: 7 } }))).toMatchObject({
      user: { uid: "int" },
    });
  });
});

test.each<[string, JsonObject, JsonObject, string]>([
  [
    "an empty username",
    { claimMappings: { username: { expression: "claims.name" } } },
    { name: "" },
    "oidc: empty username via CEL expression is not allowed",
  ],
  [
    "a username that is no text",
    { claimMappings: { username: { expression: "claims.name" } } },
    { name: 1 },
    "oidc: error evaluating username claim expression: username claim expression must return a string",
  ],
  [
    "a missing claim",
    { claimMappings: { username: { expression: "claims.name" } } },
    {},
    "oidc: error evaluating username claim expression: expression 'claims.name' resulted in error: no such key: name",
  ],
  [
    "groups that are no texts",
    { claimMappings: { groups: { expression: "claims.groups" } } },
    { groups: ["a", 1] },
    "oidc: error evaluating group claim expression: expression must return a string or a list of strings",
  ],
  [
    "a rule of claims",
    { claimValidationRules: [{ expression: "claims.hd == 'a'", message: "only a" }] },
    { hd: "b" },
    "oidc: error evaluating claim validation expression: validation expression 'claims.hd == 'a'' failed: only a",
  ],
  [
    "a rule of users",
    { userValidationRules: [{ expression: "!user.username.startsWith('system:')", message: "reserved" }] },
    { sub: "system:admin" },
    "oidc: error evaluating user info validation rule: validation expression '!user.username.startsWith('system:')' failed: reserved",
  ],
])("%s refuses the token", async (_title, parts, claims, problem) => {
  const cluster = clusterWith(configuration(parts));
  expect(await reviewOf(cluster, await issuer.token({ claims }))).toMatchObject({
    error: `[invalid bearer token, ${problem}]`,
  });
});

test("one of several audiences is enough, for each of several issuers", async () => {
  const other = createIssuer({ url: "https://other.test/realm", clock, algorithm: "ES256" });
  const audiences = ["a", "b"];
  const jwt = [issuer, other].map(({ url }) => ({
    issuer: { url, audiences, audienceMatchPolicy: "MatchAny" },
    claimMappings: { username: { claim: "sub", prefix: `${url}#` } },
  }));
  const cluster = clusterWith(configuration({}, { jwt }), {
    oidcFetch: (url) => (url.startsWith(other.url) ? other : issuer).fetch(url),
  });
  for (const each of [issuer, other]) {
    const token = await each.token({ claims: { aud: ["b", "c"] } });
    expect(await reviewOf(cluster, token)).toMatchObject({ user: { username: `${each.url}#alice` } });
  }
  expect(await reviewOf(cluster, await issuer.token({ claims: { aud: "c" } }))).toMatchObject({
    error: '[invalid bearer token, oidc: verify token: oidc: expected audience in ["a" "b"] got ["c"]]',
  });
});

test("the discovery document may be at another address", async () => {
  const asked: string[] = [];
  const jwt = [
    {
      issuer: { url: issuer.url, discoveryURL: "https://inside.test/oidc", audiences: ["kubernetes"] },
      claimMappings: { username: { claim: "sub", prefix: "" } },
    },
  ];
  const cluster = clusterWith(configuration({}, { jwt }), {
    oidcFetch: (url) => {
      asked.push(url);
      return issuer.fetch(
        url.replace("https://inside.test/oidc", `${issuer.url}/.well-known/openid-configuration`),
      );
    },
  });
  expect(await reviewOf(cluster, await issuer.token())).toMatchObject({ user: { username: "alice" } });
  expect(asked).toEqual(["https://inside.test/oidc", `${issuer.url}/keys`]);
});

describe("anonymous requests", () => {
  const statusOf = async (cluster: Cluster, path: string) => (await cluster.fetch(`https://x${path}`)).status;

  test.each<[string, JsonObject, number, number]>([
    ["may be limited to paths", { enabled: true, conditions: [{ path: "/livez" }] }, 200, 401],
    ["may be refused", { enabled: false }, 401, 401],
    ["may be allowed", { enabled: true }, 200, 200],
  ])("%s", async (_title, anonymous, health, version) => {
    const cluster = clusterWith(configuration({}, { anonymous }));
    expect(await statusOf(cluster, "/livez")).toBe(health);
    expect(await statusOf(cluster, "/livez/ping")).toBe(version);
    expect(await statusOf(cluster, "/version")).toBe(version);
  });

  test("depend on the configuration or the flag, not on both", async () => {
    const text = configuration({}, { anonymous: { enabled: true } });
    await expect(clusterWith(text, { anonymousAuth: true }).list("v1", "Pod")).rejects.toThrow(
      "anonymous: Forbidden: --anonymous-auth flag cannot be set when anonymous field is configured in authentication configuration file",
    );
    const cluster = clusterWith(configuration({}), { anonymousAuth: false });
    expect(await statusOf(cluster, "/version")).toBe(401);
  });
});

describe("a text that changes", () => {
  const reloads = async (cluster: Cluster): Promise<readonly string[]> => {
    const headers = { authorization: `Bearer ${cluster.adminToken()}` };
    const metrics = await (await cluster.fetch("https://x/metrics", { headers })).text();
    return metrics
      .split("\n")
      .filter((line) => line.startsWith("apiserver_authentication_config_controller"))
      .map((line) => line.replace(/sha256:[0-9a-f]{64}/g, "HASH"));
  };

  test("is used from the next request on, unless it is not valid", async () => {
    let text = configuration({});
    const cluster = clusterWith(() => text);
    const prefix = "apiserver_authentication_config_controller";
    const info = `${prefix}_last_config_info{apiserver_id_hash="HASH",hash="HASH"} 1`;
    expect(await reviewOf(cluster, await issuer.token())).toMatchObject({ user: { username: "alice" } });
    expect(await reloads(cluster)).toEqual([info]);
    text = configuration({ claimMappings: { username: { claim: "sub", prefix: "new:" } } });
    expect(await reviewOf(cluster, await issuer.token({ claims: { jti: "2" } }))).toMatchObject({
      user: { username: "new:alice" },
    });
    text = "nonsense";
    expect(await reviewOf(cluster, await issuer.token({ claims: { jti: "3" } }))).toMatchObject({
      user: { username: "new:alice" },
    });
    text = configuration({}, { anonymous: { enabled: true } });
    const labels = (status: string) => `{apiserver_id_hash="HASH",status="${status}"}`;
    const time = "1.7672256e+09";
    expect(await reloads(cluster)).toEqual([
      `${prefix}_automatic_reload_last_timestamp_seconds${labels("failure")} ${time}`,
      `${prefix}_automatic_reload_last_timestamp_seconds${labels("success")} ${time}`,
      `${prefix}_automatic_reloads_total${labels("failure")} 2`,
      `${prefix}_automatic_reloads_total${labels("success")} 1`,
      info,
    ]);
  });

  test("has the text of its release in the metrics", async () => {
    let text = configuration({}, {}, "v1beta1");
    const cluster = clusterWith(() => text, { release: "1.32" });
    await cluster.list("v1", "Pod");
    text = "";
    const headers = { authorization: `Bearer ${cluster.adminToken()}` };
    const metrics = await (await cluster.fetch("https://x/metrics", { headers })).text();
    expect(metrics).toContain(
      "# HELP apiserver_authentication_config_controller_automatic_reloads_total [ALPHA] Total number of automatic reloads of authentication configuration split by status and apiserver identity.\n",
    );
    expect(metrics).not.toContain("last_config_info");
  });
});

test.each<[string, string, string]>([
  [
    "an unknown field",
    '{"apiVersion":"apiserver.config.k8s.io/v1","kind":"AuthenticationConfiguration","jwt1":[]}',
    'failed to load authentication configuration: strict decoding error: unknown field "jwt1"',
  ],
  [
    "an egress selector, which the server does not have",
    JSON.stringify({
      apiVersion: "apiserver.config.k8s.io/v1",
      kind: "AuthenticationConfiguration",
      jwt: [
        {
          issuer: { url: "https://a.test", audiences: ["a"], egressSelectorType: "cluster" },
          claimMappings: { username: { claim: "sub", prefix: "" } },
        },
      ],
    }),
    'oidc: egress lookup required with egress selector type "cluster"',
  ],
  [
    "an expression that does not compile",
    JSON.stringify({
      apiVersion: "apiserver.config.k8s.io/v1",
      kind: "AuthenticationConfiguration",
      jwt: [
        {
          issuer: { url: "https://a.test", audiences: ["a"] },
          claimMappings: { username: { expression: "claims.sub +" } },
        },
      ],
    }),
    "invalid authentication configuration: jwt[0].claimMappings.username.expression: Invalid value: \"claims.sub +\": compilation failed: ERROR: <input>:1:13: Syntax error: mismatched input '<EOF>'",
  ],
])("%s is an error of the start, for every request", async (_title, text, message) => {
  const cluster = clusterWith(text);
  await expect(cluster.list("v1", "Pod")).rejects.toThrow(message);
  await expect(cluster.fetch("https://x/livez")).rejects.toThrow(message);
});

test("an authority needs a function that takes it", async () => {
  const authority = createCluster({ controllers: [] });
  clusters.push(authority);
  const { certificate: pem } = await authority.certificate("a");
  const jwt = [
    {
      issuer: { url: issuer.url, certificateAuthority: pem, audiences: ["kubernetes"] },
      claimMappings: { username: { claim: "sub", prefix: "" } },
    },
  ];
  const text = configuration({}, { jwt });
  const cluster = createCluster({ release: "1.34", controllers: [], authenticationConfiguration: text });
  clusters.push(cluster);
  await expect(cluster.list("v1", "Pod")).rejects.toThrow("certificateAuthority needs the option oidcFetch");
  let given: unknown;
  const trusting = clusterWith(text, {
    oidcFetch: (url, { certificateAuthority }) => {
      given = certificateAuthority;
      return issuer.fetch(url);
    },
  });
  await reviewOf(trusting, await issuer.token());
  expect(given).toBe(pem);
});

test.each<[string, ClusterOptions, string]>([
  [
    "both the configuration and options of one issuer",
    { oidcUsernameClaim: "sub" },
    "authentication-config file and oidc-* flags are mutually exclusive",
  ],
  [
    "a disabled feature",
    { release: "1.29" },
    "set --feature-gates=StructuredAuthenticationConfiguration=true to use authentication-config file",
  ],
  ["an old release", { release: "1.28" }, "authenticationConfiguration needs release 1.29 or newer"],
])("%s is an error of the options", (_title, options, message) => {
  expect(() => clusterWith("", options)).toThrow(message);
});

test("1.29 reads v1alpha1 if the feature is enabled", async () => {
  const featureGates = { StructuredAuthenticationConfiguration: true };
  const cluster = clusterWith(configuration({}, {}, "v1alpha1"), { release: "1.29", featureGates });
  expect(await reviewOf(cluster, await issuer.token())).toMatchObject({ user: { username: "alice" } });
});
