// `node tools/totals.mjs STATUS REPORT...` sums Vitest's JSON reports and prints "N passed, N failed".
// A failure outside a test (a check, a file that could not be loaded, a run without a report) counts as one failure
// each, so the summary never looks better than the run. Exits with 1 if anything failed.
import { existsSync, readFileSync } from "node:fs";

const [status, ...reports] = process.argv.slice(2);
let passed = 0;
let failed = 0;
for (const path of reports) {
  if (!existsSync(path)) {
    console.log(`== no report ${path}`);
    failed++;
    continue;
  }
  const report = JSON.parse(readFileSync(path, "utf8"));
  passed += report.numPassedTests;
  failed += report.numFailedTests;
  failed += report.testResults.filter(
    (file) => file.status === "failed" && file.assertionResults.every((result) => result.status !== "failed"),
  ).length;
}
if (failed === 0 && status !== "0") failed = 1;
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
