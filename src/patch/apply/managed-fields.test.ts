import fc from "fast-check";
import { expect, test } from "vitest";
import { encodeJson } from "../../codec/json/json.ts";
import { managerId, managerInfo } from "./managed-fields.ts";

const idOf = (manager: string) =>
  managerId({ manager, operation: "Update", apiVersion: "v1", subresource: "status" });

test("the identity of a manager has all its parts", () => {
  expect(managerInfo(idOf("me"))).toEqual({
    manager: "me",
    operation: "Update",
    apiVersion: "v1",
    subresource: "status",
  });
  const applied = managerId({ manager: "", operation: "Apply", apiVersion: "", subresource: "" });
  expect(managerInfo(applied)).toEqual({ manager: "", operation: "Apply", apiVersion: "", subresource: "" });
});

test("an identity is JSON, whatever the names of its parts are", () => {
  const name = fc.oneof(fc.string(), fc.constantFrom("", "kubectl-edit", "apps/v1", '"', "a<b", "\u2028"));
  fc.assert(
    fc.property(name, name, name, (manager, apiVersion, subresource) => {
      const info = { manager, operation: "Update", apiVersion, subresource } as const;
      const id = managerId(info);
      const members = {
        ...(manager !== "" && { manager }),
        operation: "Update",
        apiVersion,
        ...(subresource !== "" && { subresource }),
      };
      expect(id).toBe(encodeJson(members));
      expect(managerInfo(id)).toEqual(info);
    }),
  );
});

test("parsed identities are remembered, but neither long ones nor more than a thousand", () => {
  const first = managerInfo(idOf("first"));
  expect(managerInfo(idOf("first"))).toBe(first);
  const long = idOf("x".repeat(500));
  expect(managerInfo(long)).not.toBe(managerInfo(long));
  for (let i = 0; i < 1000; i++) managerInfo(idOf(`other-${i}`));
  expect(managerInfo(idOf("first"))).not.toBe(first);
});
