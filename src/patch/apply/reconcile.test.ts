import { expect, test } from "vitest";
import { everySort as type } from "../../../test/arbitraries/typed-fields.ts";
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
