import fc from "fast-check";
import { expect, test } from "vitest";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import { catalogOf } from "../catalog/catalog.ts";
import { builtInKindSchema } from "../schema/built-in-schema.ts";
import { deepFreeze } from "../store/deep-freeze.ts";
import { Version } from "../store/stored-value.ts";
import { encodeList, jsonDocument } from "./encode.ts";
import { encodedForms } from "./encoded-forms.ts";
import type { EncodingTarget } from "./encoding-target.ts";

const gvk = { group: "", version: "v1", kind: "ConfigMap" };
const schema =
  builtInKindSchema(catalogOf({ release: "1.32" }), gvk) ?? expect.unreachable("1.32 has ConfigMaps");
const target: EncodingTarget = { gvk, schema, listSchema: undefined, forms: encodedForms(gvk) };
const format = { mediaType: "application/json", pretty: false, transform: undefined } as const;

function stored(name: string, text: string): Version<KubeObject> {
  const object = { kind: "ConfigMap", apiVersion: "v1", metadata: { name }, data: { text } };
  return new Version<KubeObject>("put", name, deepFreeze(object), {}, 1, undefined);
}

/** The pieces of the list, whole or not. */
async function listed(items: readonly Version<KubeObject>[], isWhole = true): Promise<readonly Uint8Array[]> {
  return encodeList(items, { resourceVersion: "7" }, target, format, isWhole);
}

const textOf = (pieces: readonly Uint8Array[]): string => Buffer.concat(pieces).toString();

function expected(items: readonly Version<KubeObject>[]): string {
  const list = items.map(({ value: { kind: _kind, apiVersion: _apiVersion, ...item } }) => item);
  return `${JSON.stringify({ kind: "ConfigMapList", apiVersion: "v1", metadata: { resourceVersion: "7" }, items: list })}\n`;
}

const many = (count: number, text = "x"): Version<KubeObject>[] =>
  Array.from({ length: count }, (_, index) => stored(`item-${index}`, text.repeat(1 + (index % 50))));

test("a whole list of many items is a few pieces, from the first time on", async () => {
  const items = many(3000, "some text ");
  for (const pieces of [await listed(items), await listed(items)]) {
    expect(textOf(pieces)).toBe(expected(items));
    expect(pieces.length).toBeLessThan(30);
  }
});

test("a list of few items, or of selected ones, does not pack them", async () => {
  const few = many(63);
  await listed(few);
  const selected = many(100);
  await listed(selected, false);
  const kept = [...few, ...selected].map((item) => item.kept(target.forms.item));
  expect(kept.every((bytes) => bytes instanceof Uint8Array)).toBe(true);
});

test("some of the packed items are a list as well, in any order", async () => {
  const items = many(200);
  await listed(items);
  const some = [...items.slice(100, 150), ...items.slice(20, 90).reverse(), stored("new", "n")];
  expect(textOf(await listed(some, false))).toBe(expected(some));
});

test("changed items are packed again when they are many", async () => {
  const items = many(400);
  await listed(items);
  const memoryOf = (item: Version<KubeObject>) =>
    item.encoded(target.forms.item, () => expect.unreachable()).buffer;
  const before = items.map(memoryOf);
  const replaced = (count: number) =>
    items.map((item, index) => (index % 5 === 0 && index / 5 < count ? stored(item.key, "changed") : item));
  expect(textOf(await listed(replaced(3)))).toBe(expected(replaced(3)));
  expect(items.every((item, index) => memoryOf(item) === before[index])).toBe(true);
  const now = replaced(80);
  const pieces = await listed(now);
  expect(textOf(pieces)).toBe(expected(now));
  expect(now.every((item) => !before.includes(memoryOf(item)))).toBe(true);
});

test("a packed object has the same document, and keeps no second copy of it", async () => {
  const items = many(100, "ü");
  const documents = items.map((item) => Buffer.from(jsonDocument(item, target, "read")).toString());
  await listed(items);
  const isShared = (item: Version<KubeObject>) => !(item.kept(target.forms.json) instanceof Uint8Array);
  expect(items.every(isShared)).toBe(true);
  expect(items.map((item) => Buffer.from(jsonDocument(item, target, "read")).toString())).toEqual(documents);
  expect(items.every(isShared)).toBe(true);
});

test("lists with items of all sizes are complete", async () => {
  const sizes = fc.oneof(
    { weight: 5, arbitrary: fc.nat(3000) },
    fc.integer({ min: 15_000, max: 17_000 }),
    fc.nat(300_000),
  );
  const item = fc.tuple(sizes, fc.constantFrom("a", "ü", "€", "😀"));
  await fc.assert(
    fc.asyncProperty(fc.array(item, { minLength: 64, maxLength: 90 }), async (parts) => {
      const items = parts.map(([size, text], index) =>
        stored(`item-${index}`, text.repeat(Math.ceil(size / 3))),
      );
      // The texts are too long for a message.
      expect(textOf(await listed(items)) === expected(items)).toBe(true);
      expect(textOf(await listed(items)) === expected(items)).toBe(true);
    }),
    { numRuns: 20 },
  );
});
