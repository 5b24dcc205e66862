import fc from "fast-check";
import { expect, test } from "vitest";
import { kindArbitrary } from "../../../test/arbitraries/schema-arbitrary.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import { catalogOf } from "../../catalog/catalog.ts";
import { builtInSchema } from "../../schema/built-in-schema.ts";
import { deepFreeze } from "../../store/deep-freeze.ts";
import { type ApplyKind, applyKind, customKind } from "./apply-kind.ts";
import { CreatedFields } from "./created-fields.ts";
import { allBut } from "./field-filter.ts";
import { pathsOf } from "./field-set.ts";
import { formatPath } from "./path-element.ts";

const catalog = catalogOf({ release: "1.32" });

function schemaOf(version: string, kind: string) {
  const schema = catalog.kind({ group: "", version, kind });
  if (schema === undefined) throw new Error(`no ${kind}`);
  return schema;
}

const pod = applyKind(builtInSchema(schemaOf("v1", "Pod")), { group: "", version: "v1", kind: "Pod" });
const filter = allBut(["status"]);

const custom = customKind(
  { openApiSchema: undefined, preserveUnknownFields: true, objectMeta: objectMeta() },
  { group: "example.com", version: "v1", kind: "Web" },
);

function objectMeta() {
  const schema = schemaOf("v1", "Pod").field("metadata")?.schema;
  if (schema?.type !== "struct") throw new Error("no metadata");
  return schema;
}

const containers = deepFreeze([{ name: "web", image: "web:1" }]);
const labels = deepFreeze({ app: "web" });

function podOf(
  name: string,
  spec: JsonObject = { containers },
  metadata: JsonObject = { labels },
): JsonObject {
  return { kind: "Pod", apiVersion: "v1", metadata: { ...metadata, name, uid: `uid of ${name}` }, spec };
}

function fieldsOf(kind: ApplyKind, ...objects: readonly JsonObject[]): readonly (readonly string[])[] {
  const created = new CreatedFields(filter);
  return objects.map((object) => [...pathsOf(created.of(object, kind))].map(formatPath));
}

const alone = (kind: ApplyKind, object: JsonObject) => fieldsOf(kind, object)[0];

test("an object with the parts of the one before has the very same fields", () => {
  const created = new CreatedFields(filter);
  expect(created.of(podOf("b"), pod)).toBe(created.of(podOf("a"), pod));
});

test("the fields of objects with the same parts are found once, whatever their names", () => {
  let found = 0;
  const created = new CreatedFields((set) => {
    found += 1;
    return filter(set);
  });
  for (const name of ["a", "b", "c"]) created.of(podOf(name), pod);
  expect(found).toBe(1);
  created.of(podOf("d", { containers, nodeName: "node" }), pod);
  expect(found).toBe(2);
});

test.each<[string, JsonObject]>([
  ["another label", podOf("b", { containers }, { labels: deepFreeze({ app: "web", tier: "front" }) })],
  ["no labels", podOf("b", { containers }, {})],
  ["one more field of the metadata", podOf("b", { containers }, { labels, generateName: "b-" })],
  ["one more field of the spec", podOf("b", { containers, nodeName: "node" })],
  ["one field of the spec less", podOf("b", {})],
  [
    "equal containers that can still change",
    podOf("b", { containers: structuredClone(containers) as never }),
  ],
  ["a status, which is not written here", { ...podOf("b"), status: { phase: "Running" } }],
  ["no spec", { kind: "Pod", apiVersion: "v1", metadata: { name: "b" } }],
])("an object with %s has fields of its own", (_title, object) => {
  expect(fieldsOf(pod, podOf("a"), object, podOf("c"))).toEqual([
    alone(pod, podOf("a")),
    alone(pod, object),
    alone(pod, podOf("c")),
  ]);
});

test.each([
  ["", "v1", "Pod"],
  ["apps", "v1", "Deployment"],
  ["apiextensions.k8s.io", "v1", "CustomResourceDefinition"],
  ["networking.k8s.io", "v1", "Ingress"],
])(
  "the outline of any object of %s/%s, %s shows the fields that its canonical form has",
  (group, version, kind) => {
    const gvk = { group, version, kind };
    const struct = catalog.kind(gvk);
    if (struct === undefined) throw new Error(`no ${kind}`);
    const known = applyKind(builtInSchema(struct), gvk);
    fc.assert(
      fc.property(kindArbitrary(gvk, struct), (object) => {
        const of = (shown: JsonObject) => [...pathsOf(new CreatedFields(filter).of(shown, known))];
        expect(of(known.outline(object, known.empty))).toEqual(of(known.show(object, known.empty)));
      }),
      { numRuns: 25 },
    );
  },
);

const frozenSpec = deepFreeze({ replicas: 1, image: "web:1" });

test.each<[string, JsonObject, "same" | "other"]>([
  ["the same frozen parts", { spec: frozenSpec }, "same"],
  ["equal parts that can still change", { spec: { ...frozenSpec } }, "same"],
  ["another value", { spec: { ...frozenSpec, replicas: 2 } }, "same"],
  ["another field", { spec: { ...frozenSpec, port: 1 } }, "other"],
])("a custom resource with %s", (_title, fields, expected) => {
  const created = new CreatedFields(filter);
  const before = created.of(customObject({ spec: frozenSpec }), custom);
  const after = created.of(customObject(fields), custom);
  expect(pathsOf(after)).toEqual(pathsOf(new CreatedFields(filter).of(customObject(fields), custom)));
  expect(after === before).toBe(expected === "same");
});

test("custom resources with the same parts have the fields of the first, which are found once", () => {
  let found = 0;
  const created = new CreatedFields((set) => {
    found += 1;
    return filter(set);
  });
  const other = deepFreeze({ port: 1 });
  const fields = [
    { spec: frozenSpec },
    { spec: frozenSpec },
    { spec: other },
    { spec: other },
    { spec: frozenSpec },
  ].map((parts) => [...pathsOf(created.of(customObject(parts), custom))].map(formatPath));
  expect(found).toBe(3);
  const expected = [{ spec: frozenSpec }, { spec: other }].map((parts) => alone(custom, customObject(parts)));
  expect(fields).toEqual([expected[0], expected[0], expected[1], expected[1], expected[0]]);
});

function customObject(fields: JsonObject): JsonObject {
  return { kind: "Web", apiVersion: "example.com/v1", metadata: { name: "a" }, ...fields };
}

test("the fields of a custom resource that changes later are not those of the next one", () => {
  const created = new CreatedFields(filter);
  const object: { [key: string]: JsonObject | string } = {
    kind: "Web",
    apiVersion: "example.com/v1",
    metadata: {},
  };
  const before = created.of(object, custom);
  object["spec"] = { replicas: 1 };
  expect(created.of(object, custom)).not.toEqual(before);
});
