import { describe, expect, test } from "vitest";
import { decodedKind } from "../../../test/arbitraries/typed-fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import { scalarType } from "./apply-type.ts";
import { customResourceType } from "./custom-resource-type.ts";
import { setOf } from "./field-set-algebra.ts";
import type { Managers } from "./managed-fields.ts";
import { prune } from "./prune.ts";
import type { Versions } from "./versions.ts";

const text = { type: "string" };
const type = customResourceType(
  { type: "object", properties: { a: text, b: text, c: text } },
  { objectMeta: scalarType("untyped"), preserveUnknownFields: false },
);
const kind = decodedKind(type);

/** A kind that is converted only between neighbouring versions. */
const neighbours: Versions = {
  kindOf: () => kind,
  convert: (object, apiVersion) => {
    const [from, to] = [String(object.apiVersion), apiVersion].map((version) => Number(version.slice(1)));
    return Math.abs((from ?? 0) - (to ?? 0)) === 1 ? { ...object, apiVersion } : undefined;
  },
};

/** What an applier in v1, which owned all fields before, leaves to the owners of these fields. */
function left(
  versions: Versions,
  owners: readonly (readonly [apiVersion: string, field: string])[],
): JsonObject {
  const managers: Managers = new Map(
    owners.map(([apiVersion, field], at) => [
      `manager ${at}`,
      { apiVersion, set: setOf([`f:${field}`]), applied: false },
    ]),
  );
  const last = { apiVersion: "v1", set: setOf(["f:a"], ["f:b"], ["f:c"]), applied: true };
  return prune(versions, { apiVersion: "v1", a: "1", b: "2", c: "3" }, managers, "v1", last);
}

describe("fields that the applier no longer sends", () => {
  test("go unless another manager owns them", () => {
    expect(left(neighbours, [])).toEqual({ apiVersion: "v1" });
    expect(left(neighbours, [["v1", "b"]])).toEqual({ apiVersion: "v1", b: "2" });
  });

  test("stay if a manager owns them in another version, which is reached from the version before it", () => {
    const back: Versions = {
      ...neighbours,
      convert: (object, apiVersion) =>
        apiVersion === "v1" ? { ...object, apiVersion } : neighbours.convert(object, apiVersion),
    };
    expect(
      left(back, [
        ["v2", "b"],
        ["v3", "c"],
      ]),
    ).toEqual({ apiVersion: "v1", b: "2", c: "3" });
  });

  test("go if their owner has a version that the object cannot have", () => {
    expect(
      left(neighbours, [
        ["v3", "c"],
        ["v1", "b"],
      ]),
    ).toEqual({ apiVersion: "v1", b: "2" });
  });

  test("stay if one of several managers owns them", () => {
    expect(
      left(neighbours, [
        ["v1", "b"],
        ["v1", "c"],
      ]),
    ).toEqual({ apiVersion: "v1", b: "2", c: "3" });
  });

  test("stay if other versions need them, and go if no manager owns what other versions need", () => {
    const needsB: Versions = {
      ...neighbours,
      convert: (object, apiVersion) =>
        object["b"] === undefined ? undefined : neighbours.convert(object, apiVersion),
    };
    const both = [
      ["v2", "c"],
      ["v1", "b"],
    ] as const;
    expect(left(needsB, both)).toEqual({ apiVersion: "v1", b: "2", c: "3" });
    expect(left(needsB, [["v2", "c"]])).toEqual({ apiVersion: "v1" });
  });

  test("stay if the object cannot be converted to the version of the last apply, or back to it", () => {
    const last = { apiVersion: "v2", set: setOf(["f:a"]), applied: true };
    const merged = { apiVersion: "v1", a: "1", b: "2" };
    const never: Versions = { ...neighbours, convert: () => undefined };
    expect(prune(never, merged, new Map(), "v1", last)).toBe(merged);
    const notFromV3: Versions = {
      ...neighbours,
      convert: (object, apiVersion) =>
        object["apiVersion"] === "v3" ? undefined : neighbours.convert(object, apiVersion),
    };
    const owners: Managers = new Map([["m", { apiVersion: "v3", set: setOf(["f:b"]), applied: false }]]);
    expect(prune(notFromV3, merged, owners, "v1", last)).toBe(merged);
  });

  test("stay if the object cannot be converted back", () => {
    const forth: Versions = {
      ...neighbours,
      convert: (object, apiVersion) => (apiVersion === "v1" ? undefined : { ...object, apiVersion }),
    };
    const all = { apiVersion: "v1", a: "1", b: "2", c: "3" };
    expect(left(forth, [["v2", "b"]])).toEqual(all);
  });
});
