import { expect, test } from "vitest";
import { parseQuantity } from "./quantity.ts";

/** Upstream: apimachinery, pkg/api/resource/quantity.go, ScaledValue. */
test.each<[text: string, milli: bigint]>([
  ["1", 1000n],
  ["100m", 100n],
  ["1u", 1n],
  ["-1u", -1n],
  ["1.5", 1500n],
  ["1Ki", 1_024_000n],
  ["8Pi", 9_007_199_254_740_992_000n],
  // An inf.Dec wraps around.
  ["9Pi", BigInt.asIntN(64, 9n * 2n ** 50n * 1000n)],
  ["1Ei", -(2n ** 63n)],
  ["8Ei", -1000n],
  // An int64 that overflows is zero.
  ["1E", 0n],
  ["10P", 0n],
  ["9P", 9_000_000_000_000_000_000n],
])("%s has %s thousandths", (text, milli) => {
  expect(parseQuantity(text).milliValue()).toBe(milli);
});
