import { describe, expect, test } from "vitest";
import { viewOf } from "../../../test/api-view.ts";
import { configMap, storedConfigMaps, writeOptions } from "../../../test/registry/stored-config-maps.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { KubeObject, MutableKubeObject } from "../../apimachinery/object-meta.ts";
import { definitionOf } from "../contract/resource-definition.ts";
import { type Scaling, scaleRest } from "./scale.ts";

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

describe("the scale of a workload", () => {
  const workload = { spec: { replicas: 2 } };

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
