import { encode } from "cbor-x";
import fc from "fast-check";
import { expect, test } from "vitest";
import { encodeCbor } from "./cbor.ts";
import { cborItemEnd } from "./cbor-item-end.ts";

test("an item ends where the next one starts, and has no end while it is incomplete", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.uint8Array({ maxLength: 20 }), fc.boolean(), (value, rest, isForeign) => {
      const item = isForeign ? encode(value) : encodeCbor(value as never);
      const bytes = Uint8Array.from([...rest, ...item, ...rest]);
      expect(cborItemEnd(bytes, rest.length)).toBe(rest.length + item.length);
      for (let length = 0; length < item.length; length++)
        expect(cborItemEnd(bytes.subarray(rest.length, rest.length + length), 0)).toBeUndefined();
    }),
  );
});

test.each([
  ["a map of indefinite length", [0xbf, 0x41, 0x61, 0x9f, 0x01, 0x02, 0xff, 0xff]],
  ["bytes in chunks", [0x5f, 0x41, 0x61, 0x42, 0x62, 0x63, 0xff]],
  ["a tagged string with a two-byte length", [0xd9, 0xd9, 0xf7, 0x58, 0x02, 0x61, 0x62]],
])("%s has an end", (_title, item) => {
  expect(cborItemEnd(Uint8Array.from([...item, 0x00]), 0)).toBe(item.length);
  expect(cborItemEnd(Uint8Array.from(item.slice(0, -1)), 0)).toBeUndefined();
});
