import v8 from "node:v8";
import { afterEach, expect, test, vi } from "vitest";
import { tuneEngine } from "./engine.ts";

const { setFlagsFromString } = v8;

afterEach(() => {
  vi.unstubAllEnvs();
  v8.setFlagsFromString = setFlagsFromString;
});

const heap = ["--semi-space-growth-factor=1", "--optimize-for-size"];
const compiler = ["--max-inlined-bytecode-size-cumulative=200"];

test.each([
  ["by default", "", [...heap, ...compiler]],
  ["with other options of V8", "--max-old-space-size=4096", [...heap, ...compiler]],
  ["unless the user chooses a size of the young generation", "--max-semi-space-size=64", compiler],
  ["however the option is written", "--stack-trace-limit=5 --max_semi_space_size=64", compiler],
  ["unless the user chooses how much is inlined", "--max-inlined-bytecode-size=400", heap],
])("V8 is tuned for a server %s", (_title, options, expected) => {
  vi.stubEnv("NODE_OPTIONS", options);
  const flags: string[] = [];
  v8.setFlagsFromString = (flag) => flags.push(flag);
  tuneEngine();
  expect(flags).toEqual(expected);
});
