import { spawnSync } from "node:child_process";

/** Builds `dist` if a source has changed, before tests that run from it. */
export function setup(): void {
  const options = ["tools/run.mjs", "tools/build.ts", "--if-stale"];
  const { status } = spawnSync(process.execPath, options, { stdio: "inherit" });
  if (status !== 0) throw new Error("the build failed");
}
