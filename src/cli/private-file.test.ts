import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { createPrivateDirectory, removeLeftDirectories, writePrivateFile } from "./private-file.ts";

const directory = createPrivateDirectory();
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);

test("only the owner can read a private file, even if it replaces a public one", () => {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const path = join(directory, "config");
  writeFileSync(path, "old", { mode: 0o644 });
  writePrivateFile(path, "new");
  expect(readFileSync(path, "utf8")).toBe("new");
  expect([mode(directory), mode(path)]).toEqual(["700", "600"]);
});

/** The id of a process that has ended. */
const endedProcess = (): number => spawnSync(process.execPath, ["--version"]).pid;

test("directories and files of processes that were killed are removed, those of others are not", () => {
  mkdirSync(directory, { recursive: true });
  const mark = basename(directory).replace(/^kubedouble-|-[^-]*$/g, "");
  const killed = mark.replace(String(process.pid), String(endedProcess()));
  const left = join(tmpdir(), `kubedouble-${killed}-x`);
  const kept = [
    directory,
    join(tmpdir(), `kubedouble-${process.pid}-0-other-namespace`),
    join(tmpdir(), `kubedouble-${randomUUID()}`),
  ];
  for (const path of [left, ...kept]) mkdirSync(path, { recursive: true });
  writeFileSync(join(left, "config"), "secret");
  writeFileSync(join(directory, `.config.${killed}-x.tmp`), "secret");
  writeFileSync(join(directory, `.config.${mark}-x.tmp`), "of a process that runs");
  removeLeftDirectories();
  writePrivateFile(join(directory, "config"), "new");
  expect([left, ...kept].map((path) => existsSync(path))).toEqual([false, true, true, true]);
  expect(readdirSync(directory).sort()).toEqual([`.config.${mark}-x.tmp`, "config"]);
  for (const path of kept) rmSync(path, { recursive: true, force: true });
});

test("a failed write leaves no files behind", () => {
  mkdirSync(join(directory, "config"), { recursive: true });
  expect(() => writePrivateFile(join(directory, "config"), "text")).toThrow("EISDIR");
  expect(readdirSync(directory)).toEqual(["config"]);
});
