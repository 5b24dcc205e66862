import { beforeEach, describe, expect, test } from "vitest";
import { VirtualClock } from "../../../src/apimachinery/clock.ts";
import type { ServiceAccountConfig } from "../../../src/authentication/contract/authentication-config.ts";
import { ClusterCore } from "../../../src/cluster/cluster-core.ts";
import { completeOptions } from "../../../src/cluster/options.ts";
import { decodeBase64Url } from "../../../src/codec/base64-url.ts";
import { Cluster } from "../../../src/index.ts";
import { type SendRequest, testClient } from "../../registry/test-client.ts";

const base = "/api/v1/namespaces/default";
const path = `${base}/serviceaccounts/sa/token`;
const start = "2026-11-20T14:00:58Z";
const now = Date.parse(start) / 1000;
const issuer = "https://kubernetes.default.svc.cluster.local";

interface Made {
  readonly send: SendRequest;
  /** By kind. */
  readonly uids: ReadonlyMap<string, string>;
}

/** A cluster with the accounts `sa` and `other`, a pod of `sa` on a node, one on a deleted node, and a secret. */
async function made(
  rules: Partial<ServiceAccountConfig> = {},
  gates: ReadonlyMap<string, boolean> = new Map(),
) {
  const clock = new VirtualClock(now * 1000 + 250);
  const config = completeOptions({ controllers: [], clock, featureGates: gates });
  const serviceAccounts = { ...config.authentication.serviceAccounts, ...rules };
  const authentication = { ...config.authentication, serviceAccounts };
  const send = testClient(new Cluster(new ClusterCore({ ...config, authentication })));
  const uids = new Map<string, string>();
  const create = async (resource: string, body: { metadata: { name: string } }) => {
    const { object } = await send("POST", resource, body);
    uids.set(`${object.kind} ${object.metadata.name}`, object.metadata.uid);
  };
  const spec = { serviceAccountName: "sa", containers: [{ name: "c", image: "i" }] };
  for (const name of ["sa", "other"]) await create(`${base}/serviceaccounts`, { metadata: { name } });
  await create(`${base}/secrets`, { metadata: { name: "s" } });
  await create("/api/v1/nodes", { metadata: { name: "n" } });
  await create(`${base}/pods`, { metadata: { name: "p" }, ...{ spec: { ...spec, nodeName: "n" } } });
  await create(`${base}/pods`, { metadata: { name: "lost" }, ...{ spec: { ...spec, nodeName: "gone" } } });
  await create(`${base}/pods`, { metadata: { name: "new" }, ...{ spec } });
  return { send, uids } satisfies Made;
}

/** The header, the claims and the length of the signature of a token. */
function parts(token: string) {
  const [header = "", claims = "", signature = ""] = token.split(".").map((part) => decodeBase64Url(part));
  const text = (bytes: string | Uint8Array) => new TextDecoder().decode(bytes as Uint8Array);
  return { header: JSON.parse(text(header)), claims: JSON.parse(text(claims)), signature: signature.length };
}

