import { expect, test } from "vitest";
import type { JsonValue } from "../../apimachinery/json.ts";
import { goTypeName, ListItemError, TypedError, wrappedValue } from "./typed-error.ts";

test.each<[value: JsonValue, goType: string, text: string]>([
  [{ b: 1, a: "x" }, "map[string]interface {}", "&{map[a:x b:1]}"],
  [["a", 1, null], "[]interface {}", "&{[a 1 <nil>]}"],
  [true, "bool", "&{true}"],
  ["a", "string", "&{a}"],
  [1.5, "float64", "&{1.5}"],
  [3_000_000, "float64", "&{3e+06}"],
])("Go prints %j as its %s", (value, goType, text) => {
  expect(goTypeName(value)).toBe(goType);
  expect(wrappedValue(value)).toBe(text);
});

test("several findings are a list", () => {
  const one = { path: ".a", message: "wrong" };
  expect(new TypedError([one]).message).toBe(".a: wrong");
  expect(new TypedError([one, { path: "", message: "all" }]).message).toBe("errors:\n  .a: wrong\n  all");
});

test("errors have the names of their types", () => {
  expect(new TypedError([]).name).toBe("TypedError");
  expect(new ListItemError("").name).toBe("ListItemError");
});
