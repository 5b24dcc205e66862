import { expect, test } from "vitest";
import { StepCounter } from "./steps.ts";

test("steps are counted, and grow as the work does", () => {
  using counter = new StepCounter();
  const loop = (size: number) => {
    let sum = 0;
    for (let i = 0; i < size; i++) sum += i % 3 === 0 ? 1 : 2;
    return sum;
  };
  const nested = (size: number) => {
    for (let i = 0; i < size; i++) loop(i);
  };
  expect(counter.stepsOf(() => loop(1000))).toBeGreaterThan(1000);
  // The counter itself takes a few.
  expect(Math.round(counter.growthOf(loop, 1000))).toBe(2);
  expect(Math.round(counter.growthOf(nested, 200))).toBe(4);
});
