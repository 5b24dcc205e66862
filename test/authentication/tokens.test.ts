import { createHmac, generateKeyPairSync } from "node:crypto";
import { CompactSign, decodeJwt, decodeProtectedHeader, importPKCS8, UnsecuredJWT } from "jose";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Cluster, createCluster, type JsonObject, VirtualClock } from "../../src/index.ts";

let cluster: Cluster;
beforeEach(() => {
  cluster = createCluster({
    clock: new VirtualClock("2026-01-01T00:00:00Z"),
    authorizationMode: "RBAC",
    enableBootstrapTokenAuth: true,
    controllers: ["*", "token-cleaner-controller", "bootstrap-signer-controller"],
    rootCa: "ca",
  });
});
afterEach(() => cluster.close());

// biome-ignore lint/suspicious/noExplicitAny: the body of a test's own request
const jsonOf = async (response: Response): Promise<any> => response.json();

/** The user of a token, or the status of the refusal. */
async function whoIs(token: string): Promise<unknown> {
  const response = await cluster.fetch("https://x/apis/authentication.k8s.io/v1/selfsubjectreviews", {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: "{}",
  });
  const body = await jsonOf(response);
  return response.status === 201 ? body.status.userInfo : response.status;
}

/** The status of a TokenReview. */
async function reviewOf(token: string, audiences?: readonly string[]): Promise<unknown> {
  const { status } = await cluster.create({
    kind: "TokenReview",
    apiVersion: "authentication.k8s.io/v1",
    metadata: {},
    spec: { token, ...(audiences !== undefined && { audiences: [...audiences] }) },
  });
  return status;
}

const secret = (name: string, type: string, rest: JsonObject, namespace = "default") => ({
  apiVersion: "v1",
  kind: "Secret",
  metadata: { name, namespace, ...(rest["metadata"] as JsonObject) },
  type,
  ...("stringData" in rest && { stringData: rest["stringData"] as JsonObject }),
});

async function requestToken(spec: JsonObject, name = "default"): Promise<string> {
  const path = `https://x/api/v1/namespaces/default/serviceaccounts/${name}/token`;
  const response = await cluster.fetch(path, {
    method: "POST",
    headers: { authorization: `Bearer ${cluster.adminToken()}`, "content-type": "application/json" },
    body: JSON.stringify({ spec }),
  });
  const body = await jsonOf(response);
  expect(response.status, JSON.stringify(body)).toBe(201);
  return body.status.token;
}

/** Longer than the cache of verified tokens, so that a revocation counts. */
const cacheEnds = () => cluster.clock.advance("10s");

describe("a token from a TokenRequest", () => {
  test("authenticates its account until a minute after it expires", async () => {
    const token = await requestToken({ expirationSeconds: 600 });
    const { uid } = (await cluster.get("v1", "ServiceAccount", "default")).metadata;
    expect(await whoIs(token)).toEqual({
      username: "system:serviceaccount:default:default",
      uid,
      groups: ["system:serviceaccounts", "system:serviceaccounts:default", "system:authenticated"],
      extra: { "authentication.kubernetes.io/credential-id": [`JTI=${decodeJwt(token).jti}`] },
    });
    await cluster.clock.advance("11m");
    expect(await whoIs(token)).toMatchObject({ uid });
    await cluster.clock.advance("10s");
    expect(await whoIs(token)).toBe(401);
    expect(await reviewOf(token)).toMatchObject({
      error: "[invalid bearer token, service account token has expired]",
    });
  });

  test.each([
    ["the pod", "v1", "Pod", "p", { kind: "Pod", apiVersion: "v1", name: "p" }],
    ["the Secret", "v1", "Secret", "s", { kind: "Secret", apiVersion: "v1", name: "s" }],
    ["the node", "v1", "Node", "n", { kind: "Node", apiVersion: "v1", name: "n" }],
    ["the account", "v1", "ServiceAccount", "sa", undefined],
  ])("is revoked with %s", async (_title, apiVersion, kind, name, boundObjectRef) => {
    await cluster.load([
      { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "sa" } },
      { apiVersion: "v1", kind: "Node", metadata: { name: "n" } },
      { apiVersion: "v1", kind: "Secret", metadata: { name: "s" } },
      {
        apiVersion: "v1",
        kind: "Pod",
        metadata: { name: "p" },
        spec: { serviceAccountName: "sa", nodeName: "n", containers: [{ name: "c", image: "i" }] },
      },
    ]);
    const token = await requestToken(boundObjectRef === undefined ? {} : { boundObjectRef }, "sa");
    expect(await whoIs(token)).toMatchObject({ username: "system:serviceaccount:default:sa" });
    await cluster.delete(apiVersion, kind, name, { gracePeriodSeconds: 0 });
    expect(await whoIs(token), "remembered for ten seconds").toMatchObject({ groups: expect.anything() });
    await cacheEnds();
    expect(await whoIs(token)).toBe(401);
  });

  test("bound to a pod tells its pod and its node", async () => {
    await cluster.load([
      { apiVersion: "v1", kind: "Node", metadata: { name: "n" } },
      {
        apiVersion: "v1",
        kind: "Pod",
        metadata: { name: "p" },
        spec: { serviceAccountName: "default", nodeName: "n", containers: [{ name: "c", image: "i" }] },
      },
    ]);
    const token = await requestToken({ boundObjectRef: { kind: "Pod", apiVersion: "v1", name: "p" } });
    const uidOf = async (kind: string, name: string) => (await cluster.get("v1", kind, name)).metadata.uid;
    expect(await whoIs(token)).toMatchObject({
      extra: {
        "authentication.kubernetes.io/node-name": ["n"],
        "authentication.kubernetes.io/node-uid": [await uidOf("Node", "n")],
        "authentication.kubernetes.io/pod-name": ["p"],
        "authentication.kubernetes.io/pod-uid": [await uidOf("Pod", "p")],
      },
    });
  });

  test("for another audience is refused, and reviewed for that one", async () => {
    const token = await requestToken({ audiences: ["vault"] });
    expect(await whoIs(token)).toBe(401);
    expect(await reviewOf(token, ["vault", "other"])).toMatchObject({
      authenticated: true,
      audiences: ["vault"],
    });
  });

  test("of a fork's parent counts in the fork", async () => {
    const token = await requestToken({});
    const fork = cluster.fork();
    const response = await fork.fetch("https://x/api", { headers: { authorization: `Bearer ${token}` } });
    expect(response.status).toBe(200);
    await fork.close();
  });
});

