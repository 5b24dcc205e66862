import { describe, expect, test } from "vitest";
import {
  atomicLabelsOfItems,
  decodedKind,
  everySort as type,
} from "../../../test/arbitraries/typed-fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { ApplyKind } from "./apply-kind.ts";
import { MergeError, mergeConfiguration } from "./merge-configuration.ts";

const kind = decodedKind(type);
const undecoded: ApplyKind = { ...kind, isDecoded: false };

function problemOf(configuration: JsonObject, live: JsonObject = {}, of = kind): string {
  try {
    mergeConfiguration(of, live, configuration);
  } catch (error) {
    expect(error).toBeInstanceOf(MergeError);
    expect(error).toMatchObject({ name: "MergeError" });
    return String(error instanceof Error && error.message);
  }
  return "";
}

test("a configuration is merged into the object, of which nothing is removed", () => {
  const live = { scalar: "a", map: { a: "x" }, keyed: [{ name: "a", value: "x" }], set: ["a"] };
  const configuration = {
    number: 1,
    map: { b: "y" },
    keyed: [{ name: "b" }, { name: "a", port: 1 }],
    set: ["b"],
  };
  expect(mergeConfiguration(kind, live, configuration)).toEqual({
    scalar: "a",
    number: 1,
    map: { a: "x", b: "y" },
    keyed: [{ name: "b" }, { name: "a", value: "x", port: 1 }],
    set: ["a", "b"],
  });
  expect(mergeConfiguration(kind, live, {})).toEqual(live);
});

describe("a configuration is refused", () => {
  const atomic = (paths: string): string =>
    `invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: ${paths}`;

  test.each<[string, JsonObject, string]>([
    ["with an atomic map", { atomicMap: { a: "x" } }, atomic(".atomicMap")],
    ["with an atomic list", { atomicList: [{ name: "a" }] }, atomic(".atomicList")],
    ["with an empty atomic list", { atomicList: [] }, atomic(".atomicList")],
    ["with several", { atomicMap: {}, scalar: "a", atomicList: [] }, atomic(".atomicMap, .atomicList")],
    [
      "that does not match its type",
      { scalar: 1 },
      "failed to convert patch object to typed object: .scalar: expected string, got &value.valueUnstructured{Value:1}",
    ],
    [
      "with the same item twice",
      { set: ["a", "a"] },
      'failed to convert patch object to typed object: .set: duplicate entries for key [="a"]',
    ],
  ])("%s", (_title, configuration, problem) => {
    expect(problemOf(configuration)).toBe(problem);
  });

  test("with an atomic part of an item, which is named by its position", () => {
    const configuration = { keyed: [{ name: "a" }, { name: "b", labels: { a: "x" } }] };
    expect(problemOf(configuration, {}, decodedKind(atomicLabelsOfItems))).toBe(atomic(".keyed[1].labels"));
  });

  test("for an object with an item that cannot be identified", () => {
    expect(problemOf({ keyed: [{ name: "a" }] }, { keyed: [{}] })).toBe(
      'failed to merge patch: associative list with keys has an element that omits key field "name" (and doesn\'t have default value)',
    );
  });

  test("for an object that does not match its type, unless that was decoded", () => {
    const live = { scalar: 1 };
    expect(problemOf({ number: 1 }, live, undecoded)).toBe(
      "failed to convert original object to typed object: .scalar: expected string, got &value.valueUnstructured{Value:1}",
    );
    expect(problemOf({ number: 1 }, live)).toBe("");
    expect(problemOf({ number: 1 }, { set: ["a", "a"] }, undecoded)).toBe("");
  });
});

test("null parts of a configuration are neither atomic nor merged", () => {
  expect(
    mergeConfiguration(kind, { scalar: "a" }, { atomicMap: null, map: null, keyed: null }),
  ).toMatchObject({
    scalar: "a",
  });
});

test("an error that no configuration causes is not hidden", () => {
  const unreadable = (key: string): JsonObject =>
    Object.defineProperty({}, key, {
      get: () => {
        throw new Error("broken");
      },
      enumerable: true,
    });
  const broken = new Error("broken");
  expect(() => mergeConfiguration(kind, {}, unreadable("scalar"))).toThrow(broken);
  expect(() => mergeConfiguration(kind, unreadable("scalar"), { scalar: "a" })).toThrow(broken);
});
