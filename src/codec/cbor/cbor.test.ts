import { Decoder } from "cbor-x";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DecodeError } from "../../apimachinery/decode-error.ts";
import type { JsonValue } from "../../apimachinery/json.ts";
import { catalogOf } from "../../catalog/catalog.ts";
import { decodeCbor, decodeCborSequence, encodeCbor } from "./cbor.ts";

function hex(text: string): Uint8Array {
  return Buffer.from(text.replaceAll(" ", ""), "hex");
}

function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}

describe.each<[json: JsonValue, encoded: string]>([
  [0, "00"],
  [23, "17"],
  [24, "1818"],
  [1_000, "1903e8"],
  [1_000_000, "1a000f4240"],
  [1_000_000_000_000, "1b000000e8d4a51000"],
  [9_223_372_036_854_775_807n, "1b7fffffffffffffff"],
  [-1, "20"],
  [-1_000, "3903e7"],
  [-9_223_372_036_854_775_808n, "3b7fffffffffffffff"],
  [1.5, "f93e00"],
  [0.00006103515625 / 1_024, "f90001"],
  [100_000.5, "fa47c35040"],
  [3.4028234663852886e38, "fa7f7fffff"],
  [1.1, "fb3ff199999999999a"],
  [1e300, "fb7e37e43c8800759c"],
  [false, "f4"],
  [true, "f5"],
  [null, "f6"],
  ["", "40"],
  ["ü", "42c3bc"],
  [[1, [2, 3]], "8201820203"],
  [{}, "a0"],
  [{ bb: 1, a: 2, c: 3, "": 4 }, "a4 4004 416102 416303 42626201"],
])("%o", (json, encoded) => {
  test("in CBOR, after the tag for self-described CBOR", () => {
    expect(toHex(encodeCbor(json))).toBe(toHex(hex(`d9d9f7${encoded}`)));
  });

  test("is decoded with and without the tag", () => {
    expect(decodeCbor(hex(`d9d9f7${encoded}`))).toEqual(json);
    expect(decodeCbor(hex(encoded))).toEqual(json);
  });
});

test("with a schema, fields that are bytes or floats in Go are so in CBOR", () => {
  const catalog = catalogOf({ release: "1.32" });
  const secret = catalog.type({ group: "", version: "v1" }, "Secret");
  expect(toHex(encodeCbor({ data: { a: "AQID" } }, secret))).toBe("d9d9f7a14464617461a14161d643010203");
  const schema = catalog.type({ group: "apiextensions.k8s.io", version: "v1" }, "JSONSchemaProps");
  expect(toHex(encodeCbor({ not: { maximum: 2 } }, schema))).toBe("d9d9f7a1436e6f74a1476d6178696d756df94000");
});

describe("input from other encoders", () => {
  test.each<[title: string, sent: string, json: JsonValue]>([
    ["text strings", "6161", "a"],
    ["text strings as keys", "a1616101", { a: 1 }],
    ["lengths longer than necessary", "5b000000000000000161", "a"],
    ["strings in chunks", "5f4161426263ff", "abc"],
    ["text in chunks", "7f61616162ff", "ab"],
    ["arrays of indefinite length", "9f0102ff", [1, 2]],
    ["maps of indefinite length", "bf416101ff", { a: 1 }],
    ["__proto__ as a key", "a1495f5f70726f746f5f5f01", JSON.parse('{"__proto__":1}')],
    ["null as the first key, which becomes the empty string", "a1f601", { "": 1 }],
    ["a key with a time tag that is not a time", "a1c0616101", { a: 1 }],
    ["bytes tagged for base64 as a key", "a1d6416101", { "YQ==": 1 }],
    ["bytes that are not UTF-8", "4361ff62", "a\ufffdb"],
    ["bytes tagged for base64", "d643010203", "AQID"],
    ["bytes tagged for base64url", "d541ff", "_w"],
    ["bytes tagged for hexadecimal", "d741ff", "ff"],
    ["bytes in an array tagged for base64", "d68241ff41fe", ["/w==", "/g=="]],
    ["a time as text", "c074323030312d30322d30335430343a30353a30365a", "2001-02-03T04:05:06Z"],
    ["a time as seconds", "c11a3a7b8252", "2001-02-03T04:00:18Z"],
    ["a time with a fraction of a second", "c1fb41d452d9ec200000", "2013-03-21T20:04:00.5Z"],
    [
      "a time with a fraction of a second before the epoch",
      "c1fbc010666666666666",
      "1969-12-31T23:59:55.900000001Z",
    ],
    ["a time less than a nanosecond before the epoch", "c1fa834ee213", "1970-01-01T00:00:00Z"],
    ["an unknown tag", "d8ff01", 1],
    ["the tag for self-described CBOR inside an array", "81d9d9f701", [1]],
    ["64 levels", `${"81".repeat(63)}80`, JSON.parse(`${"[".repeat(64)}${"]".repeat(64)}`)],
  ])("%s", (_title, sent, json) => {
    expect(decodeCbor(hex(sent))).toEqual(json);
  });
});

