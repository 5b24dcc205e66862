import { randomUUID } from "node:crypto";
import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** A directory that only this user can enter. */
export function createPrivateDirectory(): string {
  return mkdtempSync(join(tmpdir(), "kubedouble-"));
}

/** Writes a file that only its owner can read. A concurrent reader sees the old file or the complete new one. */
export function writePrivateFile(path: string, text: string): void {
  const temporary = join(dirname(path), `.${randomUUID()}.tmp`);
  try {
    writeFileSync(temporary, text, { mode: 0o600, flag: "wx" });
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
