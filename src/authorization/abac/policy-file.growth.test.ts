import { expect, test } from "vitest";
import { StepCounter } from "../../../test/steps.ts";
import { parsePolicyFile } from "./policy-file.ts";

const policy = (user: string): string => JSON.stringify({ user, resource: "pods" });
const repeated = (line: (i: number) => string, size: number): string =>
  Array.from({ length: size }, (_, i) => line(i)).join("\n");

test.each<[title: string, text: (size: number) => string]>([
  ["policies", (size) => repeated((i) => policy(`u${i}`), size)],
  ["comments", (size) => repeated(() => "# a", size)],
  ["blanks", (size) => " ".repeat(size)],
  ["carriage returns", (size) => "\r".repeat(size)],
  [
    "members of a policy",
    (size) => `{${repeated((i) => `"m${i}":1,`, size).replaceAll("\n", "")}"user":"u"}`,
  ],
  ["characters of a user", (size) => policy("u".repeat(size))],
])("twice as many %s take about twice the steps", (_title, text) => {
  using steps = new StepCounter();
  expect(steps.growthOf((size) => parsePolicyFile(text(size), "policy.jsonl"), 2000)).toBeLessThan(2.3);
});
