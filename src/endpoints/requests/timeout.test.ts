import { expect, test } from "vitest";
import { checkTimeout, deadlineOf } from "./timeout.ts";

const check = (query: string) => () => checkTimeout(new URLSearchParams(query));

test.each(["", "timeout=", "timeout=30s", "timeout=1h2m", "timeoutSeconds=x"])("%j is a timeout", (query) => {
  expect(check(query)).not.toThrow();
});

test.each([
  ["timeout=x", 'time: invalid duration "x"'],
  ["timeout=5", 'time: missing unit in duration "5"'],
])("%j is none", (query, problem) => {
  const message = `invalid timeout specified in the request URL - ${problem}`;
  expect(check(query)).toThrow(expect.objectContaining({ code: 400, message }));
});

test.each([
  ["", 35_000],
  ["timeout=", 35_000],
  ["timeout=5s", 6000],
  ["timeout=1ms", 1001],
  ["timeout=34s", 35_000],
  ["timeout=1h", 35_000],
  ["timeout=0s", 35_000],
  ["timeout=-5s", 35_000],
])("a write that begins at 1,000 ms with %j ends until %i", (query, deadline) => {
  expect(deadlineOf(new URLSearchParams(query), 1000)).toBe(deadline);
});
