import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../apimachinery/json.ts";
import { type ApplyType, atomicType, deducedType, scalarType } from "./apply-type.ts";
import { customResourceType } from "./custom-resource-type.ts";

const objectMeta = scalarType("boolean");
const typeOf = (schema: JsonObject, preserves = false): ApplyType | undefined =>
  customResourceType(
    { type: "object", properties: { a: schema } },
    { objectMeta, preserveUnknownFields: preserves },
  ).map?.fields.get("a")?.type;

describe("the type of a field of a custom resource", () => {
  test.each<[string, JsonObject, "string" | "numeric" | "boolean" | "untyped"]>([
    ["a string", { type: "string" }, "string"],
    ["a byte string", { type: "string", format: "byte" }, "string"],
    ["a string with an empty format", { type: "string", format: "" }, "string"],
    ["a string with another format", { type: "string", format: "date-time" }, "untyped"],
    ["an integer", { type: "integer", format: "int32" }, "numeric"],
    ["a number", { type: "number" }, "numeric"],
    ["a boolean", { type: "boolean" }, "boolean"],
  ])("%s is a scalar", (_title, schema, scalar) => {
    expect(typeOf(schema)).toBe(scalarType(scalar));
  });

  test("int-or-string allows scalars, atomic lists and granular maps", () => {
    const type = typeOf({ "x-kubernetes-int-or-string": true });
    expect([type?.scalar, type?.list?.topology, type?.map?.topology]).toEqual([
      "untyped",
      "atomic",
      "granular",
    ]);
  });

  test("a list is atomic unless it declares how to identify its items", () => {
    const items = {
      type: "object",
      properties: { p: { type: "string", default: "TCP" }, n: { type: "string" } },
    };
    const list = { type: "array", items };
    expect(typeOf(list)?.list?.topology).toBe("atomic");
    expect(typeOf({ ...list, "x-kubernetes-list-type": "atomic" })?.list?.topology).toBe("atomic");
    expect(
      typeOf({ type: "array", items: { type: "string" }, "x-kubernetes-list-type": "set" })?.list?.topology,
    ).toBe("set");
    const keyed = typeOf({
      ...list,
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["p", "n"],
    });
    expect(keyed?.list?.topology).toBe("map");
    expect(keyed?.list?.keys).toEqual([
      { name: "n", default: undefined, prefix: '"n":' },
      { name: "p", default: "TCP", prefix: '"p":' },
    ]);
  });

  test("a list has items of one type, and a key has no default if its field has no schema", () => {
    const list = typeOf({ type: "array", items: { type: "string" } })?.list;
    expect(list?.items).toBe(scalarType("string"));
    const keyed = typeOf({
      type: "array",
      items: { type: "object" },
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["n"],
    });
    expect(keyed?.list?.keys).toEqual([{ name: "n", default: undefined, prefix: '"n":' }]);
  });

  test("a value with a type has only the shape of its type", () => {
    const shapesOf = (schema: JsonObject) =>
      Object.entries(typeOf(schema) ?? {}).flatMap(([shape, type]) => (type === undefined ? [] : [shape]));
    expect(shapesOf({ type: "object", properties: { b: { type: "string" } } })).toEqual(["map"]);
    expect(shapesOf({ type: "array", items: { type: "string" } })).toEqual(["list"]);
  });

  test("a list without an items schema allows any items", () => {
    expect(typeOf({ type: "array" })?.list?.items).toBe(atomicType);
  });

  test("an object is granular unless it is declared atomic", () => {
    const properties = { b: { type: "string" } };
    expect(typeOf({ type: "object", properties })?.map?.topology).toBe("granular");
    expect(typeOf({ type: "object", properties, "x-kubernetes-map-type": "atomic" })?.map?.topology).toBe(
      "atomic",
    );
  });

  test("an object allows only its properties", () => {
    expect(typeOf({ type: "object", properties: { b: { type: "string" } } })?.map?.values).toBeUndefined();
  });

  test.each<[string, JsonObject, boolean]>([
    ["without any properties", { type: "object" }, false],
    [
      "that preserves unknown fields",
      { type: "object", properties: { b: { type: "string" } }, "x-kubernetes-preserve-unknown-fields": true },
      false,
    ],
    [
      "of a resource that preserves unknown fields",
      { type: "object", properties: { b: { type: "string" } } },
      true,
    ],
    ["with any additional properties", { type: "object", additionalProperties: true }, false],
  ])("an object %s allows other keys", (_title, schema, preserves) => {
    expect(typeOf(schema, preserves)?.map?.values).toBe(deducedType);
  });

  test("preserving unknown fields applies to all nested values", () => {
    const inner = { type: "object", properties: { c: { type: "string" } } };
    const outer = typeOf({
      type: "object",
      properties: { b: inner },
      "x-kubernetes-preserve-unknown-fields": true,
    });
    expect(outer?.map?.fields.get("b")?.type.map?.values).toBe(deducedType);
  });

  test("a map has values of one type", () => {
    expect(typeOf({ type: "object", additionalProperties: { type: "string" } })?.map?.values).toBe(
      scalarType("string"),
    );
    for (const properties of [{}, { b: {} }]) {
      const closed = typeOf({ type: "object", properties, additionalProperties: false });
      expect(closed?.map?.values).toBeUndefined();
    }
  });
});

describe("metadata", () => {
  test("of a custom resource has the built-in type, regardless of the schema", () => {
    const schema = {
      type: "object",
      properties: { metadata: { type: "string" }, kind: { type: "integer" } },
    };
    const type = customResourceType(schema, { objectMeta, preserveUnknownFields: false });
    expect(type.map?.fields.get("metadata")?.type).toBe(objectMeta);
    expect(type.map?.fields.get("kind")?.type).toBe(scalarType("string"));
    expect(type.map?.fields.get("apiVersion")?.type).toBe(scalarType("string"));
  });

  test("of an embedded resource has the built-in type", () => {
    const type = typeOf({
      type: "object",
      "x-kubernetes-embedded-resource": true,
      properties: { spec: { type: "string" } },
    });
    expect(type?.map?.fields.get("metadata")?.type).toBe(objectMeta);
  });
});

test("a custom resource without a schema is a granular map of deduced values", () => {
  expect(customResourceType(undefined, { objectMeta, preserveUnknownFields: false })).toEqual({
    scalar: undefined,
    list: undefined,
    map: deducedType.map,
  });
});
