import { expect, test } from "vitest";
import { requiredName } from "./required-name.ts";

test.each([
  ["fieldSelector=metadata.name%3Da", "a"],
  ["fieldSelector=metadata.name%3D%3Da", "a"],
  ["fieldSelector=spec.nodeName%3Dn,metadata.name%3Da", "a"],
  ["fieldSelector=metadata.name%3Da&limit=5&timeoutSeconds=3&labelSelector=b%3Dc", "a"],
  ["fieldSelector=metadata.name%3D..a", "..a"],
  ["fieldSelector=metadata.name!%3Da", ""],
  ["fieldSelector=metadata.namespace%3Da", ""],
  ["", ""],
  // Such a name cannot be a segment of a path.
  ["fieldSelector=metadata.name%3D.", ""],
  ["fieldSelector=metadata.name%3D..", ""],
  ["fieldSelector=metadata.name%3Da/b", ""],
  ["fieldSelector=metadata.name%3Da%25b", ""],
  // An option that cannot be decoded hides the name.
  ["fieldSelector=metadata.name%3Da&limit=x", ""],
  ["fieldSelector=metadata.name%3Da&timeoutSeconds=x", ""],
  ["fieldSelector=metadata.name%3Da&labelSelector=!!", ""],
  ["fieldSelector=metadata.name%3Da,b", ""],
])("%j requires the name %j", (query, name) => {
  expect(requiredName(new URLSearchParams(query))).toBe(name);
});

test("an error that is not the client's is not hidden", () => {
  const broken = {
    get: () => {
      throw new Error("broken");
    },
    getAll: () => [],
    has: () => false,
    keys: () => [],
    [Symbol.iterator]: () => [][Symbol.iterator](),
  };
  expect(() => requiredName(broken)).toThrow("broken");
});