describe("the keys of service accounts", () => {
  const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const elliptic = generateKeyPairSync("ec", { namedCurve: "P-384" });
  const pem = (key: typeof rsa.privateKey, type: "pkcs1" | "pkcs8" | "sec1") =>
    key.export({ type, format: "pem" } as { type: "pkcs8"; format: "pem" }).toString();

  test.each([
    ["RSA in PKCS #8", pem(rsa.privateKey, "pkcs8"), "RS256"],
    ["RSA in PKCS #1", pem(rsa.privateKey, "pkcs1"), "RS256"],
    ["P-384 in SEC 1", pem(elliptic.privateKey, "sec1"), "ES384"],
    ["P-384 in PKCS #8", pem(elliptic.privateKey, "pkcs8"), "ES384"],
  ])("sign and verify: %s", async (_title, serviceAccountSigningKey, algorithm) => {
    cluster = createCluster({ serviceAccountSigningKey });
    const token = await requestToken({});
    expect(decodeProtectedHeader(token).alg).toBe(algorithm);
    expect(await whoIs(token)).toMatchObject({ username: "system:serviceaccount:default:default" });
    const keys = await jsonOf(await cluster.fetch("https://x/openid/v1/jwks"));
    expect(keys.keys.map(({ kid }: { kid: string }) => kid)).toEqual([decodeProtectedHeader(token).kid]);
  });

  test("that are public verify tokens of a former signing key", async () => {
    cluster = createCluster({ serviceAccountSigningKey: pem(rsa.privateKey, "pkcs8"), seed: 1 });
    const token = await requestToken({});
    const own = cluster;
    const publicKey = rsa.publicKey.export({ type: "spki", format: "pem" }).toString();
    cluster = createCluster({ serviceAccountKeys: [publicKey], seed: 1 });
    expect(await whoIs(token)).toMatchObject({ username: "system:serviceaccount:default:default" });
    cluster = createCluster({ seed: 1 });
    expect(await whoIs(token)).toBe(401);
    await own.close();
  });

  test("that are none are an error", () => {
    expect(() => createCluster({ serviceAccountKeys: ["x"] })).toThrow(
      "createCluster: serviceAccountKeys: data does not contain any valid RSA or ECDSA keys",
    );
  });
});

