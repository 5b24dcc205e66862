import { expect, test } from "vitest";
import { atomicLabelsOfItems, everySort as type } from "../../../test/arbitraries/typed-fields.ts";
import { deepFreeze } from "../../store/deep-freeze.ts";
import { deducedType, scalarType } from "./apply-type.ts";
import { customResourceType } from "./custom-resource-type.ts";
import { setOf } from "./field-set-algebra.ts";
import { reconcileFieldSet } from "./reconcile.ts";

test("a set of fields that fits the type is the same object", () => {
  const set = setOf(
    ["f:map"],
    ["f:map", "f:a"],
    ["f:struct", "f:b", "f:c"],
    ["f:keyed", 'k:{"name":"a"}', "f:value"],
  );
  expect(reconcileFieldSet(type, set)).toBe(set);
});

test("a set owns a value that has become atomic as a whole, and keeps the others", () => {
  const set = setOf(["f:atomicMap", "f:a"], ["f:atomicList", 'k:{"name":"a"}'], ["f:map", "f:a"]);
  expect(reconcileFieldSet(type, set)).toEqual(setOf(["f:atomicMap"], ["f:atomicList"], ["f:map", "f:a"]));
});

test("a field of a structure that also takes unknown fields becomes atomic like any other", () => {
  const open = customResourceType(
    {
      type: "object",
      "x-kubernetes-preserve-unknown-fields": true,
      properties: { fixed: { type: "array", items: { type: "string" } } },
    },
    { objectMeta: scalarType("untyped"), preserveUnknownFields: true },
  );
  const set = setOf(["f:fixed", 'v:"a"'], ["f:other", "f:a"]);
  expect(reconcileFieldSet(open, set)).toEqual(setOf(["f:fixed"], ["f:other", "f:a"]));
  const nested = customResourceType(
    {
      type: "object",
      properties: {
        open: {
          type: "object",
          "x-kubernetes-preserve-unknown-fields": true,
          properties: { fixed: { type: "array", items: { type: "string" } } },
        },
      },
    },
    { objectMeta: scalarType("untyped"), preserveUnknownFields: true },
  );
  expect(
    reconcileFieldSet(nested, setOf(["f:open", "f:fixed", 'v:"a"'], ["f:open", "f:other", "f:a"])),
  ).toEqual(setOf(["f:open", "f:fixed"], ["f:open", "f:other", "f:a"]));
});

test("a part of an item that has become atomic is owned as a whole", () => {
  const item = ["f:keyed", 'k:{"name":"a"}', "f:labels"];
  expect(reconcileFieldSet(atomicLabelsOfItems, setOf([...item, "f:x"]))).toEqual(setOf(item));
});

test("a set keeps what is below scalars and below fields without a type", () => {
  const set = setOf(["f:scalar", "f:a"], ["f:unknown", "f:a"]);
  expect(reconcileFieldSet(type, set)).toBe(set);
});

test("a set that never changes is reconciled with each type", () => {
  const set = deepFreeze(setOf(["f:atomicMap", "f:a"]));
  for (let i = 0; i < 2; i++) {
    expect(reconcileFieldSet(type, set)).toEqual(setOf(["f:atomicMap"]));
    expect(reconcileFieldSet(deducedType, set)).toBe(set);
  }
});
