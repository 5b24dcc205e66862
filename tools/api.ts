import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type Declarations, emitDeclarations } from "./build-types.ts";
import { builtInKinds } from "./built-in-kinds.ts";
import { builtInKindsFile } from "./built-in-kinds-file.ts";
import { entries, packageExports } from "./entries.ts";
import { rollUp } from "./roll-up.ts";

/** The expected content of `api/`: file name to text. */
export function publicApi(declarations: Declarations): ReadonlyMap<string, string> {
  return new Map(
    entries.map(({ name, source }) => [
      `${name}.d.ts`,
      rollUp(declarations, source.replace(/^src\//, "").replace(/\.ts$/, ""), "index"),
    ]),
  );
}

/** The files of `api/` that differ from what the source exports. */
export function drift(declarations: Declarations): string[] {
  const wanted = publicApi(declarations);
  const present = existsSync("api") ? readdirSync("api") : [];
  const changed = [...wanted].filter(([name, text]) => read(`api/${name}`) !== text).map(([name]) => name);
  return [...changed, ...present.filter((name) => !wanted.has(name))].map((name) => `api/${name}`);
}

/** Whether `exports` in package.json differs from `entries`. */
export function exportsDrift(): boolean {
  const manifest = JSON.parse(readFileSync("package.json", "utf8"));
  return JSON.stringify(manifest.exports) !== JSON.stringify(packageExports());
}

function read(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}

/** Whether the types of the built-in kinds differ from the catalog. */
export function kindsDrift(): boolean {
  return read(builtInKindsFile) !== builtInKinds();
}

/** `npm run api`: accepts the current API and entries, and generates the types of the built-in kinds. */
export function main(): void {
  writeFileSync(builtInKindsFile, builtInKinds());
  const wanted = publicApi(emitDeclarations());
  rmSync("api", { recursive: true, force: true });
  mkdirSync("api", { recursive: true });
  for (const [name, text] of wanted) writeFileSync(`api/${name}`, text);
  const manifest = JSON.parse(readFileSync("package.json", "utf8"));
  if (!exportsDrift()) return;
  manifest.exports = packageExports();
  writeFileSync("package.json", `${JSON.stringify(manifest, null, 2)}\n`);
}
