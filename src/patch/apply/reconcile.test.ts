import { expect, test } from "vitest";
import { everySort as type } from "../../../test/arbitraries/typed-fields.ts";
import { scalarType } from "./apply-type.ts";
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
