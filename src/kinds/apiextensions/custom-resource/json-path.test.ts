import { expect, test } from "vitest";
import { compileJsonPath } from "./json-path.ts";

const object = {
  spec: { "a.b": 1, list: ["x", "y"] },
  status: {
    conditions: [
      { type: "Ready", status: "True" },
      { type: "Old", status: "False", age: 3 },
    ],
  },
};

test.each([
  [".spec.list[0]", "x"],
  [".spec.list[-1]", "y"],
  [".spec.list[*]", "x"],
  [".spec.list[1:]", "y"],
  [".spec['a.b']", 1],
  ['.status.conditions[?(@.type=="Ready")].status', "True"],
  [".status.conditions[?(@.type!='Ready')].status", "False"],
  [".status.conditions[?(@.age)].type", "Old"],
  [".status.conditions[?(@.age>2)].type", "Old"],
  [".status.conditions[?(@.age>3)].type", undefined],
  [".constructor.name", undefined],
  [".missing", undefined],
])("%s leads to %s", (path, expected) => {
  expect(compileJsonPath(path)?.(object)).toEqual(expected);
});

test("a path of another form has no function", () => {
  expect(compileJsonPath(".a[")).toBe(undefined);
});