describe("a wrong token", () => {
  const unauthorized = {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message: "Unauthorized",
    reason: "Unauthorized",
    code: 401,
  };
  const utf8 = new TextEncoder();
  const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

  /** Tokens that a client could try, made from a valid one. */
  async function forgeries(): Promise<Readonly<Record<string, string>>> {
    const token = await requestToken({});
    const [header = "", claims = "", signature = ""] = token.split(".");
    const payload = decodeJwt(token);
    const headers = { authorization: `Bearer ${cluster.adminToken()}` };
    const { keys } = await jsonOf(await cluster.fetch("https://x/openid/v1/jwks", { headers }));
    const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const key = await importPKCS8(privateKey.export({ type: "pkcs8", format: "pem" }).toString(), "RS256");
    const signed = (extra: object) =>
      new CompactSign(utf8.encode(JSON.stringify(payload)))
        .setProtectedHeader({ alg: "RS256", kid: keys[0].kid, ...extra })
        .sign(key);
    const hs256 = `${encoded({ alg: "HS256", kid: keys[0].kid })}.${claims}`;
    const mac = createHmac("sha256", keys[0].n).update(hs256).digest("base64url");
    return {
      "no shape": "x",
      "two parts": `${header}.${claims}`,
      "four parts": `${token}.x`,
      "empty parts": "..",
      "a signature of nothing": `${header}.${claims}.`,
      "another signature": `${header}.${claims}.${signature.slice(0, -8)}AAAAAAAA`,
      "other claims": `${header}.${encoded({ ...payload, sub: "system:admin" })}.${signature}`,
      "claims that are no JSON": `${header}.${Buffer.from("{").toString("base64url")}.${signature}`,
      "claims that are a list": `${header}.${Buffer.from("[]").toString("base64url")}.${signature}`,
      "no algorithm": new UnsecuredJWT({ ...payload }).encode(),
      "HS256 with the public key": `${hs256}.${mac}`,
      "another key": await signed({}),
      "an embedded key": await signed({ jwk: { kty: "RSA", n: keys[0].n, e: keys[0].e } }),
      "a URL of keys": await signed({ jku: "https://example.test/keys" }),
      "an unknown key id": await signed({ kid: "other" }),
      "a key id that is no text": `${encoded({ alg: "RS256", kid: {} })}.${claims}.${signature}`,
      "an issuer of nobody": `${header}.${encoded({ ...payload, iss: "https://example.test" })}.${signature}`,
      "a megabyte": "a".repeat(1_000_000),
      "a megabyte of claims": `${header}.${"a".repeat(1_000_000)}.${signature}`,
      "a name of a prototype": "__proto__",
    };
  }

  test("of every shape is answered alike, and nothing of it is kept", async () => {
    for (const [title, token] of Object.entries(await forgeries())) {
      const headers = { authorization: `Bearer ${token}` };
      const response = await cluster.fetch("https://x/api/v1/pods", { headers });
      expect([title, response.status, await response.json()]).toEqual([title, 401, unauthorized]);
      expect(response.headers.get("www-authenticate")).toBeNull();
      const logged = JSON.stringify(cluster.requests.all.at(-1));
      expect(logged.includes(token.slice(0, 100)) && token.length > 1, title).toBe(false);
    }
  });

  test("of every shape is a failed review", async () => {
    for (const [title, token] of Object.entries(await forgeries())) {
      const status = (await reviewOf(token)) as JsonObject;
      expect([title, status["authenticated"] ?? false, status["user"]]).toEqual([title, false, {}]);
      expect(status["error"], title).toMatch(/invalid bearer token/);
    }
  });
});

describe("the token of a Secret", () => {
  const annotated = { metadata: { annotations: { "kubernetes.io/service-account.name": "default" } } };

  async function filled(): Promise<string> {
    await cluster.create(secret("t", "kubernetes.io/service-account-token", annotated));
    await cluster.settle();
    const { data } = (await cluster.get("v1", "Secret", "t")) as unknown as { data: Record<string, string> };
    expect(atob(data["ca.crt"] ?? "")).toBe("ca");
    expect(atob(data["namespace"] ?? "")).toBe("default");
    return atob(data["token"] ?? "");
  }

  test("is filled in, authenticates, and remembers the day of its use", async () => {
    const token = await filled();
    expect(await whoIs(token)).toMatchObject({ username: "system:serviceaccount:default:default" });
    const query = { apiVersion: "v1", kind: "Secret", name: "t", namespace: "default" };
    const used = await cluster.waitFor(query, ({ metadata }) => metadata.labels !== undefined);
    expect(used.metadata.labels).toEqual({ "kubernetes.io/legacy-token-last-used": "2026-01-01" });
  });

  test("is revoked with the Secret", async () => {
    const token = await filled();
    expect(await whoIs(token)).toMatchObject({ groups: expect.anything() });
    await cluster.delete("v1", "Secret", "t");
    await cacheEnds();
    expect(await whoIs(token)).toBe(401);
    expect(await reviewOf(token)).toMatchObject({
      error: "[invalid bearer token, Token has been invalidated]",
    });
  });

  test("goes with its account", async () => {
    await cluster.create({ apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "sa" } });
    const metadata = { annotations: { "kubernetes.io/service-account.name": "sa" } };
    await cluster.create(secret("of-sa", "kubernetes.io/service-account-token", { metadata }));
    await cluster.settle();
    await cluster.delete("v1", "ServiceAccount", "sa");
    await cluster.settle();
    await expect(cluster.get("v1", "Secret", "of-sa")).rejects.toThrow('secrets "of-sa" not found');
  });

  test("that was generated is marked after a year without use, and deleted after another", async () => {
    const token = await filled();
    const account = await cluster.get("v1", "ServiceAccount", "default");
    await cluster.update({ ...account, secrets: [{ name: "t" }] });
    // The controller looks at each token once a day.
    const yearPasses = async () => {
      await cluster.clock.advance("8784h");
      await cluster.clock.advance("24h");
      await cluster.settle();
    };
    await yearPasses();
    const { labels } = (await cluster.get("v1", "Secret", "t")).metadata;
    expect(labels).toHaveProperty(["kubernetes.io/legacy-token-invalid-since"]);
    expect(await whoIs(token)).toBe(401);
    await yearPasses();
    await expect(cluster.get("v1", "Secret", "t")).rejects.toThrow('secrets "t" not found');
  });
});

