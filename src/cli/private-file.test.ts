import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { createPrivateDirectory, writePrivateFile } from "./private-file.ts";

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

test("a failed write leaves no files behind", () => {
  mkdirSync(join(directory, "config"), { recursive: true });
  expect(() => writePrivateFile(join(directory, "config"), "text")).toThrow("EISDIR");
  expect(readdirSync(directory)).toEqual(["config"]);
});
