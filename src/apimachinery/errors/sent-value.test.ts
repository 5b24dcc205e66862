import { expect, test } from "vitest";
import { valueAtField, withEmptyValues } from "./sent-value.ts";

const object = {
  spec: { containers: [{ name: "a" }, { name: "b" }], "x.y": { z: 1 } },
  metadata: { labels: { "a.b/c": "d" } },
};

test.each([
  ["spec.containers[1].name", "b"],
  ["metadata.labels[a.b/c]", "d"],
  ["spec.containers[2].name", undefined],
  ["spec.missing.name", undefined],
  ["spec.__proto__", undefined],
  ["spec.containers.length", undefined],
  ["", object],
])("the value at %j", (field, value) => {
  expect(valueAtField(object, field)).toEqual(value);
});

test.each([
  ["a list that is left out", undefined, [], []],
  ["a map that is left out", { a: 1 }, { a: 1, b: {} }, { a: 1, b: {} }],
  ["a list in an element", [{ a: 1 }], [{ a: 1, b: [] }], [{ a: 1, b: [] }]],
])("%s is shown as it was sent", (_what, value, sent, shown) => {
  expect(withEmptyValues(value, sent)).toEqual(shown);
});

test.each([
  ["what has content", { a: 1 }, { a: 2, b: 3, c: [4] }],
  ["what has moved", [{ a: 1 }], [{ a: 1, b: [] }, { a: 2 }]],
  ["what was not sent", { a: [] }, undefined],
])("%s is shown as it is validated", (_what, value, sent) => {
  expect(withEmptyValues(value, sent)).toEqual(value);
});
