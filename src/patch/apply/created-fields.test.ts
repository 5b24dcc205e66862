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
import { TypedError } from "./typed-error.ts";

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

test("the fields of decoded objects that differ only in values are found once", () => {
  let found = 0;
  const created = new CreatedFields((set) => {
    found += 1;
    return filter(set);
  });
  for (const image of ["web:1", "web:2"])
    created.of(podOf("a", { containers: [{ name: "web", image }] }), pod);
  expect(found).toBe(1);
});

test("objects with the same owned fields have the very same ones, whatever else they have", () => {
  const created = new CreatedFields(allBut(["spec.image"]));
  const [one, other] = ["image", "port"].map((field) =>
    created.of(customObject({ spec: { replicas: 1, image: "web:1" }, [field]: 1 }), custom),
  );
  const again = created.of(customObject({ spec: { replicas: 2, image: "web:2" }, port: 1 }), custom);
  expect(other).not.toEqual(one);
  expect(again).toBe(other);
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
  const other = deepFreeze({ template: { ports: [1] } });
  const fields = [frozenSpec, frozenSpec, other, other, frozenSpec].map((spec, i) => {
    const metadata = { name: `web-${i}`, uid: `${i}`, labels };
    return [...pathsOf(created.of(customObject({ spec, metadata }), custom))].map(formatPath);
  });
  expect(found).toBe(3);
  const expected = [frozenSpec, other].map((spec) =>
    alone(custom, customObject({ spec, metadata: { labels } })),
  );
  expect(fields).toEqual([expected[0], expected[0], expected[1], expected[1], expected[0]]);
});

test.each<[title: string, one: JsonObject, other: JsonObject]>([
  ["a field of the spec that has the name of a field of the server", { spec: {} }, { spec: { name: "a" } }],
  ["a spec that was null", { spec: null }, { spec: { replicas: 1 } }],
  [
    "other labels",
    { metadata: { labels: deepFreeze({ app: "web" }) } },
    { metadata: { labels: deepFreeze({ tier: "front" }) } },
  ],
])("a custom resource that differs in %s has fields of its own", (_title, one, other) => {
  expect(fieldsOf(custom, customObject(one), customObject(other))).toEqual([
    alone(custom, customObject(one)),
    alone(custom, customObject(other)),
  ]);
});

test("a custom resource that does not fit its type is refused, even after one with the same fields", () => {
  const typed = customKind(
    {
      openApiSchema: {
        type: "object",
        properties: { spec: { type: "object", properties: { replicas: { type: "integer" } } } },
      },
      preserveUnknownFields: false,
      objectMeta: objectMeta(),
    },
    { group: "example.com", version: "v1", kind: "Web" },
  );
  const created = new CreatedFields(filter);
  created.of(customObject({ spec: { replicas: 1 } }), typed);
  expect(() => created.of(customObject({ spec: { replicas: "one" } }), typed)).toThrow(TypedError);
});

function customObject(fields: JsonObject): JsonObject {
  return { kind: "Web", apiVersion: "example.com/v1", metadata: { name: "a" }, ...fields };
}

test.each<[title: string, change: (object: ChangingObject) => void]>([
  ["", (object) => Object.assign(object, { data: "x" })],
  [" in its spec", ({ spec }) => Object.assign(spec, { port: 1 })],
  [" in a part of its spec", ({ spec }) => Object.assign(spec.template, { image: "web:1" })],
])("the fields of a custom resource that changes later%s are not those of the next one", (_title, change) => {
  const created = new CreatedFields(filter);
  const object = { ...customObject({}), spec: { replicas: 1, template: { name: "web" } } };
  const before = created.of(object, custom);
  change(object);
  expect(created.of(object, custom)).not.toEqual(before);
});

interface ChangingObject {
  readonly spec: { readonly template: object };
}
