import fc from "fast-check";
import { expect, test } from "vitest";
import { nearly, unlessRefused } from "../../../test/arbitraries/nearly.ts";
import { StatusError } from "../../apimachinery/errors/errors.ts";
import { decodeBase64Url, encodeBase64Url } from "../../codec/base64-url.ts";
import { decodeContinueToken, encodeContinueToken } from "./continue-token.ts";

const segment = fc
  .string({ unit: fc.constantFrom(..."ab-.0<é"), minLength: 1 })
  .filter((text) => text !== "." && text !== "..");
const token = fc.record({
  revision: fc.oneof(fc.integer({ min: 1 }), fc.constant(-1), fc.constant(Number.MAX_SAFE_INTEGER)),
  start: fc.array(segment, { minLength: 1, maxLength: 3 }).map((parts) => `${parts.join("/")}\0`),
});
const odd = '{}[]:,"\\/.0129-nulrvst';

test("a token is read as it is written", () => {
  fc.assert(
    fc.property(token, (given) => {
      expect(decodeContinueToken(encodeContinueToken(given))).toEqual(given);
    }),
  );
});

test.each([
  ["text", nearly(token.map(encodeContinueToken), "abcXYZ019-_=+/ ")],
  [
    "content",
    nearly(
      token.map((given) => new TextDecoder().decode(decodeBase64Url(encodeContinueToken(given)))),
      odd,
    ).map((text) => encodeBase64Url(new TextEncoder().encode(text))),
  ],
])(
  "a token with another %s is a StatusError, or names a revision and a key below the collection",
  (_title, arbitrary) => {
    fc.assert(
      fc.property(arbitrary, (text) => {
        const read = unlessRefused(() => decodeContinueToken(text), StatusError);
        if (read === undefined) return;
        expect(read.revision).not.toBe(0);
        expect(read.revision).not.toBeNaN();
        expect(`/${read.start}/`).not.toMatch(/\/\.\.\//);
        expect(decodeContinueToken(encodeContinueToken({ ...read, start: read.start || "/" }))).toEqual(read);
      }),
      { numRuns: 1000 },
    );
  },
);
