import { describe, expect, test } from "vitest";
import { viewOf } from "../../../test/api-view.ts";
import { configMap, storedConfigMaps, writeOptions } from "../../../test/registry/stored-config-maps.ts";
import { listAt } from "../../apimachinery/fields.ts";
import type { JsonObject, JsonValue } from "../../apimachinery/json.ts";
import type { KubeObject, MutableKubeObject } from "../../apimachinery/object-meta.ts";
import { definitionOf } from "../contract/resource-definition.ts";
import { scaleRest } from "./scale.ts";
import type { Scaling } from "./scale-verbs.ts";

const view = viewOf({ release: "1.32" });
const key = { namespace: "n", name: "a" };
const scaleKind = { group: "autoscaling", version: "v1", kind: "Scale" };

/** A kind whose data has the replicas. */
const scaling: Scaling = {
  paths: new Map(),
  read: ({ data }) => ({ spec: { replicas: (data as JsonObject)["size"] ?? 0 }, status: { replicas: 7 } }),
  write: (object, size) => ({ ...object, data: { size } }),
};

const controllers =
  view.resource({ group: "", version: "v1", resource: "replicationcontrollers" }) ?? expect.unreachable();

/** The scale of a ConfigMap, or of a ReplicationController if it has no scaling of its own, and the object as it is stored. */
function setUp(fields: JsonObject, kind?: Scaling) {
  const configMaps = storedConfigMaps();
  const resource = kind ? configMaps : { ...configMaps, definition: definitionOf(controllers, view) };
  const value: MutableKubeObject = {
    ...configMap({ name: "a", uid: "u", labels: { l: "1" } }),
    kind: kindOf(kind),
    ...fields,
  };
  void resource.store.guaranteedUpdate("/registry/configmaps/n/a", () => ({ type: "put", value }));
  const rest = scaleRest(resource, { gvk: scaleKind }, view, kind) ?? expect.unreachable();
  const admitted: (readonly [new: unknown, old: unknown])[] = [];
  const update = (change: (scale: KubeObject) => KubeObject) =>
    rest.update?.(
      key,
      (current) => structuredClone(change(current ?? expect.unreachable())) as MutableKubeObject,
      {
        ...writeOptions(),
        validateAdmission: (object: KubeObject, old: KubeObject | undefined) => {
          admitted.push([object["spec"], old?.["spec"]]);
        },
      },
    );
  const read = async () => (await rest.get?.(key))?.value;
  const stored = () => resource.store.get("/registry/configmaps/n/a")?.value;
  return { update, read, stored, admitted };
}

const kindOf = (kind: Scaling | undefined) => (kind ? "ConfigMap" : "ReplicationController");

const withReplicas =
  (replicas: number, metadata: JsonObject = {}) =>
  (scale: KubeObject): KubeObject => ({
    ...scale,
    metadata: { ...scale.metadata, ...metadata },
    spec: { replicas },
  });

describe.each<[title: string, fields: JsonObject, kind: Scaling | undefined, scaled: JsonObject]>([
  ["with a scaling of its own", { data: { size: 2 } }, scaling, { data: { size: 5 } }],
  [
    "with the replicas of workloads",
    { spec: { replicas: 2, minReadySeconds: 1 }, status: { replicas: 7 } },
    undefined,
    { spec: { replicas: 5, minReadySeconds: 1 }, status: { replicas: 7 } },
  ],
])("the scale of a kind %s", (_title, fields, kind, scaled) => {
  test("has the replicas and the metadata that identifies the object", async () => {
    expect(await setUp(fields, kind).read()).toMatchObject({
      kind: "Scale",
      apiVersion: "autoscaling/v1",
      metadata: { name: "a", namespace: "n", uid: "u", resourceVersion: "2" },
      spec: { replicas: 2 },
      status: { replicas: 7 },
    });
  });

  test("changes the replicas alone, and validating admission sees scales", async () => {
    const { update, stored, admitted } = setUp(fields, kind);
    const updated = await update(withReplicas(5, { labels: { l: "2" } }));
    expect(updated?.object.value).toMatchObject({ kind: "Scale", spec: { replicas: 5 } });
    expect(stored()).toMatchObject({ ...scaled, kind: kindOf(kind), metadata: { labels: { l: "1" } } });
    expect(admitted).toEqual([[{ replicas: 5 }, { replicas: 2 }]]);
  });

  test("is not changed from an older resourceVersion", async () => {
    const { update, stored } = setUp(fields, kind);
    await expect(update(withReplicas(5, { resourceVersion: "1" }))).rejects.toThrow("has been modified");
    expect(stored()).toMatchObject(fields);
  });
});

