import { describe, expect, test } from "vitest";
import { binding, policy, ruleFor } from "../admission/policy-objects.ts";
import { quietCluster, testClient } from "./test-client.ts";
import { podTemplate, workload } from "./workloads.ts";

const apps = "/apis/apps/v1/namespaces/default";
const path = `${apps}/deployments/d/scale`;

const legacy = { release: "1.16", runtimeConfig: { "apps/v1beta1": true, "apps/v1beta2": true } };

function scale(replicas: number, metadata: object = {}): object {
  return { metadata: { name: "d", ...metadata }, spec: { replicas } };
}

test.each<[resource: string, path: string, body: object]>([
  ["deployments", `${apps}/deployments`, workload("w")],
  ["replicasets", `${apps}/replicasets`, workload("w")],
  ["statefulsets", `${apps}/statefulsets`, workload("w")],
  [
    "replicationcontrollers",
    "/api/v1/namespaces/default/replicationcontrollers",
    { metadata: { name: "w" }, spec: { template: podTemplate() } },
  ],
])("the scale of %s is their replicas and their selector", async (_resource, collection, body) => {
  const send = testClient(quietCluster());
  const { metadata } = (await send("POST", collection, body)).object;
  const { object } = await send("GET", `${collection}/w/scale`);
  expect(object).toEqual({
    kind: "Scale",
    apiVersion: "autoscaling/v1",
    metadata: {
      name: "w",
      namespace: "default",
      uid: metadata.uid,
      resourceVersion: metadata.resourceVersion,
      creationTimestamp: metadata.creationTimestamp,
    },
    spec: { replicas: 1 },
    status: { replicas: 0, selector: "app=web" },
  });
  const scaled = await send("PATCH", `${collection}/w/scale`, { spec: { replicas: 3 } });
  expect(scaled.object.spec).toEqual({ replicas: 3 });
  expect((await send("GET", `${collection}/w`)).object).toMatchObject({
    metadata: { generation: 2 },
    spec: { replicas: 3 },
  });
});

describe("the selector of a scale", () => {
  const expressions = [{ key: "tier", operator: "In", values: ["a", "b"] }];
  const selecting = (selector: object) => ({
    ...workload("d"),
    spec: {
      selector,
      template: { ...podTemplate(), metadata: { labels: { app: "web", tier: "a" } } },
    },
  });

  test.each([
    [{ matchLabels: { app: "web" } }, { selector: { app: "web" }, targetSelector: "app=web" }],
    [
      { matchLabels: { app: "web", tier: "a" } },
      { selector: { app: "web", tier: "a" }, targetSelector: "app=web,tier=a" },
    ],
    [
      { matchLabels: { app: "web" }, matchExpressions: expressions },
      { targetSelector: "app=web,tier in (a,b)" },
    ],
  ])("%j is a text, and in old groups a map if it can be one", async (selector, status) => {
    const send = testClient(quietCluster(legacy));
    expect((await send("POST", `${apps}/deployments`, selecting(selector))).code).toBe(201);
    const { object } = await send("GET", path);
    expect(object.status).toEqual({ replicas: 0, selector: status.targetSelector });
    const old = await send("GET", path.replace("/v1/", "/v1beta1/"));
    expect(old.object).toMatchObject({ kind: "Scale", apiVersion: "apps/v1beta1", spec: { replicas: 1 } });
    expect(old.object.status).toEqual({ replicas: 0, ...status });
  });

  test("of an old group is written, too", async () => {
    const send = testClient(quietCluster(legacy));
    await send("POST", `${apps}/deployments`, workload("d"));
    const { object } = await send("PUT", path.replace("/v1/", "/v1beta2/"), scale(4));
    expect(object).toMatchObject({ apiVersion: "apps/v1beta2", spec: { replicas: 4 } });
    const { findings } = await send("PUT", path.replace("/v1/", "/v1beta2/"), scale(-1));
    expect(findings).toEqual(["spec.replicas: Invalid value: -1: must be greater than or equal to 0"]);
  });
});

