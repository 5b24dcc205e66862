import { expect, test } from "vitest";
import { truncatedNote } from "./truncated-note.ts";

test.each([
  ["1,024 bytes", "a".repeat(1024), "a".repeat(1024)],
  ["more bytes", "a".repeat(1025), `${"a".repeat(1020)} ...`],
  ["few characters of three bytes", "€".repeat(341), "€".repeat(341)],
  ["characters of three bytes", "€".repeat(342), `${"€".repeat(340)} ...`],
  ["a character on the limit", `a${"€".repeat(342)}`, `a${"€".repeat(339)} ...`],
  ["a byte order mark", `\u{feff}${"a".repeat(1030)}`, `\u{feff}${"a".repeat(1017)} ...`],
])("a note of %s has at most 1,024", (_title, message, expected) => {
  expect(truncatedNote(message)).toBe(expected);
});
