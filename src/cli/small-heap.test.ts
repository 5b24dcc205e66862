import v8 from "node:v8";
import { afterEach, expect, test, vi } from "vitest";
import { keepHeapSmall } from "./small-heap.ts";

const { setFlagsFromString } = v8;

afterEach(() => {
  vi.unstubAllEnvs();
  v8.setFlagsFromString = setFlagsFromString;
});

test.each([
  ["by default", "", ["--semi-space-growth-factor=1", "--optimize-for-size"]],
  [
    "with other options of V8",
    "--max-old-space-size=4096",
    ["--semi-space-growth-factor=1", "--optimize-for-size"],
  ],
  ["unless the user chooses a size of the young generation", "--max-semi-space-size=64", []],
  ["however the option is written", "--stack-trace-limit=5 --max_semi_space_size=64", []],
])("the heap stays small %s", (_title, options, expected) => {
  vi.stubEnv("NODE_OPTIONS", options);
  const flags: string[] = [];
  v8.setFlagsFromString = (flag) => flags.push(flag);
  keepHeapSmall();
  expect(flags).toEqual(expected);
});
