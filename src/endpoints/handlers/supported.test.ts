import { expect, test } from "vitest";
import type { ResourceScope } from "../contract/scope.ts";
import { supported } from "./supported.ts";

const list = () => ({
  items: [],
  resourceVersion: "",
  continueToken: undefined,
  remainingItemCount: undefined,
});
// Only these members count.
const scope = {
  rest: { list, definition: { groupResource: { group: "", resource: "componentstatuses" } } },
} as unknown as Pick<ResourceScope, "rest">;

test("a resource has the function of a verb", () => {
  expect(supported(scope, "list")).toBe(list);
});

test.each([
  ["watch", "watch"],
  ["deleteCollection", "deletecollection"],
] as const)("a resource without %s refuses the verb", (verb, name) => {
  expect(() => supported(scope, verb)).toThrow(
    `${name} is not supported on resources of kind "componentstatuses"`,
  );
});
