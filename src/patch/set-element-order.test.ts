import { describe, expect, test } from "vitest";
import { checkOrder } from "./set-element-order.ts";

describe("$setElementOrder", () => {
  const checked = (changes: readonly unknown[], order: readonly unknown[], mergeKey: string) => () =>
    // The values are JSON.
    checkOrder(changes as never, order as never, mergeKey);

  test.each([
    ["may list more than the patch has", ["b"], ["a", "b", "c"], ""],
    ["need not exist", ["b"], [], ""],
    ["may list objects beside scalars", [1], [{}, 1], ""],
    ["does not list deletions", [{ name: "a", $patch: "delete" }, { name: "b" }], [{ name: "b" }], "name"],
    ["does not list other directives", [{ $patch: "replace" }, { name: "b" }], [{ name: "b" }], "name"],
  ])("%s", (_title, changes, order, mergeKey) => {
    expect(checked(changes, order, mergeKey)).not.toThrow();
  });

  test.each([
    ["another order", ["a", "b"], ["b", "a"], ""],
    ["an element that is not listed", ["a", "x"], ["a"], ""],
    ["another order of objects", [{ name: "a" }, { name: "b" }], [{ name: "b" }, { name: "a" }], "name"],
  ])("refuses %s", (_title, changes, order, mergeKey) => {
    expect(checked(changes, order, mergeKey)).toThrow(/The order in patch list/);
  });

  test("cannot compare two objects without a key", () => {
    expect(checked([{}], [{}], "")).toThrow(/panic/);
  });
});