test("a kind with a scaling of its own validates what that writes, not the scale", async () => {
  const { update, stored } = setUp({ data: { size: 2 } }, scaling);
  await update(withReplicas(-1, { uid: "v" }));
  expect(stored()).toMatchObject({ data: { size: -1 } });
});

describe("the scale of a workload", () => {
  const workload = { spec: { replicas: 2 } };

  test("without a number of replicas has none", async () => {
    const scale = await setUp({ spec: {} }).read();
    expect([scale?.["spec"], scale?.["status"]]).toEqual([{}, { replicas: 0 }]);
  });

  test("is changed to none by a scale without a number", async () => {
    const { update, stored } = setUp(workload);
    await update((scale) => ({ ...scale, spec: {} }));
    expect(stored()).toMatchObject({ spec: { replicas: 0 } });
  });

  test.each([
    [
      "a negative number",
      withReplicas(-1),
      "spec.replicas: Invalid value: -1: must be greater than or equal to 0",
    ],
    ["another uid", withReplicas(5, { uid: "v" }), "UID in precondition: v, UID in object meta: u"],
  ])("is not changed with %s", async (_title, change, message) => {
    const { update, stored } = setUp(workload);
    await expect(update(change)).rejects.toThrow(message);
    expect(stored()).toMatchObject(workload);
  });

  test.each([
    ["no replicas", withReplicas(0)],
    ["the same uid", withReplicas(0, { uid: "u" })],
    ["an empty uid", withReplicas(0, { uid: "" })],
  ])("is changed with %s", async (_title, change) => {
    const { update, stored } = setUp(workload);
    await update(change);
    expect(stored()).toMatchObject({ spec: { replicas: 0 } });
  });
});

test("no object is created by its scale", async () => {
  const resource = storedConfigMaps({ allowCreateOnUpdate: true });
  const rest = scaleRest(resource, { gvk: scaleKind }, view, scaling);
  const propose = () => expect.unreachable("there is no object");
  await expect(rest?.update?.(key, propose, writeOptions())).rejects.toThrow('configmaps "a" not found');
});

test("no scale is served without its type", () => {
  const gvk = { ...scaleKind, version: "v9" };
  expect(scaleRest(storedConfigMaps(), { gvk }, view)).toBeUndefined();
});

test.each([
  ["", "replicationcontrollers", ["v1"]],
  ["apps", "replicasets", ["apps/v1", "apps/v1beta2"]],
  ["apps", "deployments", ["apps/v1", "apps/v1beta1", "apps/v1beta2"]],
  ["apps", "statefulsets", ["apps/v1", "apps/v1beta1", "apps/v1beta2"]],
])("the scale of %s %s has the owners of the replicas in %j", async (group, resource, versions) => {
  const entry = view.resource({ group, version: "v1", resource }) ?? expect.unreachable();
  const stored = { ...storedConfigMaps(), definition: definitionOf(entry, view) };
  const fieldsV1 = { "f:spec": { "f:replicas": {} } };
  const owners = ["v1", "apps/v1", "apps/v1beta1", "apps/v1beta2"];
  const managedFields = owners.map((apiVersion) => ({
    manager: apiVersion,
    operation: "Update",
    apiVersion,
    fieldsType: "FieldsV1",
    fieldsV1,
  }));
  const value = { ...configMap({ name: "a", managedFields }), spec: { replicas: 1 } };
  await stored.store.guaranteedUpdate("/registry/configmaps/n/a", () => ({ type: "put", value }));
  const seen: unknown[] = [];
  const propose = (scale: KubeObject | undefined) => {
    seen.push(
      ...listAt(scale ?? expect.unreachable(), "metadata", "managedFields").map(({ manager }) => manager),
    );
    throw new Error("enough");
  };
  const rest = scaleRest(stored, { gvk: scaleKind }, view);
  await expect(rest?.update?.(key, propose, writeOptions())).rejects.toThrow("enough");
  expect(seen.sort()).toEqual(versions);
});

