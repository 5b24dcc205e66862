import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";

const directory = mkdtempSync(join(tmpdir(), "kubedouble-totals-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const report = (name: string, passed: number, failed: number, broken = 0): string => {
  const path = join(directory, name);
  const results = Array.from({ length: broken }, () => ({ status: "failed", assertionResults: [] }));
  writeFileSync(
    path,
    JSON.stringify({ numPassedTests: passed, numFailedTests: failed, testResults: results }),
  );
  return path;
};

test.each([
  ["reports are summed", "0", [report("a", 2, 0), report("b", 3, 0)], "5 passed, 0 failed", 0],
  ["a failed test fails the run", "1", [report("c", 2, 1), report("d", 3, 2)], "5 passed, 3 failed", 1],
  ["a file that did not load fails the run", "0", [report("e", 2, 0, 1)], "2 passed, 1 failed", 1],
  ["a run without a report fails", "1", [report("f", 2, 0), "none"], "2 passed, 1 failed", 1],
  ["a failed check fails the run", "1", [report("g", 2, 0)], "2 passed, 1 failed", 1],
])("%s", (_title, status, reports, line, exit) => {
  const result = spawnSync(process.execPath, ["tools/totals.mjs", status, ...reports], { encoding: "utf8" });
  expect(result.stdout.trimEnd().split("\n").at(-1)).toBe(line);
  expect(result.status).toBe(exit);
});
