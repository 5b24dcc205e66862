import { describe, expect, test } from "vitest";
import { deepFreeze } from "./deep-freeze.ts";

describe("deepFreeze", () => {
  test("freezes objects and arrays at every depth, and returns the value itself", () => {
    const value = { a: [{ b: [] as object[] }], c: { d: {} }, e: null, f: "text" };
    expect(deepFreeze(value)).toBe(value);
    for (const node of [value, value.a, value.a[0], value.a[0]?.b, value.c, value.c.d]) {
      expect(Object.isFrozen(node)).toBe(true);
    }
  });

  test("does not stop at a value that is undefined", () => {
    const value = { a: {}, b: undefined };
    deepFreeze(value);
    expect(Object.isFrozen(value.a)).toBe(true);
  });

  test("does not enter frozen objects", () => {
    const child = { free: true };
    const shared = Object.freeze({ child });
    deepFreeze({ shared });
    expect(Object.isFrozen(child)).toBe(false);
  });

  test("freezes the value of a key that a prototype has too", () => {
    const value = JSON.parse('{"__proto__": {"a": {}}, "constructor": {}}');
    deepFreeze(value);
    const inner = Object.getOwnPropertyDescriptor(value, "__proto__")?.value;
    expect([inner, inner.a, value.constructor].map((node) => Object.isFrozen(node))).toEqual([
      true,
      true,
      true,
    ]);
    expect(Object.isFrozen(Object.prototype)).toBe(false);
  });

  test("handles depths beyond the call stack, and cycles", () => {
    let deep: object = {};
    const bottom = deep;
    for (let depth = 0; depth < 200_000; depth++) deep = { deep };
    deepFreeze(deep);
    expect(Object.isFrozen(bottom)).toBe(true);
    const circle: { self?: object } = {};
    circle.self = circle;
    expect(Object.isFrozen(deepFreeze(circle))).toBe(true);
  });

  test("skips byte arrays, which cannot be frozen", () => {
    const bytes = new Uint8Array(2);
    expect(Object.isFrozen(deepFreeze({ bytes }))).toBe(true);
    expect(Object.isFrozen(bytes)).toBe(false);
  });
});
