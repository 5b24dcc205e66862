import { expect, test } from "vitest";
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

test("parsed identities are remembered, but neither long ones nor more than a thousand", () => {
  const first = managerInfo(idOf("first"));
  expect(managerInfo(idOf("first"))).toBe(first);
  const long = idOf("x".repeat(500));
  expect(managerInfo(long)).not.toBe(managerInfo(long));
  for (let i = 0; i < 1000; i++) managerInfo(idOf(`other-${i}`));
  expect(managerInfo(idOf("first"))).not.toBe(first);
});
