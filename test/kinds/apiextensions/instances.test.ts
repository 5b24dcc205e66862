import { afterAll, beforeAll, expect, test } from "vitest";
import { decodeCbor } from "../../../src/codec/cbor/cbor.ts";
import { type Cluster, createCluster } from "../../../src/index.ts";
import { eventsOf, gadget, gadgetDefinition, gadgetsPath, gadgetVersion, root, send } from "./gadgets.ts";

const spec = { type: "object", properties: { color: { type: "string" } } };
let cluster: Cluster;

beforeAll(async () => {
  const featureGates = { CBORServingAndStorage: true, WatchList: true };
  cluster = createCluster({ release: "1.33", featureGates, authorizationMode: "RBAC" });
  await cluster.create(
    gadgetDefinition([gadgetVersion("v1", spec), gadgetVersion("v1beta1", spec, { deprecated: true })]),
  );
  await cluster.settle();
  await cluster.create(gadget("a", { color: "red" }));
});

afterAll(() => cluster.close());

async function bytesOf(
  path: string,
  accept: string,
): Promise<{ status: number; type: string; bytes: Uint8Array }> {
  const headers = { accept, authorization: `Bearer ${cluster.adminToken()}` };
  const response = await cluster.fetch(root + path, { headers });
  return {
    status: response.status,
    type: response.headers.get("content-type") ?? "",
    bytes: new Uint8Array(await response.arrayBuffer()),
  };
}

const metadata = "as=PartialObjectMetadata;v=v1;g=meta.k8s.io";

test("metadata of custom resources is served in protobuf, the resources are not", async () => {
  const protobuf = "application/vnd.kubernetes.protobuf";
  const one = await bytesOf(gadgetsPath("v1", "a"), `${protobuf};${metadata}`);
  expect([one.status, one.type]).toEqual([200, protobuf]);
  expect(new TextDecoder().decode(one.bytes)).toContain("PartialObjectMetadata");
  const all = await bytesOf(gadgetsPath("v1"), `${protobuf};as=PartialObjectMetadataList;v=v1;g=meta.k8s.io`);
  expect([all.status, all.type]).toEqual([200, protobuf]);
  expect((await bytesOf(gadgetsPath("v1", "a"), protobuf)).status).toBe(406);
});

test("custom resources are served in CBOR", async () => {
  const { status, bytes } = await bytesOf(gadgetsPath("v1", "a"), "application/cbor");
  expect(status).toBe(200);
  expect(decodeCbor(bytes)).toMatchObject({ kind: "Gadget", spec: { color: "red" } });
});

test("a streamed list ends with a bookmark that has the annotation", async () => {
  const query =
    "watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&timeoutSeconds=5";
  const events = await eventsOf(cluster, `${gadgetsPath("v1")}?${query}`, 2);
  expect(events).toMatchObject([
    { type: "ADDED", object: { metadata: { name: "a" } } },
    {
      type: "BOOKMARK",
      object: { kind: "Gadget", metadata: { annotations: { "k8s.io/initial-events-end": "true" } } },
    },
  ]);
});

test("roles grant custom resources by their group and name", async () => {
  const bob = cluster.as("bob");
  await expect(bob.get("example.com/v1", "Gadget", "a")).rejects.toThrow(
    'gadgets.example.com "a" is forbidden: User "bob" cannot get resource "gadgets" in API group "example.com"',
  );
  const rbac = "rbac.authorization.k8s.io";
  const rules = [{ apiGroups: ["example.com"], resources: ["gadgets"], verbs: ["get"] }];
  await cluster.create({
    apiVersion: `${rbac}/v1`,
    kind: "ClusterRole",
    metadata: { name: "viewer" },
    rules,
  });
  await cluster.create({
    apiVersion: `${rbac}/v1`,
    kind: "RoleBinding",
    metadata: { name: "viewers", namespace: "default" },
    roleRef: { apiGroup: rbac, kind: "ClusterRole", name: "viewer" },
    subjects: [{ apiGroup: rbac, kind: "User", name: "bob" }],
  });
  expect(await bob.get("example.com/v1", "Gadget", "a")).toMatchObject({ kind: "Gadget" });
  await expect(bob.delete("example.com/v1", "Gadget", "a")).rejects.toThrow("cannot delete resource");
});

