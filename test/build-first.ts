import { spawnSync } from "node:child_process";

/** Before tests that run from `dist`: builds it, if a source has changed. */
export function setup(): void {
  const options = ["tools/run.mjs", "tools/build.ts", "--if-stale"];
  const { status } = spawnSync(process.execPath, options, { stdio: "inherit" });
  if (status !== 0) throw new Error("the build failed");
}