describe("a token request", () => {
  let cluster: Made;
  beforeEach(async () => {
    cluster = await made();
  });

  test("returns a token for the API, valid for an hour", async () => {
    const { code, object } = await cluster.send("POST", path, { spec: {} });
    expect(code).toBe(201);
    expect(object).toEqual({
      kind: "TokenRequest",
      apiVersion: "authentication.k8s.io/v1",
      metadata: {
        name: "sa",
        namespace: "default",
        creationTimestamp: start,
        managedFields: [
          {
            manager: "unknown",
            operation: "Update",
            apiVersion: "authentication.k8s.io/v1",
            time: start,
            fieldsType: "FieldsV1",
            fieldsV1: { "f:spec": { "f:expirationSeconds": {} } },
            subresource: "token",
          },
        ],
      },
      spec: { audiences: [issuer], expirationSeconds: 3600, boundObjectRef: null },
      status: { token: expect.any(String), expirationTimestamp: "2026-11-20T15:00:58Z" },
    });
    const { header, claims, signature } = parts(object.status.token);
    expect(header).toEqual({ alg: "RS256", kid: expect.stringMatching(/^[\w-]{43}$/) });
    expect(signature).toBe(256);
    expect(claims).toEqual({
      aud: [issuer],
      exp: now + 3600,
      iat: now,
      iss: issuer,
      jti: expect.stringMatching(/^[0-9a-f-]{36}$/),
      "kubernetes.io": {
        namespace: "default",
        serviceaccount: { name: "sa", uid: cluster.uids.get("ServiceAccount sa") },
      },
      nbf: now,
      sub: "system:serviceaccount:default:sa",
    });
    expect(Object.keys(claims)).toEqual(Object.keys(claims).toSorted());
  });

  test("is not stored, so a dry run returns a token as well", async () => {
    const revision = async () =>
      (await cluster.send("GET", `${base}/serviceaccounts`)).object.metadata.resourceVersion;
    const before = await revision();
    const { code, object } = await cluster.send("POST", `${path}?dryRun=All`, { spec: {} });
    expect(code).toBe(201);
    expect(parts(object.status.token).claims.sub).toBe("system:serviceaccount:default:sa");
    await cluster.send("POST", path, { spec: {} });
    expect(await revision()).toBe(before);
  });

  test("contains the audience and the lifetime of the token", async () => {
    const spec = { audiences: ["vault", "x"], expirationSeconds: 600 };
    const { object } = await cluster.send("POST", path, { metadata: { name: "sa" }, spec });
    expect(object.spec).toEqual({ ...spec, boundObjectRef: null });
    expect(object.status.expirationTimestamp).toBe("2026-11-20T14:10:58Z");
    expect(parts(object.status.token).claims).toMatchObject({ aud: ["vault", "x"], exp: now + 600 });
  });

  test("cannot set its status", async () => {
    const { object } = await cluster.send("POST", path, { spec: {}, status: { token: "x" } });
    expect(parts(object.status.token).claims.iss).toBe(issuer);
  });

  test.each<[string, object, number, string]>([
    [
      "of another name",
      { metadata: { name: "z" } },
      422,
      'metadata.name: Invalid value: "z": must match the service account name if specified',
    ],
    [
      "of another namespace",
      { metadata: { namespace: "z" } },
      400,
      "the namespace of the provided object does not match the namespace sent on the request",
    ],
    [
      "for less than ten minutes",
      { spec: { expirationSeconds: 599 } },
      422,
      "spec.expirationSeconds: Invalid value: 599: may not specify a duration less than 10 minutes",
    ],
    [
      "for more than 2^32 seconds",
      { spec: { expirationSeconds: 4294967297 } },
      422,
      "spec.expirationSeconds: Invalid value: 4294967297: may not specify a duration larger than 2^32 seconds",
    ],
    [
      "of another version",
      { apiVersion: "authentication.k8s.io/v1beta1", kind: "TokenRequest" },
      400,
      expect.stringContaining("cannot be handled as a TokenRequest"),
    ],
  ])("%s is refused", async (_title, body, code, finding) => {
    const refused = await cluster.send("POST", path, { spec: {}, ...body });
    expect(refused.code).toBe(code);
    expect(refused.findings).toEqual([finding]);
  });

  test("has a lifetime between ten minutes and 2^32 seconds, inclusive", async () => {
    for (const expirationSeconds of [600, 2 ** 32]) {
      expect((await cluster.send("POST", path, { spec: { expirationSeconds } })).code).toBe(201);
    }
  });

  test("names its kind, but no object, in validation errors", async () => {
    const { object } = await cluster.send("POST", path, { spec: { expirationSeconds: 10 } });
    expect(object.message).toMatch(/^TokenRequest\.authentication\.k8s\.io "" is invalid: /);
    expect(object.details).toMatchObject({ group: "authentication.k8s.io", kind: "TokenRequest" });
    const { object: other } = await cluster.send("POST", path, { metadata: { name: "z" }, spec: {} });
    expect(other.message).toMatch(/^TokenRequest\.authentication\.k8s\.io "sa" is invalid: metadata\.name: /);
  });

  test("for a missing account is not found", async () => {
    const { code, object } = await cluster.send("POST", `${base}/serviceaccounts/nope/token`, { spec: {} });
    expect(code).toBe(404);
    expect(object.message).toBe('serviceaccounts "nope" not found');
  });
});

