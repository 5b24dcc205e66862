import fc from "fast-check";
import { expect, test } from "vitest";
import { type JsonValue, jsonCopy, jsonEqual } from "../apimachinery/json.ts";
import type { KubeObject, MutableKubeObject } from "../apimachinery/object-meta.ts";
import { sharePartsOf, withPartsOf } from "./shared-parts.ts";

const json = fc.jsonValue().map((value) => value as JsonValue);

test("what is the same is the very same", () => {
  fc.assert(
    fc.property(json, (before) => {
      expect(withPartsOf(before, jsonCopy(before))).toBe(before);
    }),
  );
});

test("nothing is said otherwise", () => {
  fc.assert(
    fc.property(json, json, (before, value) => {
      expect(jsonEqual(withPartsOf(before, jsonCopy(value)), value)).toBe(true);
    }),
  );
});

test.each<[string, JsonValue, JsonValue]>([
  ["a key less", { a: 1, b: 2 }, { a: 1 }],
  ["a key more", { a: 1 }, { a: 1, b: 2 }],
  ["an item less", [1, 2], [1]],
  ["an item more", [1], [1, 2]],
  ["a list for an object", {}, []],
  ["a key that every object inherits", {}, { constructor: {} }],
])("%s is another value", (_title, before, value) => {
  expect(withPartsOf(before, jsonCopy(value))).toEqual(value);
});

test("an object keeps itself and its metadata, and shares what is below", () => {
  const before: KubeObject = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "a", labels: { app: "web" }, annotations: { a: "1" } },
    spec: { containers: [{ name: "c" }], nodeName: "one" },
  };
  const object: MutableKubeObject = jsonCopy({
    ...before,
    spec: { ...Object(before["spec"]), nodeName: "two" },
  });
  const { metadata } = object;
  sharePartsOf(before, object);
  expect(object.metadata).toBe(metadata);
  expect(object.metadata).not.toBe(before.metadata);
  expect(object.metadata.labels).toBe(before.metadata.labels);
  expect(object["spec"]).toEqual({ containers: [{ name: "c" }], nodeName: "two" });
});