describe("a scale is refused for", () => {
  test("a negative number, as a Scale", async () => {
    const send = testClient(quietCluster());
    await send("POST", `${apps}/deployments`, workload("d"));
    const { object } = await send("PUT", path, scale(-3));
    expect(object).toMatchObject({
      message:
        'Scale.autoscaling "d" is invalid: spec.replicas: Invalid value: -3: must be greater than or equal to 0',
      details: { name: "d", group: "autoscaling", kind: "Scale" },
    });
  });

  test("invalid labels", async () => {
    const send = testClient(quietCluster());
    await send("POST", `${apps}/deployments`, workload("d"));
    const { findings } = await send("PUT", path, scale(1, { labels: { a: "b c" } }));
    expect(findings).toEqual([expect.stringContaining('metadata.labels: Invalid value: "b c"')]);
  });

  test("an old resourceVersion, as the workload", async () => {
    const send = testClient(quietCluster());
    await send("POST", `${apps}/deployments`, workload("d"));
    const { object } = await send("PUT", path, scale(2, { resourceVersion: "1" }));
    expect(object).toMatchObject({ code: 409, details: { name: "d", group: "apps", kind: "deployments" } });
  });

  test("another uid, as the scale", async () => {
    const send = testClient(quietCluster());
    const { uid } = (await send("POST", `${apps}/deployments`, workload("d"))).object.metadata;
    const { object } = await send("PATCH", path, { metadata: { uid: "x" }, spec: { replicas: 2 } });
    expect(object).toMatchObject({
      code: 409,
      message: `Operation cannot be fulfilled on deployments/scale.apps "d": Precondition failed: UID in precondition: x, UID in object meta: ${uid}`,
    });
  });

  test("a missing workload, as the workload", async () => {
    const send = testClient(quietCluster());
    const read = await send("GET", path);
    const written = await send("PUT", path, scale(2));
    expect([read.findings, written.findings]).toEqual([
      ['deployments.apps "d" not found'],
      ['deployments.apps "d" not found'],
    ]);
  });

  test("a Scale of a legacy group", async () => {
    const send = testClient(quietCluster());
    await send("POST", `${apps}/deployments`, workload("d"));
    const old = { apiVersion: "extensions/v1beta1", kind: "Scale", ...scale(2) };
    const { findings } = await send("PUT", path, old);
    expect(findings).toEqual([
      "the API version in the data (extensions/v1beta1) does not match the expected API version (autoscaling/v1)",
    ]);
  });
});

test("a policy sees the scale before and after a write", async () => {
  const validations = [{ expression: "object.spec.replicas <= oldObject.spec.replicas + 2" }];
  const matchConstraints = { resourceRules: [ruleFor("deployments/scale", "apps")] };
  const objects = [policy("Validating", { matchConstraints, validations }), binding("Validating")];
  const send = testClient(quietCluster({ objects }));
  await send("POST", `${apps}/deployments`, workload("d"));
  expect((await send("PUT", path, scale(3))).object.spec).toEqual({ replicas: 3 });
  const refused = await send("PUT", path, scale(6));
  expect([refused.code, refused.findings]).toEqual([
    422,
    [expect.stringContaining("failed expression: object.spec.replicas <= oldObject.spec.replicas + 2")],
  ]);
  expect((await send("GET", path)).object.spec).toEqual({ replicas: 3 });
});

/** Upstream: the replicas path mappings of each workload's storage, such as apps/deployment/storage/storage.go. */
test.each([
  ["deployments", "apps/v1beta1", workload("d")],
  ["deployments", "apps/v1beta2", workload("d")],
  ["deployments", "apps/v1", workload("d")],
  ["statefulsets", "apps/v1beta1", workload("d", { serviceName: "s" })],
  ["statefulsets", "apps/v1beta2", workload("d", { serviceName: "s" })],
  ["statefulsets", "apps/v1", workload("d", { serviceName: "s" })],
  ["replicasets", "apps/v1beta2", workload("d")],
  ["replicasets", "apps/v1", workload("d")],
  ["replicationcontrollers", "v1", { metadata: { name: "d" }, spec: { template: podTemplate() } }],
])(
  "a scale takes the replicas of %s from the manager that set them in %s",
  async (resource, version, body) => {
    const send = testClient(quietCluster(legacy));
    const root = version === "v1" ? "/api/v1" : `/apis/${version}`;
    const latest = root.replace(/beta\d$/, "");
    // Before 1.18, servers track the fields of objects that have managedFields already.
    const entry = { manager: "applied", operation: "Apply", apiVersion: version, fieldsType: "FieldsV1" };
    const managedFields = [{ ...entry, fieldsV1: { "f:metadata": { "f:annotations": {} } } }];
    const tracked = { ...body, metadata: { name: "d", managedFields } };
    expect(
      (await send("POST", `${root}/namespaces/default/${resource}?fieldManager=before`, tracked)).code,
    ).toBe(201);
    const one = `${latest}/namespaces/default/${resource}/d`;
    await send("PATCH", `${one}/scale?fieldManager=scaler`, { spec: { replicas: 2 } });
    const { object } = await send("GET", one);
    expect(object.metadata.managedFields).toEqual([
      expect.objectContaining({ manager: "applied" }),
      expect.objectContaining({ manager: "scaler", fieldsV1: { "f:spec": { "f:replicas": {} } } }),
      expect.objectContaining({
        manager: "before",
        apiVersion: version,
        fieldsV1: expect.objectContaining({
          "f:spec": expect.not.objectContaining({ "f:replicas": expect.anything() }),
        }),
      }),
    ]);
  },
);