describe("a bound token", () => {
  test.each<[string, object, (uids: ReadonlyMap<string, string>) => object]>([
    [
      "names its pod, and the node that it runs on",
      { kind: "Pod", apiVersion: "v1", name: "p" },
      (uids) => ({
        pod: { name: "p", uid: uids.get("Pod p") },
        node: { name: "n", uid: uids.get("Node n") },
      }),
    ],
    [
      "contains only its pod if that is not scheduled",
      { kind: "Pod", apiVersion: "v1", name: "new" },
      (uids) => ({ pod: { name: "new", uid: uids.get("Pod new") } }),
    ],
    [
      "contains only the name of a deleted node",
      { kind: "Pod", apiVersion: "v1", name: "lost" },
      (uids) => ({ pod: { name: "lost", uid: uids.get("Pod lost") }, node: { name: "gone" } }),
    ],
    [
      "names its secret",
      { kind: "Secret", apiVersion: "v1", name: "s" },
      (uids) => ({ secret: { name: "s", uid: uids.get("Secret s") } }),
    ],
    [
      "names its node",
      { kind: "Node", apiVersion: "v1", name: "n" },
      (uids) => ({ node: { name: "n", uid: uids.get("Node n") } }),
    ],
    [
      "may omit the version of the core group",
      { kind: "Secret", name: "s" },
      (uids) => ({ secret: { name: "s", uid: uids.get("Secret s") } }),
    ],
  ])("%s", async (_title, boundObjectRef, claimed) => {
    const { send, uids } = await made();
    const { code, object } = await send("POST", path, { spec: { boundObjectRef } });
    expect(code).toBe(201);
    expect(object.spec.boundObjectRef).toEqual(boundObjectRef);
    const { namespace, serviceaccount, ...bound } = parts(object.status.token).claims["kubernetes.io"];
    expect(namespace).toBe("default");
    expect(serviceaccount.name).toBe("sa");
    expect(bound).toEqual(claimed(uids));
  });

  const mismatch = (kind: string, name: string) =>
    `Operation cannot be fulfilled on ${kind} "${name}": the UID in the bound object reference (other) does not match ` +
    "the UID in record. The object might have been deleted and then recreated";

  test.each<[string, string, object, number, string]>([
    [
      "an unsupported kind",
      "sa",
      { kind: "Foo", apiVersion: "v1" },
      400,
      "cannot bind token to object of type /v1, Kind=Foo",
    ],
    [
      "a kind of another group",
      "sa",
      { kind: "Pod", apiVersion: "apps/v1" },
      400,
      "cannot bind token to object of type apps/v1, Kind=Pod",
    ],
    [
      "a pod that does not exist",
      "sa",
      { kind: "Pod", apiVersion: "v1", name: "x" },
      404,
      'pods "x" not found',
    ],
    [
      "a secret that does not exist",
      "sa",
      { kind: "Secret", apiVersion: "v1", name: "x" },
      404,
      'secrets "x" not found',
    ],
    [
      "a node that does not exist",
      "sa",
      { kind: "Node", apiVersion: "v1", name: "x" },
      404,
      'nodes "x" not found',
    ],
    ["a secret without a name", "sa", { kind: "Secret", apiVersion: "v1" }, 400, "Name parameter required."],
    [
      "a pod of another account",
      "other",
      { kind: "Pod", apiVersion: "v1", name: "p" },
      400,
      'cannot bind token for serviceaccount "other" to pod running with different serviceaccount name.',
    ],
    [
      "another pod of the name",
      "sa",
      { kind: "Pod", apiVersion: "v1", name: "p", uid: "other" },
      409,
      mismatch("Pod", "p"),
    ],
    [
      "another secret of the name",
      "sa",
      { kind: "Secret", apiVersion: "v1", name: "s", uid: "other" },
      409,
      mismatch("Secret", "s"),
    ],
    [
      "another node of the name",
      "sa",
      { kind: "Node", apiVersion: "v1", name: "n", uid: "other" },
      409,
      mismatch("Node", "n"),
    ],
  ])("is refused for %s", async (_title, account, boundObjectRef, code, message) => {
    const { send } = await made();
    const refused = await send("POST", `${base}/serviceaccounts/${account}/token`, {
      spec: { boundObjectRef },
    });
    expect(refused.code).toBe(code);
    expect(refused.object.message).toBe(message);
  });

  test("is refused for a node without the gate ServiceAccountTokenNodeBinding", async () => {
    const { send } = await made({}, new Map([["ServiceAccountTokenNodeBinding", false]]));
    const boundObjectRef = { kind: "Node", apiVersion: "v1", name: "n" };
    const { code, findings } = await send("POST", path, { spec: { boundObjectRef } });
    expect(code).toBe(400);
    expect(findings).toEqual([
      'cannot bind token to a Node object as the "ServiceAccountTokenNodeBinding" feature-gate is disabled',
    ]);
  });
});

