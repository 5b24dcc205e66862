import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  getKey,
  isJsonObject,
  type JsonValue,
  jsonCopy,
  jsonEqual,
  type MutableJsonObject,
  setKey,
  shallowCopy,
} from "./json.ts";

describe("two values are equal JSON", () => {
  test.each<[JsonValue | undefined, JsonValue | undefined, boolean]>([
    [undefined, undefined, true],
    [undefined, null, false],
    [null, null, true],
    [null, {}, false],
    [1, 1, true],
    [1, "1", false],
    [9007199254740993n, 9007199254740993n, true],
    [9007199254740993n, 9007199254740992n, false],
    [[], {}, false],
    [{}, [], false],
    [[1, [2]], [1, [2]], true],
    [[1, 2], [2, 1], false],
    [[1], [1, 2], false],
    [{ a: 1, b: { c: null } }, { b: { c: null }, a: 1 }, true],
    [{ a: 1 }, { a: 1, b: 2 }, false],
    [{ a: null }, { b: null }, false],
    [{}, { constructor: 1 }, false],
    [{ toString: 1 }, { valueOf: 1 }, false],
  ])("%#", (a, b, expected) => {
    expect(jsonEqual(a, b)).toBe(expected);
    expect(jsonEqual(b, a)).toBe(expected);
  });
});

describe("a copy", () => {
  test("is equal and shares nothing", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const json = value as JsonValue;
        const copy = jsonCopy(json);
        expect(copy).toEqual(json);
        expect(jsonEqual(copy, json)).toBe(true);
        if (typeof json === "object" && json !== null) expect(copy).not.toBe(json);
      }),
    );
  });

  test("that is shallow can be changed and shares its values", () => {
    const object: MutableJsonObject = Object.freeze({ held: [1], other: 2 });
    const copy = shallowCopy(object);
    copy["other"] = 3;
    expect(copy).toEqual({ held: [1], other: 3 });
    expect(copy["held"]).toBe(object["held"]);
  });

  test("keeps big integers and keys such as __proto__", () => {
    const object: MutableJsonObject = { n: 2n ** 64n };
    setKey(object, "__proto__", { polluted: true });
    const copy = jsonCopy(object);
    expect(Object.keys(copy)).toEqual(["n", "__proto__"]);
    expect(getKey(copy, "__proto__")).toEqual({ polluted: true });
    expect(getKey(copy, "polluted")).toBeUndefined();
    expect(copy.n).toBe(2n ** 64n);
    expect(jsonEqual(copy, object)).toBe(true);
    expect(jsonEqual(shallowCopy(object), object)).toBe(true);
    expect(jsonEqual(copy, { n: 2n ** 64n })).toBe(false);
  });
});

test("lists and null are not objects", () => {
  expect([{}, [], null, "a", undefined].map(isJsonObject)).toEqual([true, false, false, false, false]);
});
