import fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonObject, JsonValue } from "../../apimachinery/json.ts";
import { deepFreeze } from "../../store/deep-freeze.ts";
import { encodeJson } from "./json.ts";
import { PartTexts } from "./part-texts.ts";

const json = fc.jsonValue().map((value) => value as JsonValue);
const names = fc.oneof(
  fc.constantFrom("metadata", "spec", "managedFields", "labels", "name", "1", "__proto__"),
  fc.string(),
);
const metadata = fc.dictionary(fc.constantFrom("name", "labels", "managedFields", "z", "7"), json);
/** Objects whose metadata is of every form, with managedFields of every form. */
const objects = fc
  .tuple(fc.dictionary(names, json), fc.option(metadata), fc.option(fc.array(json)))
  .map(([object, of, managedFields]) => {
    const whole = managedFields === null ? of : { ...of, managedFields };
    return (whole === null ? object : { ...object, metadata: whole }) as JsonObject;
  });

test("the text of an object is that of encodeJson, whatever was encoded before", () => {
  fc.assert(
    fc.property(fc.array(objects, { minLength: 1 }), fc.infiniteStream(fc.boolean()), (list, isFrozen) => {
      const texts = new PartTexts();
      for (const object of [...list, ...list]) {
        if (isFrozen.next().value) deepFreeze(object);
        expect(texts.encode(object)).toBe(encodeJson(object));
      }
    }),
  );
});

test("entries of managedFields that objects share have the same text in each", () => {
  const entries = ["a", "b", "c", "d", "e", "f"].map((manager) =>
    deepFreeze<JsonObject>({ manager, fieldsV1: { "f:data": { ".": {} } } }),
  );
  const texts = new PartTexts();
  for (const name of ["x", "y"]) {
    for (const managedFields of [entries, entries.slice(0, 2), []]) {
      const object = deepFreeze<JsonObject>({ metadata: { name, managedFields }, data: {} });
      expect(texts.encode(object)).toBe(JSON.stringify(object));
    }
  }
});
