import { spawnSync } from "node:child_process";
import { checkStatically } from "./check.ts";

const report = ["--reporter=default", "--reporter=json", "--outputFile.json=.vitest/report.json"];

/** `npm test [-- ARGUMENT...]`: runs the checks, then the tests regardless of the checks; both must pass. */
export async function main(args: readonly string[]): Promise<number> {
  const checked = await checkStatically();
  const vitest = ["node_modules/vitest/vitest.mjs", "run", ...report, ...args];
  const { status } = spawnSync(process.execPath, vitest, { stdio: "inherit" });
  return status === 0 ? checked : (status ?? 1);
}
