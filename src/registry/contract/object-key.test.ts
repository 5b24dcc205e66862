import { expect, test } from "vitest";
import { type KeySpace, storageKey } from "./object-key.ts";

const pods: KeySpace = { prefix: "/registry/pods/", namespaced: true };
const nodes: KeySpace = { prefix: "/registry/nodes/", namespaced: false };

test("the key of an object has its resource, namespace and name", () => {
  expect(storageKey(pods, { namespace: "a", name: "b" })).toBe("/registry/pods/a/b");
  expect(storageKey(nodes, { namespace: "", name: "b" })).toBe("/registry/nodes/b");
});

test.each([
  ["no namespace", pods, { namespace: "", name: "b" }, "Namespace parameter required."],
  ["no name", nodes, { namespace: "", name: "" }, "Name parameter required."],
  [
    "a name that leads elsewhere",
    nodes,
    { namespace: "", name: ".." },
    `Name parameter invalid: "..": may not be '..'`,
  ],
  [
    "a name with two faults",
    nodes,
    { namespace: "", name: "a/b%c" },
    `Name parameter invalid: "a/b%c": may not contain '/';may not contain '%'`,
  ],
])("there is no key for %s", (_title, space, key, message) => {
  expect(() => storageKey(space, key)).toThrow(
    expect.objectContaining({ status: expect.objectContaining({ code: 400, message }) }),
  );
});
