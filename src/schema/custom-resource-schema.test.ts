import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isJsonObject, type JsonObject, type JsonValue, jsonCopy } from "../apimachinery/json.ts";
import { compareText } from "../apimachinery/text-order.ts";
import { catalogOf } from "../catalog/catalog.ts";
import { deepFreeze } from "../store/deep-freeze.ts";
import { schemaWithoutDefinition } from "./custom-resource-schema.ts";

const meta = { group: "meta", version: "v1" };
const objectMeta = catalogOf({ release: "1.32" }).type(meta, "ObjectMeta");
if (objectMeta?.type !== "struct") throw new Error("no ObjectMeta");
const schema = schemaWithoutDefinition(objectMeta, "kept");

const json = fc.jsonValue().map((value) => value as JsonValue);

function objectWith(fields: JsonObject): JsonObject {
  return { apiVersion: "example.com/v1", kind: "Widget", metadata: { name: "a", uid: "1" }, ...fields };
}

function areSorted(value: JsonValue): boolean {
  if (Array.isArray(value)) return value.every(areSorted);
  if (!isJsonObject(value)) return true;
  const keys = Object.keys(value);
  // JavaScript puts keys that are indices first, whatever the order in which they are set.
  const others = keys.filter((key) => !/^\d+$/.test(key));
  const inOrder = others.every((key, i) => i === 0 || compareText(others[i - 1] ?? "", key) < 0);
  return inOrder && keys.every((key) => areSorted(value[key] ?? null));
}

describe("the canonical form", () => {
  test("has sorted keys and the same values, and leaves the object as it is", () => {
    fc.assert(
      fc.property(json, (spec) => {
        const object = objectWith({ spec });
        const sent = JSON.stringify(object);
        const canonical = schema.canonicalize(object);
        expect(canonical).toEqual({
          ...object,
          metadata: { ...Object(object["metadata"]), creationTimestamp: null },
        });
        expect(areSorted(canonical)).toBe(true);
        expect(JSON.stringify(object)).toBe(sent);
      }),
    );
  });

  test("keeps parts that are sorted, but neither the object nor its metadata", () => {
    const spec: JsonObject = { a: [{ b: 1, c: { d: 2 } }], e: {} };
    const object = objectWith({ spec });
    const canonical = schema.canonicalize(object);
    expect(canonical).not.toBe(object);
    expect(canonical["metadata"]).not.toBe(object["metadata"]);
    expect(canonical["spec"]).toBe(spec);
    const other = schema.canonicalize(objectWith({ spec: { z: spec, y: [spec] } }))["spec"];
    expect(other).toEqual({ y: [spec], z: spec });
    expect(Object(other).z).toBe(spec);
  });

  test("is the very object if it is frozen", () => {
    const object = deepFreeze(jsonCopy(objectWith({ spec: { b: 1, a: 2 } })));
    expect(schema.canonicalize(object)).toBe(object);
  });
});
