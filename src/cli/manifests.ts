import { readdirSync, readFileSync, statSync } from "node:fs";
import { extname, join } from "node:path";
import type { Manifest } from "../cluster/seeding/manifest.ts";
import { parseManifests } from "../cluster/seeding/manifest-text.ts";

const extensions = new Set([".yaml", ".yml", ".json"]);

/** Reads files, the files of directories (not of subdirectories), and standard input for `-`. */
export function readManifests(paths: readonly string[]): Manifest[] {
  return paths.flatMap(filesAt).flatMap((path) => {
    const name = path === "-" ? "standard input" : path;
    return parseManifests(readFileSync(path === "-" ? 0 : path, "utf8"), name);
  });
}

function filesAt(path: string): string[] {
  if (path === "-" || !statSync(path).isDirectory()) return [path];
  const files = readdirSync(path, { withFileTypes: true }).filter((entry) => !entry.isDirectory());
  const names = files.map(({ name }) => name).filter((name) => extensions.has(extname(name)));
  return names.sort().map((name) => join(path, name));
}
