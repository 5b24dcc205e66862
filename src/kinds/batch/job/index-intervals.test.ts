import { expect, test } from "vitest";
import { countIndexes, firstOverlap } from "./index-intervals.ts";

test.each<[text: string, count: number]>([
  ["", 0],
  ["0", 1],
  ["1,3-5,7", 5],
  ["+1", 1],
])("%j contains %d indexes", (text, count) => {
  expect(countIndexes(text, 10)).toBe(count);
});

test.each<[text: string, message: string]>([
  ["a", 'cannot convert string to integer for index: "a"'],
  ["1,", 'cannot convert string to integer for index: ""'],
  ["1-b", 'cannot convert string to integer for index: "b"'],
  [
    "1-2-3",
    "the fragment \"1-2-3\" violates the requirement that an index interval can have at most two parts separated by '-'",
  ],
  ["10", 'too large index: "10"'],
  ["1-10", 'too large index: "10"'],
  ["3-3", "non-increasing order, previous: 3, current: 3"],
  ["3,1", "non-increasing order, previous: 3, current: 1"],
  ["1-4,4", "non-increasing order, previous: 4, current: 4"],
])("%j is malformed: %s", (text, message) => {
  expect(() => countIndexes(text, 10)).toThrow(message);
});

test.each<[a: string, b: string, overlap: number | undefined]>([
  ["", "1", undefined],
  ["0,2,4", "1,3,5", undefined],
  ["0-3", "3-5", 3],
  ["5-9", "1,7", 7],
  ["x,5", "y,5", 5],
])("%j and %j overlap at %s", (a, b, overlap) => {
  expect(firstOverlap(a, b, 10)).toBe(overlap);
});
