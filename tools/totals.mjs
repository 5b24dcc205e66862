// `node tools/totals.mjs STATUS REPORT...` sums Vitest's JSON reports, lists what failed and prints
// "N passed, N failed". A failure outside a test (a check, a file that could not be loaded, a run without a report)
// counts as one failure each, so the summary never looks better than the run. Exits with 1 if anything failed.
import { existsSync, readFileSync } from "node:fs";
import { relative } from "node:path";
import { stripVTControlCharacters } from "node:util";

const shownLines = 15;

const [status, ...reports] = process.argv.slice(2);
let passed = 0;
const failures = [];
for (const path of reports) {
  if (!existsSync(path)) {
    failures.push({ name: `no report ${path}`, message: "" });
    continue;
  }
  const report = JSON.parse(readFileSync(path, "utf8"));
  passed += report.numPassedTests;
  for (const file of report.testResults) failures.push(...failuresOf(file));
}
if (failures.length === 0 && status !== "0") {
  failures.push({ name: "a check or an error outside the tests, printed above", message: "" });
}
for (const { name, message } of failures) {
  console.log(`== failed: ${name}`);
  if (message !== "") console.log(firstLines(message));
}
console.log(`${passed} passed, ${failures.length} failed`);
process.exitCode = failures.length === 0 ? 0 : 1;

/** The failed tests of a file, or the file itself if it failed without one. */
function failuresOf(file) {
  const name = relative(process.cwd(), file.name);
  const failed = file.assertionResults.filter((result) => result.status === "failed");
  if (failed.length === 0 && file.status === "failed") return [{ name, message: file.message ?? "" }];
  return failed.map((result) => ({
    name: `${name} > ${result.fullName}`,
    message: (result.failureMessages ?? []).join("\n"),
  }));
}

function firstLines(message) {
  return stripVTControlCharacters(message).split("\n").slice(0, shownLines).join("\n");
}
