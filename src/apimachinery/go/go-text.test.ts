import { expect, test } from "vitest";
import type { JsonValue } from "../json.ts";
import { goStringText, goText } from "./go-text.ts";

test.each<[value: JsonValue, text: string]>([
  ["a b", "a b"],
  ["", ""],
  [5, "5"],
  [1.5, "1.5"],
  [9007199254740993n, "9007199254740993"],
  [true, "true"],
  [null, "<nil>"],
  [[], "[]"],
  [{}, "map[]"],
  [["a", [1, null]], "[a [1 <nil>]]"],
  [{ b: 1, a: { c: ["x"] }, $patch: "delete" }, "map[$patch:delete a:map[c:[x]] b:1]"],
])("$1 is what %%v makes of a value", (value, text) => {
  expect(goText(value)).toBe(text);
});

test.each<[value: JsonValue, text: string]>([
  ["zork", "zork"],
  [5, "%!s(int64=5)"],
  [1.5, "%!s(float64=1.5)"],
  [false, "%!s(bool=false)"],
  [null, "%!s(<nil>)"],
  [["a"], "[a]"],
])("$1 is what %%s makes of a value", (value, text) => {
  expect(goStringText(value)).toBe(text);
});
