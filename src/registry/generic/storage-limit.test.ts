import { describe, expect, test } from "vitest";
import { configMap, storedConfigMaps } from "../../../test/registry/stored-config-maps.ts";
import type { JsonObject, JsonValue } from "../../apimachinery/json.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { deepFreeze } from "../../store/deep-freeze.ts";
import { withinStorageLimit } from "./storage-limit.ts";

/** A resource that is stored as JSON, so that its objects can have any fields. */
const stored = storedConfigMaps();
const groupResource = { group: "apiextensions.k8s.io", resource: "customresourcedefinitions" };
const resource = { ...stored, definition: { ...stored.definition, groupResource } };
const write = { path: "/registry/configmaps/n/a", replaces: undefined, dropsManagedFields: true };
const limit = (1.5 * 1024 * 1024) / 6;

/** Whether an object is measured in bytes: one that surely fits is returned at once. */
function isMeasured(object: KubeObject): boolean {
  const result = withinStorageLimit(resource, object, write);
  if (!(result instanceof Promise)) {
    expect(result).toBe(object);
    return false;
  }
  // Whether it fits is another question.
  result.catch(() => {});
  return true;
}

const withData = (data: JsonObject): KubeObject => configMap({ name: "a" }, data);

/** Finds the longest text with which an object is not measured. */
function isNearLimit(of: (text: string) => KubeObject): void {
  let [fits, isTooLong] = [0, limit];
  while (isTooLong - fits > 1) {
    const length = Math.floor((fits + isTooLong) / 2);
    if (isMeasured(of("x".repeat(length)))) isTooLong = length;
    else fits = length;
  }
  const json = JSON.stringify(of("x".repeat(fits)));
  // A character may need six bytes, but the punctuation of an object needs one each.
  expect(json.length).toBeLessThan(limit + 20);
  expect(json.length).toBeGreaterThan(limit - 100);
}

describe("the weight of an object is about its characters in JSON", () => {
  test.each<[title: string, of: (text: string) => JsonValue]>([
    ["a text", (text) => text],
    ["a list of texts", (text) => [text, text.slice(0, 7)]],
    ["a list in a list", (text) => [["a"], [text]]],
    ["an object in a list", (text) => [{ a: "b", k: text }]],
    ["a key", (text) => ({ [text]: true })],
    ["numbers and null", (text) => [1, null, false, text, 0.5]],
    ["an object in an object", (text) => ({ a: { b: { c: text } }, d: 1 })],
  ])("%s", (_title, of) => {
    isNearLimit((text) => withData({ key: of(text) }));
    isNearLimit((text) => configMap({ name: "a", annotations: { key: of(text) } }));
    isNearLimit((text) => ({ ...configMap({ name: "a" }), field: of(text) }));
  });

  test("the text of a field itself counts", () => {
    isNearLimit((text) => configMap({ name: text }));
    isNearLimit((text) => ({ ...configMap({ name: "a" }), kind: text }));
    isNearLimit((text) => ({ ...configMap({ name: "a" }), [text]: "a" }));
  });

  test("many small values count", () => {
    const small = (count: number, value: JsonValue) => Array.from({ length: count }, () => value);
    for (const value of ["", 1, true, null, [], {}] as const) {
      expect(isMeasured(withData({ list: small(limit / 2, value) }))).toBe(true);
      expect(isMeasured(withData({ list: small(limit / 20, value) }))).toBe(false);
    }
    const fields = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 1]));
    expect([isMeasured(withData(fields(limit / 8))), isMeasured(withData(fields(limit / 40)))]).toEqual([
      true,
      false,
    ]);
    const lists = small(1000, small(80, "x"));
    expect([isMeasured(withData({ lists })), isMeasured(withData({ lists: lists.slice(0, 300) }))]).toEqual([
      true,
      false,
    ]);
  });

  test("parts of which none is large are large together", () => {
    const half = "x".repeat(limit / 2);
    expect(isMeasured(withData({ half }))).toBe(false);
    expect(isMeasured(withData({ half, other: half }))).toBe(true);
    expect(isMeasured({ ...withData({ half }), more: { half } })).toBe(true);
    expect(isMeasured(configMap({ name: "a", annotations: { half } }, { half }))).toBe(true);
  });

  test("the weight of a shared part holds for every object that has it", () => {
    const data = deepFreeze({ half: "x".repeat(limit / 2) });
    for (let round = 0; round < 2; round += 1) {
      expect(isMeasured(withData(data))).toBe(false);
      expect(isMeasured({ ...withData(data), more: data })).toBe(true);
    }
    const changed = { half: "" };
    expect(isMeasured(withData(changed))).toBe(false);
    changed.half = "x".repeat(limit);
    expect(isMeasured(withData(changed))).toBe(true);
  });
});

test("an object that is measured and fits is returned as it is", async () => {
  const object = withData({ key: "x".repeat(limit) });
  expect(await withinStorageLimit(resource, object, write)).toBe(object);
});

test("an object that only fits without its managedFields loses them, unless it is applied", async () => {
  const managedFields = Array.from({ length: 5 }, () => ({ manager: "m".repeat(limit) }));
  const object = configMap({ name: "a", managedFields }, { key: "x".repeat(2 * limit) });
  expect(await withinStorageLimit(resource, object, write)).toEqual(
    configMap({ name: "a" }, { key: "x".repeat(2 * limit) }),
  );
  const applied = async () => withinStorageLimit(resource, object, { ...write, dropsManagedFields: false });
  await expect(applied()).rejects.toThrow("etcdserver: request is too large");
});