describe("a bootstrap token", () => {
  const type = "bootstrap.kubernetes.io/token";
  const valid = {
    "token-id": "abcdef",
    "token-secret": "0123456789abcdef",
    "usage-bootstrap-authentication": "true",
    "usage-bootstrap-signing": "true",
    expiration: "2026-01-01T01:00:00Z",
    "auth-extra-groups": "system:bootstrappers:kubeadm:default-node-token",
  };
  const create = (fields: JsonObject, name = "bootstrap-token-abcdef") =>
    cluster.create(secret(name, type, { stringData: { ...valid, ...fields } }, "kube-system"));

  test("authenticates with its groups until it expires, and is deleted then", async () => {
    await create({});
    expect(await whoIs("abcdef.0123456789abcdef")).toEqual({
      username: "system:bootstrap:abcdef",
      groups: [
        "system:bootstrappers",
        "system:bootstrappers:kubeadm:default-node-token",
        "system:authenticated",
      ],
    });
    await cluster.clock.advance("1h");
    await cluster.settle();
    expect(await whoIs("abcdef.0123456789abcdef")).toBe(401);
    const { items } = await cluster.list("v1", "Secret", { namespace: "kube-system" });
    expect(items).toEqual([]);
  });

  test.each([
    ["with another secret", {}, "abcdef.0123456789abcdee"],
    ["with a secret of another length", {}, "abcdef.0123456789abcde"],
    ["in upper case", {}, "ABCDEF.0123456789abcdef"],
    ["for signing only", { "usage-bootstrap-authentication": "false" }, "abcdef.0123456789abcdef"],
    ["of another id", { "token-id": "fedcba" }, "abcdef.0123456789abcdef"],
    ["of a foreign group", { "auth-extra-groups": "system:masters" }, "abcdef.0123456789abcdef"],
  ])("%s is refused", async (_title, fields, token) => {
    await create(fields);
    expect(await whoIs(token)).toBe(401);
  });

  test("does not authenticate unless the option enables it", async () => {
    cluster = createCluster();
    await create({});
    expect(await whoIs("abcdef.0123456789abcdef")).toBe(401);
  });

  test("signs cluster-info, and its signature goes with it", async () => {
    const apiVersion = "v1";
    const metadata = { name: "cluster-info", namespace: "kube-public" };
    await cluster.create({ apiVersion, kind: "ConfigMap", metadata, data: { kubeconfig: "text" } });
    await create({});
    await cluster.settle();
    const dataOf = async () => {
      const { data } = await cluster.get("v1", "ConfigMap", "cluster-info", { namespace: "kube-public" });
      return data as Record<string, string>;
    };
    const [header = "", content, signature] = (await dataOf())["jws-kubeconfig-abcdef"]?.split(".") ?? [];
    expect(JSON.parse(Buffer.from(header, "base64url").toString())).toEqual({ alg: "HS256", kid: "abcdef" });
    expect(content).toBe("");
    const signed = `${header}.${Buffer.from("text").toString("base64url")}`;
    const expected = createHmac("sha256", "0123456789abcdef").update(signed).digest("base64url");
    expect(signature).toBe(expected);
    await cluster.delete("v1", "Secret", "bootstrap-token-abcdef", { namespace: "kube-system" });
    await cluster.settle();
    expect(await dataOf()).toEqual({ kubeconfig: "text" });
  });
});
