import { readdirSync, readFileSync, statSync } from "node:fs";
import { extname, join } from "node:path";
import type { Manifest } from "../cluster/seeding/manifest.ts";
import { parseManifests } from "../cluster/seeding/manifest-text.ts";

const extensions = new Set([".yaml", ".yml", ".json"]);

/** A text and what errors call it. */
export interface NamedText {
  readonly text: string;
  readonly name: string;
}

/** Reads files, the files of directories (not of subdirectories), and standard input for `-`. */
export function readManifests(paths: readonly string[]): Manifest[] {
  return readTexts(paths).flatMap(({ text, name }) => parseManifests(text, name));
}

/** The texts of files, of those in directories (not in subdirectories), and of standard input for `-`. */
export function readTexts(paths: readonly string[]): NamedText[] {
  return paths.flatMap(filesAt).map(readText);
}

/** The same with the files of subdirectories. */
export function readTextsBelow(paths: readonly string[]): NamedText[] {
  return paths.flatMap(filesBelow).map(readText);
}

function readText(path: string): NamedText {
  const isInput = path === "-";
  return { text: readFileSync(isInput ? 0 : path, "utf8"), name: isInput ? "standard input" : path };
}

function filesBelow(path: string): string[] {
  if (path === "-" || !statSync(path).isDirectory()) return [path];
  const names = readdirSync(path, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const below = names.map(({ name }) => join(path, name)).sort();
  return [...filesAt(path), ...below.flatMap(filesBelow)];
}

function filesAt(path: string): string[] {
  if (path === "-" || !statSync(path).isDirectory()) return [path];
  const files = readdirSync(path, { withFileTypes: true }).filter((entry) => !entry.isDirectory());
  const names = files.map(({ name }) => name).filter((name) => extensions.has(extname(name)));
  return names.sort().map((name) => join(path, name));
}