describe("the lifetime of a token", () => {
  const year = 365 * 24 * 60 * 60;
  const pod = { kind: "Pod", apiVersion: "v1", name: "p" };

  test.each<[string, object, Partial<ServiceAccountConfig>, number, number | undefined]>([
    [
      "is a year for tokens mounted in pods",
      { expirationSeconds: 3607, boundObjectRef: pod },
      {},
      year,
      3607,
    ],
    [
      "is the requested one for other tokens of pods",
      { expirationSeconds: 3608, boundObjectRef: pod },
      {},
      3608,
      undefined,
    ],
    ["is the requested one without a pod", { expirationSeconds: 3607 }, {}, 3607, undefined],
    [
      "is the requested one for other audiences",
      { expirationSeconds: 3607, boundObjectRef: pod, audiences: [issuer, "vault"] },
      {},
      3607,
      undefined,
    ],
    [
      "is the requested one if the server does not extend tokens",
      { expirationSeconds: 3607, boundObjectRef: pod },
      { extendsExpiration: false },
      3607,
      undefined,
    ],
  ])("%s", async (_title, spec, rules, seconds, warnAfter) => {
    const { send } = await made(rules);
    const { object } = await send("POST", path, { spec });
    const { claims } = parts(object.status.token);
    expect(claims.exp - claims.iat).toBe(seconds);
    expect(claims["kubernetes.io"].warnafter).toBe(warnAfter === undefined ? undefined : now + warnAfter);
    // The response contains the requested lifetime.
    expect(Date.parse(object.status.expirationTimestamp) / 1000 - now).toBe(object.spec.expirationSeconds);
  });

  test("is shortened to the server's maximum, with a warning", async () => {
    const { send } = await made({ maxExpirationSeconds: 7200 });
    const { object, warnings } = await send("POST", path, { spec: { expirationSeconds: 7201 } });
    expect(warnings).toEqual(["requested expiration of 7201 seconds shortened to 7200 seconds"]);
    expect(object.spec.expirationSeconds).toBe(7200);
    expect(object.status.expirationTimestamp).toBe("2026-11-20T16:00:58Z");
    expect(parts(object.status.token).claims.exp).toBe(now + 7200);
    expect((await send("POST", path, { spec: { expirationSeconds: 7200 } })).warnings).toEqual([]);
  });
});
