import fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonObject, JsonValue } from "../apimachinery/json.ts";
import { deepFreeze } from "../store/deep-freeze.ts";
import { type Part, rememberedByPart } from "./remembered-by-part.ts";

const parts = fc
  .oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.array(fc.jsonValue()))
  .map((value) => value as Part);

/** A computation, and how often it ran. */
function counted<A extends unknown[], T>(run: (...args: A) => T) {
  const counter = {
    calls: 0,
    compute: (...args: A): T => {
      counter.calls += 1;
      return run(...args);
    },
  };
  return counter;
}

test("a result is the one that would be computed", () => {
  const textOf = rememberedByPart((part: Part) => JSON.stringify(part));
  fc.assert(
    fc.property(fc.array(parts), fc.infiniteStream(fc.boolean()), (list, isFrozen) => {
      for (const part of [...list, ...list]) {
        if (isFrozen.next().value) deepFreeze(part);
        expect(textOf(part)).toBe(JSON.stringify(part));
      }
    }),
  );
});

test("the result for a frozen part is computed once", () => {
  fc.assert(
    fc.property(parts, fc.nat(5), (part, more) => {
      const counter = counted((of: Part) => ({ size: Object.keys(of).length }));
      const sizeOf = rememberedByPart(counter.compute);
      const first = sizeOf(deepFreeze(part));
      for (let i = 0; i < more; i++) expect(sizeOf(part)).toBe(first);
      expect(counter.calls).toBe(1);
    }),
  );
});

test("a part that changes has another result", () => {
  const sizeOf = rememberedByPart((part: Part) => Object.keys(part).length);
  const labels: { [key: string]: string } = { app: "web" };
  expect(sizeOf(labels)).toBe(1);
  labels["tier"] = "backend";
  expect(sizeOf(labels)).toBe(2);
});

test("equal parts are different parts", () => {
  const counter = counted((part: Part) => part);
  const same = rememberedByPart(counter.compute);
  const [a, b] = [deepFreeze<JsonObject>({ app: "web" }), deepFreeze<JsonObject>({ app: "web" })];
  expect([same(a), same(b), same(a)]).toEqual([a, b, a]);
  expect(counter.calls).toBe(2);
});

test("no result is a result, too", () => {
  const counter = counted((_part: Part) => undefined);
  const nothing = rememberedByPart(counter.compute);
  const part = deepFreeze<JsonValue[] & Part>([]);
  expect([nothing(part), nothing(part)]).toEqual([undefined, undefined]);
  expect(counter.calls).toBe(1);
});

test("what fails is computed again", () => {
  const counter = counted((part: Part) => {
    throw new Error(`no result for ${JSON.stringify(part)}`);
  });
  const failing = rememberedByPart(counter.compute);
  const part = deepFreeze<JsonObject>({ a: 1 });
  for (const _ of [1, 2]) expect(() => failing(part)).toThrow('no result for {"a":1}');
  expect(counter.calls).toBe(2);
});

test.each<[string, readonly string[], number]>([
  ["under the same circumstances once", ["a", "a", "a"], 1],
  ["under other circumstances again", ["a", "b", "b"], 2],
  ["each time while they alternate", ["a", "b", "a"], 3],
  ["once for circumstances that come to the same", ["a", "A", "a"], 1],
])("a result that depends on circumstances is computed %s", (_title, circumstances, calls) => {
  const counter = counted((part: JsonObject, prefix: string) => prefix.toLowerCase() + String(part["name"]));
  const named = rememberedByPart(
    counter.compute,
    (before: string, now: string) => before.toLowerCase() === now.toLowerCase(),
  );
  const part = deepFreeze<JsonObject>({ name: "x" });
  expect(circumstances.map((prefix) => named(part, prefix))).toEqual(
    circumstances.map((prefix) => `${prefix.toLowerCase()}x`),
  );
  expect(counter.calls).toBe(calls);
});
