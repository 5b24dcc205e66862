import fc from "fast-check";
import { expect, test } from "vitest";
import { nearly, nearlyBytes, unlessRefused } from "../../test/arbitraries/nearly.ts";
import { DecodeError } from "../apimachinery/decode-error.ts";
import type { JsonValue } from "../apimachinery/json.ts";
import { decodeCbor, encodeCbor } from "./cbor/cbor.ts";
import { encodeJson, parseJson } from "./json/json.ts";
import { encodeYaml, parseYaml } from "./yaml/yaml.ts";

const json = fc.jsonValue({ maxDepth: 3 }).map((value): JsonValue => JSON.parse(JSON.stringify(value)));
/** As a request carries it: bytes have no lone surrogates. */
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

test("nearly valid JSON is refused with a DecodeError, or its value is written and read again", () => {
  fc.assert(
    fc.property(nearly(json.map(encodeJson), '{}[]:,"\\u019.-+eE tfn'), (text) => {
      const value = unlessRefused(() => parseJson(bytesOf(text)), DecodeError);
      if (value !== undefined) expect(encodeJson(parseJson(encodeJson(value)))).toBe(encodeJson(value));
    }),
    { numRuns: 2000 },
  );
});

test("nearly valid YAML is refused with a DecodeError, or its value is written and read again", () => {
  fc.assert(
    fc.property(nearly(json.map(encodeYaml), "-:#?'\"\\\n\t ,[]{}&*!|>%@`0.~<"), (text) => {
      const value = unlessRefused(() => parseYaml(bytesOf(text)), DecodeError);
      if (value !== undefined) expect(encodeJson(parseYaml(encodeYaml(value)))).toBe(encodeJson(value));
    }),
    { numRuns: 2000 },
  );
});

test("nearly valid CBOR is refused with a DecodeError, or its value is written and read again", () => {
  fc.assert(
    fc.property(nearlyBytes(json.map((value) => encodeCbor(value))), (bytes) => {
      const value = unlessRefused(() => decodeCbor(bytes), DecodeError);
      if (value !== undefined) expect(decodeCbor(encodeCbor(value))).toEqual(value);
    }),
    { numRuns: 2000 },
  );
});
