import { beforeAll, expect, test } from "vitest";
import { type Counted, countedModule } from "./counted-module.ts";
import { countedSource } from "./counted-source.ts";

let work: Counted<typeof import("./nested-loops.ts")>;

beforeAll(async () => {
  work = await countedModule("test/attack/nested-loops.ts", /\/nested-loops\.ts/);
});

function stepsOf(outer: number, rounds: number): number {
  work.take();
  work.module.nestedLoops(outer, rounds);
  return work.take();
}

test("each round of a loop is a step", () => {
  expect(stepsOf(10, 1000)).toBe(1 + 10 + 10 * 1000);
});

test("linear work takes twice the steps at twice the size, quadratic work four times", () => {
  expect(stepsOf(1000, 2) / stepsOf(500, 2)).toBeCloseTo(2, 1);
  expect(stepsOf(1000, 1000) / stepsOf(500, 500)).toBeCloseTo(4, 1);
});

test("work outside of the sources does not count", () => {
  work.take();
  for (let i = 0; i < 1000; i++) Math.sqrt(i);
  expect(work.take()).toBe(0);
});

test.each([
  ["a function", "function f() { return 1; }", "function f() {__steps.count++; return 1; }"],
  ["an expression of an arrow", "a.map((b) => b + 1)", "a.map((b) => (__steps.count++, (b + 1)))"],
  ["an object of an arrow", "() => ({})", "() => (__steps.count++, (({})))"],
  ["a statement of a loop", "while (a) b();", "while (a) { __steps.count++; b(); }"],
  ["strict mode", 'function f() { "use strict"; }', 'function f() { "use strict";__steps.count++; }'],
  [
    "nested loops",
    "for (;;) for (;;) a();",
    "for (;;) { __steps.count++; for (;;) { __steps.count++; a(); } }",
  ],
])("the body of %s counts", (_title, source, expected) => {
  expect(countedSource("a.ts", source)).toBe(expected);
});
