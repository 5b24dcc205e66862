import { generateKeyPairSync } from "node:crypto";
import { decodeJwt } from "jose";
import { afterEach, expect, test } from "vitest";
import { type Cluster, type ClusterOptions, createCluster, VirtualClock } from "../../src/index.ts";
import { createAuthority } from "../../src/transports/node/certificates.ts";

const clusters: Cluster[] = [];
afterEach(async () => {
  await Promise.all(clusters.splice(0).map((cluster) => cluster.close()));
});

const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const signingKey = privateKey.export({ format: "pem", type: "pkcs8" }).toString();
const accountUid = "5b0e7c1c-64ab-4a5e-9c38-5f6f3a1c2d10";

/** Clusters with the same key and the same account, so that only issuers and audiences tell their tokens apart. */
function clusterWith(options: ClusterOptions): Cluster {
  const cluster = createCluster({
    clock: new VirtualClock("2030-01-01T00:00:00Z"),
    controllers: [],
    serviceAccountSigningKey: signingKey,
    objects: [
      {
        apiVersion: "v1",
        kind: "ServiceAccount",
        metadata: { name: "app", namespace: "default", uid: accountUid },
      },
    ],
    ...options,
  });
  clusters.push(cluster);
  return cluster;
}

async function requested(cluster: Cluster, spec: object = {}): Promise<string> {
  const apiVersion = "authentication.k8s.io/v1";
  const request = { apiVersion, kind: "TokenRequest", metadata: { name: "app" }, spec };
  const created = await cluster.create(request, { subresource: "token", namespace: "default" });
  return (created as unknown as { readonly status: { readonly token: string } }).status.token;
}

async function statusFor(cluster: Cluster, token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  return (await cluster.fetch("https://x/api", { headers })).status;
}

const documentOf = async (cluster: Cluster, path: string): Promise<unknown> =>
  (await cluster.fetch(`https://x${path}`)).json();

test("the first of several issuers issues, all are accepted, and all are audiences of the API", async () => {
  const [before, after] = ["https://before.test", "https://after.test"];
  const old = clusterWith({ serviceAccountIssuer: before });
  const moved = clusterWith({ serviceAccountIssuer: [after, before] });
  const oldToken = await requested(old);
  const token = await requested(moved);
  expect(decodeJwt(oldToken)).toMatchObject({ iss: before, aud: [before] });
  expect(decodeJwt(token)).toMatchObject({ iss: after, aud: [after, before] });
  expect([await statusFor(moved, oldToken), await statusFor(moved, token)]).toEqual([200, 200]);
  // The old server takes the audience of the new one, but not its issuer.
  expect([await statusFor(old, oldToken), await statusFor(old, token)]).toEqual([200, 401]);
});

test("a token for an issuer that is not an audience of the API is refused", async () => {
  const cluster = clusterWith({ serviceAccountIssuer: ["https://a.test", "b"], apiAudiences: ["api"] });
  expect(decodeJwt(await requested(cluster))).toMatchObject({ iss: "https://a.test", aud: ["api"] });
  expect(await statusFor(cluster, await requested(cluster))).toBe(200);
  expect(await statusFor(cluster, await requested(cluster, { audiences: ["https://a.test"] }))).toBe(401);
});

test("the discovery document is that of the first issuer, with the keys of all", async () => {
  const { publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const cluster = clusterWith({
    serviceAccountIssuer: ["https://first.test", "https://second.test"],
    serviceAccountJwksUri: "https://keys.test/set",
    serviceAccountKeys: [signingKey, publicKey.export({ format: "pem", type: "spki" }).toString()],
  });
  expect(await documentOf(cluster, "/.well-known/openid-configuration")).toEqual({
    issuer: "https://first.test",
    jwks_uri: "https://keys.test/set",
    response_types_supported: ["id_token"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["ES256", "RS256"],
  });
  expect(await documentOf(cluster, "/openid/v1/jwks")).toMatchObject({
    keys: [{ alg: "ES256" }, { alg: "RS256" }],
  });
});

test("an issuer that no client can discover has no document", async () => {
  const cluster = clusterWith({ serviceAccountIssuer: ["plain", "https://second.test"] });
  for (const path of ["/.well-known/openid-configuration", "/openid/v1/jwks"]) {
    expect((await cluster.fetch(`https://x${path}`)).status).toBe(404);
  }
});

test("before 1.22, the last issuer is the only one", async () => {
  const cluster = clusterWith({
    release: "1.21",
    serviceAccountIssuer: ["https://first.test", "https://last.test"],
  });
  expect(decodeJwt(await requested(cluster))).toMatchObject({
    iss: "https://last.test",
    aud: ["https://last.test"],
  });
});

test.each<[string, ClusterOptions, string]>([
  ["no issuer", { serviceAccountIssuer: [] }, "service-account-issuer is a required flag"],
  [
    "an empty issuer",
    { serviceAccountIssuer: ["a", ""] },
    "service-account-issuer should not be an empty string",
  ],
  [
    "the same issuer twice",
    { serviceAccountIssuer: ["a", "b", "a"] },
    'service-account-issuer "a" is already specified',
  ],
])("%s is an error", (_title, options, message) => {
  expect(() => createCluster(options)).toThrow(message);
});

test.each<[string, ClusterOptions, string]>([
  [
    "an issuer that is no URL, with a colon",
    { serviceAccountIssuer: "https://a b:c" },
    `service-account-issuer "https://a b:c" contained a ':' but was not a valid URL: parse "https://a b:c": `,
  ],
  [
    "keys at no URL",
    { serviceAccountJwksUri: "https://%zz" },
    'service-account-jwks-uri must be a valid URL: parse "https://%zz": ',
  ],
  [
    "keys without TLS",
    { serviceAccountJwksUri: "http://a.test/keys" },
    "service-account-jwks-uri requires https scheme, parsed as: http://a.test/keys",
  ],
])("%s is an error of the start", async (_title, options, message) => {
  const cluster = clusterWith(options);
  await expect(cluster.list("v1", "Pod")).rejects.toThrow(message);
});

test("since 1.35, an authority of clients and of proxies needs the names of the proxies", () => {
  const [clientCa, other] = [createAuthority().certificate, createAuthority().certificate];
  const requestheaderUsernameHeaders = ["X-Remote-User"];
  const both = { clientCa, requestheaderClientCa: `${other}${clientCa}`, requestheaderUsernameHeaders };
  expect(() => createCluster({ release: "1.35", ...both })).toThrow(
    "--requestheader-client-ca-file and --client-ca-file contain overlapping certificates; --requestheader-allowed-names must be specified",
  );
  for (const options of [
    { release: "1.34", ...both },
    { release: "1.35", ...both, requestheaderAllowedNames: ["proxy"] },
    { release: "1.35", ...both, requestheaderClientCa: other },
  ] as const) {
    clusters.push(createCluster(options));
  }
  expect(clusters).toHaveLength(3);
});
