import fc from "fast-check";
import { describe, expect, test } from "vitest";

const seed = Number(process.env["TEST_SEED"]);

test("fast-check generates values by the printed seed", () => {
  expect(fc.readConfigureGlobal()).toEqual({ seed });
  const sampled = () => fc.sample(fc.nat(), 5);
  expect(sampled()).toEqual(fc.sample(fc.nat(), { numRuns: 5, seed }));
  const thrown = expect(() => fc.assert(fc.property(fc.nat(), () => false)));
  thrown.toThrow(`seed: ${seed}`);
});

describe("the tests of a file", () => {
  const order: number[] = [];
  const numbers = Array.from({ length: 20 }, (_, index) => index);

  test.each(numbers)("run in the order of the seed: %d", (index) => {
    order.push(index);
    if (order.length === numbers.length) expect(order).not.toEqual(numbers);
    expect(new Set(order).size).toBe(order.length);
  });
});
