import { expect, test } from "vitest";
import { builtinTestKind } from "../../../test/arbitraries/owned-object.ts";
import { allBut } from "./field-filter.ts";
import { emptySet } from "./field-set.ts";
import { setOf } from "./field-set-algebra.ts";
import { managerId, noManaged } from "./managed-fields.ts";
import { type Endpoint, trackApply, trackCreate } from "./tracking.ts";

const endpoint: Endpoint = {
  apiVersion: "v1",
  subresource: "",
  now: () => 0,
  filter: allBut([]),
  kindOf: () => undefined,
  convert: () => undefined,
};

test.each([
  ["me", "me"],
  ["", "unknown"],
])("the creator %j of an object updated it as %j, in the version of its request", (manager, name) => {
  const set = setOf(["f:data"]);
  const id = managerId({ manager: name, operation: "Update", apiVersion: "v1", subresource: "" });
  const { managers, times } = trackCreate(endpoint, set, manager);
  expect([...managers]).toEqual([[id, { set, apiVersion: "v1", applied: false }]]);
  expect([...times]).toEqual([[id, "1970-01-01T00:00:00Z"]]);
});

test("the creator of an object without fields has no entry", () => {
  expect(trackCreate(endpoint, emptySet, "me").managers.size).toBe(0);
});

test("an apply through an endpoint that changes none of its fields has no entry", () => {
  const { kindOf } = builtinTestKind("v1", "ConfigMap");
  const live = { apiVersion: "v1", kind: "ConfigMap" };
  const unchanging = { ...endpoint, kindOf, filter: () => emptySet };
  const { managed, object } = trackApply(unchanging, live, live, noManaged(), "me", "careful");
  expect(managed.managers.size).toBe(0);
  expect(object).toBeUndefined();
});
