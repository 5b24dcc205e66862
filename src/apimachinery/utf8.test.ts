import fc from "fast-check";
import { expect, test } from "vitest";
import { utf8Length } from "./utf8.ts";

const text = fc.string({ unit: "binary" });
const encoder = new TextEncoder();

test.each(["", "web", "é", "€", "😀", "a😀é€", "\ud800", "\udc00", "\udc00\ud800", "\ud83d\ud83d\ude00"])(
  "the length of %j is that of its UTF-8 bytes",
  (value) => {
    expect(utf8Length(value)).toBe(encoder.encode(value).length);
  },
);

test("the length of any text is that of its UTF-8 bytes", () => {
  fc.assert(
    fc.property(text, (value) => {
      expect(utf8Length(value)).toBe(encoder.encode(value).length);
    }),
  );
});
