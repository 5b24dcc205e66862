import fc from "fast-check";
import { expect, test } from "vitest";
import { nearlyBytes, unlessRefused } from "../../test/arbitraries/nearly.ts";
import { type DerElement, derElements } from "./der.ts";

type Written = Pick<DerElement, "tag" | "content">;

const element: fc.Arbitrary<Written> = fc.record({
  tag: fc.constantFrom(0x02, 0x03, 0x04, 0x06, 0x30, 0x31, 0xa0),
  content: fc.oneof(fc.uint8Array({ maxLength: 20 }), fc.uint8Array({ minLength: 120, maxLength: 300 })),
});

function encoded(elements: readonly Written[]): Uint8Array {
  return Uint8Array.from(elements.flatMap(({ tag, content }) => [tag, ...lengthOf(content), ...content]));
}

/** The shortest form, the only one in DER. */
function lengthOf({ length }: Uint8Array): readonly number[] {
  if (length < 0x80) return [length];
  return length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
}

test("elements are read as they are written", () => {
  fc.assert(
    fc.property(fc.array(element, { maxLength: 5 }), (elements) => {
      expect(derElements(encoded(elements))).toEqual(
        elements.map((one) => ({ ...one, raw: encoded([one]) })),
      );
    }),
  );
});

test("any other bytes are refused with a RangeError, or they are the DER of their elements", () => {
  const bytes = nearlyBytes(fc.array(element, { maxLength: 3 }).map(encoded));
  fc.assert(
    fc.property(bytes, (given) => {
      const elements = unlessRefused(() => derElements(given), RangeError);
      if (elements !== undefined) expect(encoded(elements)).toEqual(given);
    }),
    { numRuns: 2000 },
  );
});

test.each([
  ["of indefinite length", [0x30, 0x80, 0, 0]],
  ["whose length could be shorter", [0x04, 0x81, 0x01, 0]],
  ["whose length begins with zeros", [0x04, 0x82, 0x00, 0x80, ...Array(128).fill(0)]],
  ["whose length has five bytes", [0x04, 0x85, 1, 0, 0, 0, 0]],
  ["that is cut off", [0x04, 0x02, 0]],
])("an element %s is refused", (_title, bytes) => {
  expect(() => derElements(Uint8Array.from(bytes))).toThrow(RangeError);
});
