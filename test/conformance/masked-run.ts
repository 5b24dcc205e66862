import { readFileSync } from "node:fs";
import { beforeEach } from "vitest";

/** Tests that cannot hold with masked names, by the end of their full names, and the reasons. */
const expectations: readonly { readonly test: string; readonly reason: string }[] = JSON.parse(
  readFileSync(new URL("./expectations/masked.json", import.meta.url), "utf8"),
);

// A listed test that passes fails the run.
beforeEach(({ task }) => {
  if (expectations.some(({ test }) => task.name === test)) Object.assign(task, { fails: true });
});
