import { afterAll, beforeAll, expect, test } from "vitest";
import { StepCounter } from "./step-counter.ts";

let counter: StepCounter;
let work: (outer: number, rounds: number) => number;

beforeAll(async () => {
  counter = await StepCounter.start(/\/nested-loops\.ts/);
  const module = await import("./nested-loops.ts");
  work = module.nestedLoops;
});

afterAll(() => counter.stop());

async function stepsOf(outer: number, rounds: number): Promise<number> {
  await counter.take();
  work(outer, rounds);
  return counter.take();
}

test("each round of a loop is a step", async () => {
  const steps = await stepsOf(10, 1000);
  expect(steps).toBeGreaterThanOrEqual(10_000);
  expect(steps).toBeLessThan(10_100);
});

test("linear work takes twice the steps at twice the size, quadratic work four times", async () => {
  expect((await stepsOf(1000, 2)) / (await stepsOf(500, 2))).toBeCloseTo(2, 1);
  expect((await stepsOf(1000, 1000)) / (await stepsOf(500, 500))).toBeCloseTo(4, 1);
});

test("work outside of the sources does not count", async () => {
  await counter.take();
  for (let i = 0; i < 1000; i++) Math.sqrt(i);
  expect(await counter.take()).toBe(0);
});