describe("invalid input", () => {
  test.each<[title: string, sent: string, message: string]>([
    ["nothing", "", "EOF"],
    ["half an item", "19", "unexpected EOF"],
    ["a string beyond the end", "4261", "unexpected EOF"],
    ["a tag without content", "d8ff", "unexpected EOF"],
    ["an unterminated array", "9f01", "unexpected EOF"],
    ["data after the item", "0102", "cbor: 1 bytes of extraneous data starting at index 1"],
    ["a duplicate key", "a2416101416102", 'cbor: found duplicate map key "a" at map element index 1'],
    [
      "a duplicate key, once as text",
      "a2616101416102",
      'cbor: found duplicate map key "a" at map element index 1',
    ],
    [
      "a key that is a number",
      "a10101",
      "cbor: cannot unmarshal positive integer into Go value of type string",
    ],
    [
      "a tagged number as a key",
      "a1d8ffc60001",
      "cbor: cannot unmarshal positive integer into Go value of type string",
    ],
    [
      "an epoch time as a key",
      "a1c10001",
      "cbor: cannot unmarshal positive integer into Go value of type string",
    ],
    ["a duplicate empty key", "a2f6014002", 'cbor: found duplicate map key "" at map element index 1'],
    ["null after a key", "a2416101f602", 'cbor: found duplicate map key "a" at map element index 1'],
    [
      "seconds beyond int64",
      "c11b8000000000000000",
      "cbor: cannot unmarshal positive integer into Go value of type time.Time (9223372036854775808 overflows Go's int64)",
    ],
    [
      "an integer beyond int64",
      "1b8000000000000000",
      "cbor: cannot unmarshal positive integer into Go value of type int64 (9223372036854775808 overflows Go's int64)",
    ],
    [
      "a negative integer beyond int64",
      "3bffffffffffffffff",
      "cbor: cannot unmarshal negative integer into Go value of type int64 (-18446744073709551616 overflows Go's int64)",
    ],
    ["a bignum", "c24101", "cbor: data item of cbor type tag is not accepted by protocol: bignum"],
    [
      "NaN",
      "f97e00",
      "cbor: data item of cbor type primitives is not accepted by protocol: floating-point NaN",
    ],
    [
      "infinity",
      "faff800000",
      "cbor: data item of cbor type primitives is not accepted by protocol: floating-point infinity",
    ],
    [
      "undefined",
      "f7",
      "cbor: data item of cbor type primitives is not accepted by protocol: simple value 23 is not recognized",
    ],
    [
      "a simple value",
      "f820",
      "cbor: data item of cbor type primitives is not accepted by protocol: simple value 32 is not recognized",
    ],
    ["a simple value in a too long form", "f814", "cbor: invalid simple value 20 for type primitives"],
    ["text that is not UTF-8", "61ff", "cbor: invalid UTF-8 string"],
    ["an unexpected break", "ff", 'cbor: unexpected "break" code'],
    ["a break between key and value", "bf4161ff", 'cbor: unexpected "break" code'],
    ["an invalid length", "1c", "cbor: invalid additional information 28 for type positive integer"],
    [
      "an integer of indefinite length",
      "1f",
      "cbor: invalid additional information 31 for type positive integer",
    ],
    [
      "a number among the chunks of a string",
      "5f01ff",
      "cbor: wrong element type positive integer for indefinite-length byte string",
    ],
    [
      "a malformed chunk of another type",
      "5f1cff",
      "cbor: wrong element type positive integer for indefinite-length byte string",
    ],
    [
      "a text beyond int64",
      "7bffffffffffffffff",
      "cbor: UTF-8 text string length 18446744073709551615 is too large, causing integer overflow",
    ],
    [
      "an array beyond int64",
      "9b8000000000000000",
      "cbor: array length 9223372036854775808 is too large, it would cause integer overflow",
    ],
    [
      "a map beyond int64",
      "bb8000000000000000",
      "cbor: map length 9223372036854775808 is too large, it would cause integer overflow",
    ],
    [
      "a chunk of indefinite length",
      "5f5fffff",
      "cbor: indefinite-length byte string chunk is not definite-length",
    ],
    [
      "an invalid time",
      "c06161",
      `cbor: cannot set a for time.Time: parsing time "a" as "2006-01-02T15:04:05Z07:00": cannot parse "a" as "2006"`,
    ],
    [
      "a time before the year zero",
      "c1fbc22cf2e8f8010000",
      "cbor: decoded time cannot be represented in RFC3339 format with sub-second precision: Time.MarshalText: year outside of range [0,9999]",
    ],
    ["a time as bytes", "c04161", "cbor: tag number 0 must be followed by text string, got byte string"],
    [
      "seconds as text",
      "c16161",
      "cbor: tag number 1 must be followed by integer or floating-point number, got UTF-8 text string",
    ],
    ["65 levels", "81".repeat(65), "cbor: exceeded max nested level 64"],
    ["100,000 nested tags", "c6".repeat(100_000), "cbor: exceeded max nested level 64"],
    ["too many elements", "9a00ffffff", "cbor: exceeded max number of elements 1024 for CBOR array"],
    [
      "too many elements in an array of indefinite length",
      `9f${"01".repeat(1_025)}ff`,
      "cbor: exceeded max number of elements 1024 for CBOR array",
    ],
    ["too many pairs", "b90401", "cbor: exceeded max number of key-value pairs 1024 for CBOR map"],
  ])("%s", (_title, sent, message) => {
    expect(() => decodeCbor(hex(sent))).toThrow(new DecodeError(message));
  });

  test("random bytes are decoded or refused with a DecodeError", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        try {
          decodeCbor(bytes);
        } catch (error) {
          expect(error).toBeInstanceOf(DecodeError);
        }
      }),
      { numRuns: 5_000 },
    );
  });
});