test("quotas count custom resources", async () => {
  await cluster.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: "small" } });
  await cluster.create({
    apiVersion: "v1",
    kind: "ResourceQuota",
    metadata: { name: "one", namespace: "small" },
    spec: { hard: { "count/gadgets.example.com": "1" } },
  });
  await cluster.settle();
  await cluster.create(gadget("a", {}, "v1", { namespace: "small" }));
  await expect(cluster.create(gadget("b", {}, "v1", { namespace: "small" }))).rejects.toThrow(
    'gadgets.example.com "b" is forbidden: exceeded quota: one, requested: count/gadgets.example.com=1, used: count/gadgets.example.com=1, limited: count/gadgets.example.com=1',
  );
});

test("unknown fields are refused strictly, or warned of", async () => {
  const sent = { ...gadget("unknown", { color: "red", size: 1 }), other: {} };
  const problems = 'unknown field "other", unknown field "spec.size"';
  const strict = await send(cluster, "POST", `${gadgetsPath("v1")}?fieldValidation=Strict`, sent);
  expect(strict).toMatchObject({ code: 400, body: { message: expect.stringContaining(problems) } });
  const warned = await send(cluster, "POST", `${gadgetsPath("v1")}?fieldValidation=Warn&dryRun=All`, sent);
  expect([warned.code, warned.warnings]).toEqual([
    201,
    '299 - "unknown field \\"other\\"", 299 - "unknown field \\"spec.size\\""',
  ]);
});

test("requests of deprecated versions are warned of and counted", async () => {
  const { warnings } = await send(cluster, "GET", gadgetsPath("v1beta1"));
  expect(warnings).toBe('299 - "example.com/v1beta1 Gadget is deprecated; use example.com/v1 Gadget"');
  const { bytes } = await bytesOf("/metrics", "text/plain");
  expect(new TextDecoder().decode(bytes)).toContain(
    'apiserver_requested_deprecated_apis{group="example.com",removed_release="",resource="gadgets",subresource="",version="v1beta1"} 1',
  );
});

// Upstream: apiextensions-apiserver, pkg/apiserver/customresource_handler.go, schemaCoercingDecoder.
test.each([
  [
    "of another kind has no schema, so its fields are not checked",
    { apiVersion: "example.com/v1", kind: "Other" },
    422,
    'Other.example.com "z" is invalid: kind: Invalid value: "Other": must be Gadget',
  ],
  [
    "of another group has no schema, so its fields are not checked",
    { apiVersion: "example.org/v1", kind: "Gadget" },
    400,
    "the API version in the data (example.org/v1) does not match the expected API version (example.com/v1)",
  ],
  [
    "without a version is of none",
    { kind: "Gadget" },
    400,
    "the API version in the data () does not match the expected API version (example.com/v1)",
  ],
  [
    "of an unknown version has no known fields",
    { apiVersion: "example.com/v9", kind: "Gadget" },
    400,
    'Gadget in version "v9" cannot be handled as a Gadget: strict decoding error: unknown field "spec"',
  ],
  [
    "without a kind is not recognized",
    { apiVersion: "example.com/v1" },
    400,
    `the object provided is unrecognized (must be of type Gadget): Object 'Kind' is missing in '{"metadata":{"name":"z"},"spec":{"zork":1},"apiVersion":"example.com/v1"}' ({"metadata":{"name":"z"},"spec ...)`,
  ],
])("a body %s", async (_title, type, code, message) => {
  const body = { metadata: { name: "z" }, spec: { zork: 1 }, ...type };
  const answer = await send(cluster, "POST", `${gadgetsPath("v1")}?fieldValidation=Strict`, body);
  expect(answer.code).toBe(code);
  expect(answer.body["message"]).toBe(message);
});
