import { expect, test } from "vitest";
import { SharedBytes } from "./shared-bytes.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (piece: Uint8Array) => new TextDecoder().decode(piece);

test("the same pieces are joined once, as a chunk and as they are", () => {
  const shared = new SharedBytes();
  const [one, two] = [bytes("one"), bytes("twelve twelve")];
  const chunk = shared.chunkOf([one, two], 16);
  const whole = shared.joined([one, two], 16);
  expect([text(chunk), text(whole)]).toEqual(["10\r\nonetwelve twelve\r\n", "onetwelve twelve"]);
  expect([shared.chunkOf([one, two], 16) === chunk, shared.joined([one, two], 16) === whole]).toEqual([
    true,
    true,
  ]);
});

test("a single piece is not copied", () => {
  const one = bytes("one");
  expect(new SharedBytes().joined([one], 3)).toBe(one);
});

test.each([
  ["other pieces", [bytes("two")], 3],
  ["more pieces", [bytes("one"), bytes("two")], 6],
])("%s are joined again", (_title, pieces, size) => {
  const shared = new SharedBytes();
  shared.chunkOf([bytes("one")], 3);
  expect(text(shared.chunkOf(pieces, size))).toBe(`${size}\r\n${pieces.map(text).join("")}\r\n`);
});

test("what is forgotten is made again", () => {
  const shared = new SharedBytes();
  const pieces = [bytes("one"), bytes("two")];
  const [chunk, whole] = [shared.chunkOf(pieces, 6), shared.joined(pieces, 6)];
  shared.forget();
  expect([shared.chunkOf(pieces, 6) === chunk, shared.joined(pieces, 6) === whole]).toEqual([false, false]);
});