test("the error of a scale names its kind, and a conflict the scale of the workload", async () => {
  const { update } = setUp({ spec: { replicas: 2 } });
  await expect(update(withReplicas(-1))).rejects.toThrow('Scale.autoscaling "a" is invalid: spec.replicas');
  await expect(update(withReplicas(1, { labels: { "-": "" } }))).rejects.toThrow("metadata.labels");
  await expect(update(withReplicas(1, { uid: "v" }))).rejects.toThrow(
    'Operation cannot be fulfilled on replicationcontrollers/scale "a"',
  );
});

describe("the selector of a scale", () => {
  const old = viewOf({ release: "1.16" });
  const tier = [{ key: "tier", operator: "In", values: ["a", "b"] }];

  test.each<[string, string, JsonValue | undefined, JsonObject]>([
    ["autoscaling/v1", "ReplicationController", { app: "web" }, { selector: "app=web" }],
    ["autoscaling/v1", "ReplicationController", undefined, {}],
    ["autoscaling/v1", "Deployment", { matchLabels: { app: "web" } }, { selector: "app=web" }],
    ["autoscaling/v1", "Deployment", { matchExpressions: tier }, { selector: "tier in (a,b)" }],
    [
      "apps/v1beta1",
      "Deployment",
      { matchLabels: { app: "web", tier: "" } },
      { selector: { app: "web", tier: "" }, targetSelector: "app=web,tier=" },
    ],
    [
      "apps/v1beta1",
      "Deployment",
      { matchLabels: { app: "web" }, matchExpressions: tier },
      { targetSelector: "app=web,tier in (a,b)" },
    ],
  ])("in %s of a %s with the selector %j is %j", async (apiVersion, kind, selector, expected) => {
    const [group = "", version = ""] = apiVersion.split("/");
    const resource = storedConfigMaps();
    const spec = selector === undefined ? {} : { selector };
    const value = { ...configMap({ name: "a" }), kind, spec, status: { replicas: 2 } };
    await resource.store.guaranteedUpdate("/registry/configmaps/n/a", () => ({ type: "put", value }));
    const rest = scaleRest(resource, { gvk: { group, version, kind: "Scale" } }, old);
    const got = await rest?.get?.(key);
    expect(got?.value).toMatchObject({ kind: "Scale", apiVersion });
    expect(got?.value["status"]).toEqual({ replicas: 2, ...expected });
  });
});

test("a manager that writes the scale owns the replicas of the workload", async () => {
  const { update, stored } = setUp({ spec: { replicas: 2 } });
  const entry = { manager: "m", operation: "Update", apiVersion: "autoscaling/v1", fieldsType: "FieldsV1" };
  const managedFields = [{ ...entry, fieldsV1: { "f:spec": { "f:replicas": {} } } }];
  await update(withReplicas(5, { managedFields }));
  const owned = [{ ...entry, apiVersion: "v1", fieldsV1: { "f:spec": { "f:replicas": {} } } }];
  expect(stored()?.metadata["managedFields"]).toEqual(owned);
  await update(withReplicas(5));
  expect(stored()?.metadata["managedFields"]).toEqual(owned);
  await update((scale) => withReplicas(6, { managedFields: [] })(scale));
  expect(stored()?.metadata["managedFields"]).toBeUndefined();
});
