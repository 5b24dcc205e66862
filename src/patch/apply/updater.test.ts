import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { ApplyKind } from "./apply-kind.ts";
import { scalarType } from "./apply-type.ts";
import { customResourceType } from "./custom-resource-type.ts";
import { allBut } from "./field-filter.ts";
import { pathsOf } from "./field-set.ts";
import { setOf } from "./field-set-algebra.ts";
import type { Managers } from "./managed-fields.ts";
import { formatPath } from "./path-element.ts";
import { applyOwners, type EndpointVersions, updateOwners } from "./updater.ts";

const text = { type: "string" };
const kind: ApplyKind = {
  type: customResourceType(
    { type: "object", properties: { a: text, b: text, c: text } },
    { objectMeta: scalarType("untyped"), preserveUnknownFields: false },
  ),
  empty: {},
  show: (object) => object,
  outline: (object) => object,
  isDecoded: true,
};

function versionsWith(convert: EndpointVersions["convert"]): EndpointVersions {
  return { kindOf: () => kind, convert, filter: allBut([]) };
}

const ownersOf = (managers: Managers): unknown =>
  Object.fromEntries([...managers].map(([id, { set }]) => [id, [...pathsOf(set)].map(formatPath)]));

describe("an owner in a version that an object cannot have", () => {
  const unlessC = versionsWith((object, apiVersion) =>
    object["c"] === undefined ? { ...object, apiVersion } : undefined,
  );
  const convertible: JsonObject = { apiVersion: "v1", b: "1" };
  const others: JsonObject = { apiVersion: "v1", b: "1", c: "1" };
  const managers: Managers = new Map([
    ["other", { set: setOf(["f:a"]), apiVersion: "v2", applied: true }],
    ["same", { set: setOf(["f:a"]), apiVersion: "v1", applied: true }],
  ]);

  test.each<[string, JsonObject, JsonObject, readonly string[]]>([
    ["loses its entry if the object had it before the write only", convertible, others, [".c"]],
    ["loses its entry if the object has it after the write only", others, convertible, []],
    ["loses its entry if the object never had it", others, { ...others, b: "2" }, [".b"]],
  ])("%s", (_title, before, after, written) => {
    const owners = updateOwners(unlessC, before, after, managers, { id: "w", apiVersion: "v1" });
    expect(ownersOf(owners)).toEqual({ same: [".a"], w: written });
  });

  test("keeps it otherwise", () => {
    const after = { ...convertible, b: "2" };
    const owners = updateOwners(unlessC, convertible, after, managers, { id: "w", apiVersion: "v1" });
    expect(ownersOf(owners)).toEqual({ other: [".a"], same: [".a"], w: [".b"] });
    expect(owners.get("w")).toMatchObject({ apiVersion: "v1", applied: false });
  });
});

test("an apply in another version removes the fields of the last one, even if others have their names now", () => {
  const swapped = versionsWith(({ a, b, ...more }, apiVersion) => ({
    ...more,
    apiVersion,
    ...(a !== undefined && { b: a }),
    ...(b !== undefined && { a: b }),
  }));
  const last: Managers = new Map([["me", { set: setOf(["f:a"]), apiVersion: "v1", applied: true }]]);
  const live = { apiVersion: "v2", b: "1" };
  const config = { apiVersion: "v2", a: "2" };
  const writer = { id: "me", apiVersion: "v2" };
  const { object, managers } = applyOwners(swapped, live, config, last, writer, "careful");
  expect(object).toEqual({ apiVersion: "v2", a: "2" });
  expect(managers.get("me")).toEqual({ apiVersion: "v2", set: setOf(["f:a"]), applied: true });
});
