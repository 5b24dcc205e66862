import { expect, test } from "vitest";
import type { JsonValue } from "../../apimachinery/json.ts";
import { goTypeName, TypedError, wrappedValue } from "./typed-error.ts";

test.each<[value: JsonValue, goType: string, text: string]>([
  [{ b: 1, a: "x" }, "map[string]interface {}", "&{map[a:x b:1]}"],
  [["a", 1, null], "[]interface {}", "&{[a 1 <nil>]}"],
  [true, "bool", "&{true}"],
  ["a", "string", "&{a}"],
  [1.5, "float64", "&{1.5}"],
])("Go prints %j as its %s", (value, goType, text) => {
  expect(goTypeName(value)).toBe(goType);
  expect(wrappedValue(value)).toBe(text);
});

test("several findings are a list", () => {
  const one = { path: ".a", message: "wrong" };
  expect(new TypedError([one]).message).toBe(".a: wrong");
  expect(new TypedError([one, { path: "", message: "all" }]).message).toBe("errors:\n  .a: wrong\n  all");
});
