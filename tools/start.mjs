// `npm start`: builds if a source has changed, then becomes the server: one process, so that it receives signals.
import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { isFresh } from "./fingerprint.mjs";

if (!isFresh()) {
  const build = [resolve("tools/run.mjs"), "tools/build.ts", "--if-stale"];
  // The build writes to stderr: the first line on stdout belongs to the server.
  const { status } = spawnSync(process.execPath, build, { stdio: ["ignore", 2, 2] });
  if (status !== 0) process.exit(status ?? 1);
}
const command = resolve("dist/cli.js");
process.argv.splice(1, 1, command, "serve");
await import(pathToFileURL(command).href);
