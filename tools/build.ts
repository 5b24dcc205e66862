import { randomUUID } from "node:crypto";
import { chmodSync, existsSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildCode } from "./build-code.ts";
import { emitDeclarations, writeDeclarations } from "./build-types.ts";
import { fingerprint, isFresh, stamp } from "./fingerprint.mjs";

/** Builds next to `dist` and swaps the folders, so that a process that runs from `dist` always sees a complete build. */
export async function build(): Promise<void> {
  const from = fingerprint();
  const directory = `dist.${randomUUID().slice(0, 8)}`;
  const old = `${directory}.old`;
  try {
    await buildCode(directory);
    writeDeclarations(emitDeclarations(), directory);
    chmodSync(join(directory, "cli.js"), 0o755);
    writeFileSync(join(directory, stamp), from);
    if (existsSync("dist")) renameSync("dist", old);
    renameSync(directory, "dist");
  } finally {
    rmSync(directory, { recursive: true, force: true });
    rmSync(old, { recursive: true, force: true });
  }
}

/** `npm run build`; with `--if-stale`, only if a source has changed. */
export async function main(options: readonly string[]): Promise<void> {
  if (options.includes("--if-stale") && isFresh()) return;
  await build();
}
