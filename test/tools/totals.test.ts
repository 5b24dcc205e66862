import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, expect, test } from "vitest";

const directory = mkdtempSync(join(tmpdir(), "kubedouble-totals-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** Writes a report with one file of failed tests and the given number of files that did not load. */
const report = (name: string, passed: number, failed: number, broken = 0): string => {
  const path = join(directory, name);
  const tests = Array.from({ length: failed }, (_, index) => ({
    status: "failed",
    fullName: `${name} does ${index}`,
    failureMessages: [`\u001b[31mexpected ${index}\u001b[39m`],
  }));
  const files = Array.from({ length: broken }, () => ({
    name: resolve(`${name}.test.ts`),
    status: "failed",
    message: "does not load",
    assertionResults: [],
  }));
  const testResults = [
    {
      name: resolve("test/some.test.ts"),
      status: failed === 0 ? "passed" : "failed",
      assertionResults: [{ status: "passed" }, ...tests],
    },
    ...files,
  ];
  writeFileSync(path, JSON.stringify({ numPassedTests: passed, numFailedTests: failed, testResults }));
  return path;
};

const totals = (status: string, ...reports: string[]): { lines: string[]; exit: number | null } => {
  const result = spawnSync(process.execPath, ["tools/totals.mjs", status, ...reports], { encoding: "utf8" });
  return { lines: result.stdout.trimEnd().split("\n"), exit: result.status };
};

test.each([
  ["reports are summed", "0", [report("a", 2, 0), report("b", 3, 0)], "5 passed, 0 failed", 0],
  ["a failed test fails the run", "1", [report("c", 2, 1), report("d", 3, 2)], "5 passed, 3 failed", 1],
  ["a file that did not load fails the run", "0", [report("e", 2, 0, 1)], "2 passed, 1 failed", 1],
  ["a run without a report fails", "1", [report("f", 2, 0), "none"], "2 passed, 1 failed", 1],
  ["a failed check fails the run", "1", [report("g", 2, 0)], "2 passed, 1 failed", 1],
])("%s", (_title, status, reports, line, exit) => {
  const result = totals(status, ...reports);
  expect(result.lines.at(-1)).toBe(line);
  expect(result.exit).toBe(exit);
});

test("the last lines name what failed", () => {
  expect(totals("1", report("h", 2, 1, 1), "none").lines).toEqual([
    "== failed: test/some.test.ts > h does 0",
    "expected 0",
    "== failed: h.test.ts",
    "does not load",
    "== failed: no report none",
    "2 passed, 3 failed",
  ]);
  expect(totals("1", report("i", 2, 0)).lines).toEqual([
    "== failed: a check or an error outside the tests, printed above",
    "2 passed, 1 failed",
  ]);
});
