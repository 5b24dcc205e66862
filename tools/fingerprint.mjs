import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** Where a build records what it was built from. */
export const stamp = ".built-from";

/** Names, sizes and times of everything the build reads. */
export function fingerprint() {
  const hash = createHash("sha256");
  for (const path of ["package.json", "package-lock.json", ...filesOf("src"), ...filesOf("tools")]) {
    const { size, mtimeMs } = statSync(path);
    hash.update(`${path} ${size} ${mtimeMs}\n`);
  }
  return hash.digest("hex");
}

/** Whether `dist` was built from the current tree. */
export function isFresh() {
  const path = join("dist", stamp);
  return existsSync(path) && readFileSync(path, "utf8") === fingerprint();
}

/** @param {string} directory */
function filesOf(directory) {
  return readdirSync(directory, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(ts|mjs|json)$/.test(name) && !/\.(test|bench)\.ts$/.test(name))
    .sort()
    .map((name) => join(directory, name));
}