/** Any JSON value without negative zero. */
const json = fc.jsonValue().map((value): JsonValue => JSON.parse(JSON.stringify(value)));

test("any JSON value survives a round trip", () => {
  fc.assert(fc.property(json, (value) => void expect(decodeCbor(encodeCbor(value))).toEqual(value)));
});

test("the order of keys does not change the bytes", () => {
  const pairs = fc.uniqueArray(fc.string({ unit: "binary" }), { minLength: 2 });
  fc.assert(
    fc.property(pairs, (keys) => {
      const forward = Object.fromEntries(keys.map((key) => [key, 1]));
      const backward = Object.fromEntries(keys.toReversed().map((key) => [key, 1]));
      expect(toHex(encodeCbor(forward))).toBe(toHex(encodeCbor(backward)));
    }),
  );
});

test("another implementation decodes the output", () => {
  const decoder = new Decoder({ mapsAsObjects: false, useRecords: false });
  fc.assert(
    fc.property(json, (value) => void expect(plain(decoder.decode(encodeCbor(value)))).toEqual(value)),
  );
});

test("a sequence is decoded item by item", () => {
  const items = [{ a: 1 }, "b", [3]];
  const sequence = Buffer.concat(items.map((item) => encodeCbor(item)));
  expect([...decodeCborSequence(sequence)]).toEqual(items);
  expect([...decodeCborSequence(new Uint8Array(0))]).toEqual([]);
});

/** Converts maps, byte strings and large integers of the other implementation to JSON. */
function plain(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString();
  if (typeof value === "bigint") return Number(value);
  if (Array.isArray(value)) return value.map(plain);
  if (!(value instanceof Map)) return value;
  const object = {};
  for (const [key, item] of value) {
    const name = String(plain(key));
    Object.defineProperty(object, name, {
      value: plain(item),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return object;
}
