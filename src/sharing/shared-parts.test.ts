import fc from "fast-check";
import { expect, test } from "vitest";
import { type JsonValue, jsonCopy, jsonEqual } from "../apimachinery/json.ts";
import type { KubeObject, MutableKubeObject } from "../apimachinery/object-meta.ts";
import { sharePartsOf, withPartsOf } from "./shared-parts.ts";

const json = fc.jsonValue().map((value) => value as JsonValue);

test("equal parts become identical", () => {
  fc.assert(
    fc.property(json, (before) => {
      expect(withPartsOf(before, jsonCopy(before))).toBe(before);
    }),
  );
});

test("the value does not change", () => {
  fc.assert(
    fc.property(json, json, (before, value) => {
      expect(jsonEqual(withPartsOf(before, jsonCopy(value)), value)).toBe(true);
    }),
  );
});

test.each<[string, JsonValue, JsonValue]>([
  ["a missing key", { a: 1, b: 2 }, { a: 1 }],
  ["an additional key", { a: 1 }, { a: 1, b: 2 }],
  ["a missing item", [1, 2], [1]],
  ["an additional item", [1], [1, 2]],
  ["a list instead of an object", {}, []],
  ["a key that every object inherits", {}, { constructor: {} }],
])("%s is another value", (_title, before, value) => {
  expect(withPartsOf(before, jsonCopy(value))).toEqual(value);
});

test("an object and its metadata are not shared, but the parts below are", () => {
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
