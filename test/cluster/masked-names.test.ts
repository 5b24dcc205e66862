import { gunzipSync } from "node:zlib";
import { beforeAll, expect, test } from "vitest";
import { catalogOf } from "../../src/catalog/catalog.ts";
import { decodeCbor, encodeCbor } from "../../src/codec/cbor/cbor.ts";
import { decodeProtobuf, encodeProtobuf } from "../../src/codec/protobuf/protobuf.ts";
import { type Cluster, createCluster } from "../../src/index.ts";

const catalog = catalogOf({ release: "1.32", runtimeConfig: new Map() });
const origin = "https://cluster.test";
const json = { "content-type": "application/json" };
let cluster: Cluster;

beforeAll(() => {
  cluster = createCluster({
    identifiers: "svc",
    featureGates: { CBORServingAndStorage: true },
    objects:
      "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: seeded, namespace: svc-system, labels: {app.svc.io/name: x}}\n",
  });
});

const lease = (name: string) => ({
  kind: "Lease",
  apiVersion: "coordination.svc.io/v1",
  metadata: { name, namespace: "svc-system", annotations: { "deployment.svc.io/revision": "1" } },
  spec: { holderIdentity: "me" },
});
const leases = `${origin}/apis/coordination.svc.io/v1/namespaces/svc-system/leases`;

/** A name of Kubernetes at the start of a word. */
const realName = /(?<![A-Za-z0-9])(kubernetes|k8s\b|kube)/i;

test.each([
  ["discovery", "/apis"],
  ["a group", "/apis/storage.svc.io/v1"],
  ["OpenAPI v2", "/openapi/v2"],
  ["OpenAPI v3", "/openapi/v3/apis/events.svc.io/v1"],
  ["metrics", "/metrics"],
  ["namespaces", "/api/v1/namespaces"],
  ["roles", "/apis/rbac.authorization.svc.io/v1/clusterroles"],
  ["an error", "/apis/storage.svc.io/v1/csidrivers/kubernetes.io"],
])("the answer with %s has no name of Kubernetes in its head and body", async (_what, path) => {
  const response = await cluster.fetch(origin + path);
  expect([...response.headers].join("\n")).not.toMatch(realName);
  expect(await response.text()).not.toMatch(realName);
});

test("the labels that a client has masked select objects", async () => {
  const response = await cluster.fetch(
    `${origin}/api/v1/namespaces?labelSelector=svc.io%2Fmetadata.name%3Dsvc-system`,
  );
  expect(await response.json()).toMatchObject({ items: [{ metadata: { name: "svc-system" } }] });
});

test("the cluster's own methods, and initial objects, use the names of clients", async () => {
  const seeded = await cluster.get("v1", "ConfigMap", "seeded", { namespace: "svc-system" });
  expect(seeded.metadata).toMatchObject({ namespace: "svc-system", labels: { "app.svc.io/name": "x" } });
  await cluster.apply(lease("applied"));
  const applied = await cluster.get("coordination.svc.io/v1", "Lease", "applied", {
    namespace: "svc-system",
  });
  expect(applied).toMatchObject(lease("applied"));
});

test("protobuf has the names of clients in both directions", async () => {
  const schemaOf = () => catalog.kind({ group: "coordination.k8s.io", version: "v1", kind: "Lease" });
  const schema = schemaOf();
  if (schema === undefined) throw new Error("the catalog has no Lease");
  const type = "application/vnd.svc.protobuf";
  const response = await cluster.fetch(leases, {
    method: "POST",
    headers: { "content-type": type, accept: type },
    body: encodeProtobuf(schema, lease("in-protobuf")) as Uint8Array<ArrayBuffer>,
  });
  expect([response.status, response.headers.get("content-type")]).toEqual([201, type]);
  const { object } = decodeProtobuf(new Uint8Array(await response.arrayBuffer()), schemaOf);
  expect(object).toMatchObject(lease("in-protobuf"));
});

test("CBOR has them too", async () => {
  const response = await cluster.fetch(leases, {
    method: "POST",
    headers: { "content-type": "application/cbor", accept: "application/cbor" },
    body: encodeCbor(lease("in-cbor")) as Uint8Array<ArrayBuffer>,
  });
  expect(decodeCbor(new Uint8Array(await response.arrayBuffer()))).toMatchObject(lease("in-cbor"));
});

test("a token of a service account has masked claims and authenticates", async () => {
  const path = `${origin}/api/v1/namespaces/default/serviceaccounts/default/token`;
  const request = { apiVersion: "authentication.svc.io/v1", kind: "TokenRequest", spec: {} };
  const issued = await cluster.fetch(path, { method: "POST", headers: json, body: JSON.stringify(request) });
  const [, token = ""] = /"token":"([^"]+)"/.exec(await issued.text()) ?? [];
  const [, payload = ""] = token.split(".");
  const claims = JSON.parse(Buffer.from(payload, "base64url").toString());
  expect(claims).toMatchObject({
    iss: "https://svc.default.svc.cluster.local",
    "svc.io": { namespace: "default" },
  });
  const review = { apiVersion: "authentication.svc.io/v1", kind: "SelfSubjectReview" };
  const answer = await cluster.fetch(`${origin}/apis/authentication.svc.io/v1/selfsubjectreviews`, {
    method: "POST",
    headers: { ...json, authorization: `Bearer ${token}` },
    body: JSON.stringify(review),
  });
  expect(await answer.json()).toMatchObject({
    status: { userInfo: { username: "system:serviceaccount:default:default" } },
  });
});

test("a watch has the names of clients in its events", async () => {
  const watch = cluster.watch("coordination.svc.io/v1", "Lease", { namespace: "svc-public" });
  await cluster.create({ ...lease("watched"), metadata: { name: "watched", namespace: "svc-public" } });
  for await (const { type, object } of watch) {
    expect([type, object]).toMatchObject(["ADDED", { apiVersion: "coordination.svc.io/v1" }]);
    break;
  }
});

test("large answers stay compressed", async () => {
  const { handler } = cluster;
  const { plainRequest } = await import("../../src/request/plain-request.ts");
  const { inProcessPeer } = await import("../../src/request/peer.ts");
  const headers = new Map([
    ["accept-encoding", "gzip"],
    ["authorization", `Bearer ${cluster.adminToken()}`],
  ]);
  const answer = await handler(
    plainRequest({ method: "GET", target: "/openapi/v2", headers }),
    inProcessPeer,
  );
  expect(answer.headers).toContainEqual(["Content-Encoding", "gzip"]);
  expect(gunzipSync(answer.body as Uint8Array).toString()).toMatch(
    /^\{"swagger":"2.0","info":\{"title":"Svc"/,
  );
});

test("without the option, names are as they are", async () => {
  const response = await createCluster().fetch(`${origin}/apis/storage.svc.io/v1`);
  expect(response.status).toBe(404);
});
