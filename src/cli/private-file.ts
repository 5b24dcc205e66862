import { randomUUID } from "node:crypto";
import { mkdtempSync, readdirSync, readlinkSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";

const directoryPrefix = "kubedouble-";

/** A directory that only this user can enter. */
export function createPrivateDirectory(): string {
  return mkdtempSync(join(tmpdir(), `${directoryPrefix}${ownMark()}-`));
}

/**
 * Writes a file that only its owner can read. A concurrent reader sees the old file or the complete new one. What a process left
 * that was killed while it wrote the same file goes away.
 */
export function writePrivateFile(path: string, text: string): void {
  const prefix = `.${basename(path)}.`;
  removeLeft(dirname(path), prefix);
  const temporary = join(dirname(path), `${prefix}${ownMark()}-${randomUUID()}.tmp`);
  try {
    writeFileSync(temporary, text, { mode: 0o600, flag: "wx" });
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Removes the private directories of processes that were killed before they could remove them. */
export function removeLeftDirectories(): void {
  removeLeft(tmpdir(), directoryPrefix);
}

/** Removes what ended processes left in a directory under names with this prefix and their mark. */
function removeLeft(directory: string, prefix: string): void {
  let names: readonly string[];
  try {
    names = readdirSync(directory);
  } catch {
    return;
  }
  for (const name of names) {
    if (!name.startsWith(prefix) || !isLeft(name.slice(prefix.length))) continue;
    try {
      rmSync(join(directory, name), { recursive: true, force: true });
    } catch {
      // It belongs to another user.
    }
  }
}

/** Whether a name begins with the mark of a process that has ended. */
function isLeft(name: string): boolean {
  const [, pid, namespace] = /^(\d+)-(\d+)-/.exec(name) ?? [];
  return pid !== undefined && namespace === processNamespace() && !isRunning(Number(pid));
}

/** In a name, it says which process made the file. */
function ownMark(): string {
  return `${process.pid}-${processNamespace()}`;
}

/** Identifies the namespace of process ids: containers that share a directory do not see each other's processes. */
function processNamespace(): string {
  try {
    return /\d+/.exec(readlinkSync("/proc/self/ns/pid"))?.[0] ?? "0";
  } catch {
    return "0";
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Otherwise it is the process of another user.
    return !(error instanceof Error && "code" in error && error.code === "ESRCH");
  }
}
