import { expect, test } from "vitest";
import { joinedFrames } from "./joined-frames.ts";

const frame = (...bytes: readonly number[]) => Uint8Array.from(bytes);

test("watchers that get the same frames share one piece", () => {
  const [a, b] = [frame(1), frame(2, 3)];
  const joined = joinedFrames([a, b]);
  expect([...joined]).toEqual([1, 2, 3]);
  expect(joinedFrames([a, b])).toBe(joined);
});

test("other frames after the same first one are another piece", () => {
  const [a, b, c] = [frame(1), frame(2), frame(2)];
  const joined = joinedFrames([a, b]);
  expect(joinedFrames([a, c])).not.toBe(joined);
  expect([...joinedFrames([a, b, c])]).toEqual([1, 2, 2]);
  expect([...joinedFrames([b, a])]).toEqual([2, 1]);
});

test("one frame is the piece itself, and no frame is empty", () => {
  const only = frame(1);
  expect(joinedFrames([only])).toBe(only);
  expect(joinedFrames([]).byteLength).toBe(0);
});

test("pieces of more than 64 KiB are not kept", () => {
  const [large, small] = [new Uint8Array(64 * 1024), frame(1)];
  const joined = joinedFrames([large, small]);
  expect(joinedFrames([large, small])).toEqual(joined);
  expect(joinedFrames([large, small])).not.toBe(joined);
});
