import { describe, expect, test } from "vitest";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { transient } from "../../codec/encodable.ts";
import type { Conversion } from "../contract/conversion.ts";
import { shownObjects } from "./shown-objects.ts";

const object = (name: string): KubeObject => ({ apiVersion: "v1", kind: "X", metadata: { name } });
const stored = ["a", "b", "c"].map((name) => transient(object(name)));

/** A conversion that appends to names, and records its batches. */
function conversion(isIdentity: boolean, batches: string[][] = []): Conversion {
  return {
    isIdentity,
    convert: (objects) => {
      batches.push(objects.map(({ metadata }) => String(metadata.name)));
      return objects.map(({ metadata }) => object(`${metadata.name}!`));
    },
    showsMetadata: () => false,
    convertToStored: (objects) => objects,
  };
}

const namesOf = async (shown: ReturnType<typeof shownObjects>) =>
  (await shown).map(({ value }) => value.metadata.name);

describe("the objects of a response", () => {
  test("are converted in one batch, except those with cached bytes", async () => {
    const batches: string[][] = [];
    const shown = shownObjects(stored, conversion(false, batches), (_, index) => index === 1);
    expect([await namesOf(shown), batches]).toEqual([["a!", "b", "c!"], [["a", "c"]]]);
  });

  test("stay as they are in the stored version, or if all have cached bytes", () => {
    const batches: string[][] = [];
    expect(shownObjects(stored, conversion(true, batches), () => false)).toBe(stored);
    expect(shownObjects(stored, conversion(false, batches), () => true)).toBe(stored);
    expect(batches).toEqual([]);
  });

  test("cannot be fewer or more after the conversion", () => {
    const lossy: Conversion = { ...conversion(false), convert: ([first]) => (first ? [first] : []) };
    expect(() => shownObjects(stored, lossy, () => false)).toThrow("the conversion of 3 objects returned 1");
  });

  test("share the cached bytes of the stored ones", async () => {
    let count = 0;
    const cached = { ...transient(object("a")), encoded: () => new Uint8Array([++count]) };
    const [shown] = await shownObjects([cached], conversion(false), () => false);
    expect(shown?.encoded("f", () => new Uint8Array())).toEqual(new Uint8Array([1]));
  });
});
