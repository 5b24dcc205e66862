import { expect, test } from "vitest";
import { defaulted } from "../../../../test/registry/defaulted.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";

test.each<[title: string, sent: JsonObject, expected: JsonObject]>([
  [
    "the capacity of a Node is allocatable by default",
    { status: { capacity: { cpu: "2", memory: "1u" } } },
    { status: { capacity: { cpu: "2", memory: "1m" }, allocatable: { cpu: "2", memory: "1m" } } },
  ],
  [
    "a Node keeps its allocatable resources",
    { status: { capacity: { cpu: "2", memory: "1Gi" }, allocatable: { cpu: "1" } } },
    { status: { allocatable: { cpu: "1" } } },
  ],
])("%s", (_, sent, expected) => expect(defaulted("v1/Node", sent)).toMatchObject(expected));

test("a Node without a status has no allocatable resources", () => {
  expect(defaulted("v1/Node", {})).not.toHaveProperty("status.allocatable");
});
