import { Encoder } from "cbor-x";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonValue } from "../../src/apimachinery/json.ts";
import { decodeCbor, encodeCbor } from "../../src/codec/cbor/cbor.ts";
import { cborDifferences } from "./cbor-differences.ts";
import { cborItems, mutatedItems } from "./cbor-items.ts";
import { compareReaders, firstDifference, readByLibrary } from "./cbor-readers.ts";
import { bothAccept, explanation, isSame } from "./known-difference.ts";

const titles = cborDifferences.map(({ title }) => title);

const numRuns = 5_000;

describe("cbor-x and our reader agree, except for known differences, on", () => {
  test.each([
    ["random items", cborItems, 0.5],
    ["items with a few bytes changed", mutatedItems, 0.05],
  ])("%s", (_what, items, leastCompared) => {
    let compared = 0;
    fc.assert(
      fc.property(items, (bytes) => {
        const difference = firstDifference(bytes);
        if (difference !== undefined) expect(titles).toContain(explanation(cborDifferences, difference));
        else if (bothAccept(compareReaders(bytes))) compared++;
      }),
      { numRuns },
    );
    // Runs that compare refusals only would prove little.
    expect(compared / numRuns).toBeGreaterThan(leastCompared);
  });
});

test.each(cborDifferences)("$title", ({ title, example }) => {
  const comparison = compareReaders(example);
  expect(isSame(comparison)).toBe(false);
  expect(explanation(cborDifferences, comparison)).toBe(title);
});

/** Any JSON, integers of 64 bits included. Our writer encodes negative zero as the integer zero, so it is left out. */
const { json } = fc.letrec<{ json: JsonValue }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 4 },
    fc.string({ unit: "binary" }),
    fc.integer(),
    fc.constantFrom(...[23, 24, 255, 256, 65_535, 65_536, 2 ** 32 - 1, 2 ** 32, 65_504.5]),
    fc.double({ noDefaultInfinity: true, noNaN: true }).map((value) => value + 0),
    fc.bigInt({ min: 2n ** 53n, max: 2n ** 63n - 1n }),
    fc.bigInt({ min: -(2n ** 63n), max: -(2n ** 53n) }),
    fc.constantFrom<JsonValue>(true, false, null),
    fc.array(tie("json"), { maxLength: 5 }),
    fc.dictionary(fc.string({ unit: "binary" }), tie("json"), { maxKeys: 5, noNullPrototype: true }),
  ),
}));

test("cbor-x reads what our writer writes", () => {
  fc.assert(
    fc.property(json, (value) => void expect(readByLibrary(encodeCbor(value))).toEqual(value)),
    { numRuns: 2_000 },
  );
});

test.each([
  ["as it does by default", new Encoder({ useRecords: false })],
  ["with map lengths in as few bytes as possible", new Encoder({ useRecords: false, variableMapSize: true })],
  ["with the self-described tag", new Encoder({ useRecords: false, useSelfDescribedHeader: true })],
])("our reader reads what cbor-x writes %s", (_how, encoder) => {
  fc.assert(
    fc.property(json, (value) => void expect(decodeCbor(encoder.encode(value))).toEqual(value)),
    { numRuns: 1_000 },
  );
});
