import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { declarationPath, entries } from "./entries.ts";

const relativeImport = /\b(from\s*|import\s*\(\s*|import\s+)"(\.{1,2}\/[^"]*)\.ts"/g;

/**
 * The index signature of a JSON object. It needs no `undefined`, because `exactOptionalPropertyTypes` excludes it;
 * users who compile without that option could not read a declared optional member otherwise.
 */
const anyMember = /(\[\w+: string\]: JsonValue);/g;

/** Programs whose `lib` and `types` lack disposal still compile, because the declarations that use it ask for it. */
const disposal = /\[Symbol\.(?:asyncDispose|dispose)\]/;
const disposalReference = '/// <reference lib="esnext.disposable" />\n';

/** The declarations that the entries reach: path below `src`, without extension, to text. */
export type Declarations = ReadonlyMap<string, string>;

/** Runs the compiler to declare every source, and keeps the files that an entry reaches. */
export function emitDeclarations(): Declarations {
  mkdirSync("node_modules/.cache", { recursive: true });
  const directory = mkdtempSync("node_modules/.cache/kubedouble-types-");
  try {
    tsc("-p", "tsconfig.build.json", "--noCheck", "--outDir", directory);
    const found = new Map<string, string>();
    const open = entries.map(({ source }) => source.replace(/^src\//, "").replace(/\.ts$/, ""));
    for (let module = open.pop(); module !== undefined; module = open.pop()) {
      if (found.has(module)) continue;
      const declared = readFileSync(join(directory, `${module}.d.ts`), "utf8");
      const reference = disposal.test(declared) ? disposalReference : "";
      const text = reference + declared.replace(anyMember, "$1 | undefined;");
      found.set(module, text);
      for (const [, , target] of text.matchAll(relativeImport)) {
        open.push(normalize(join(dirname(module), target ?? "")));
      }
    }
    return found;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Writes the declarations twice: `.d.ts` for `import`, `.d.cts` for `require`. */
export function writeDeclarations(declarations: Declarations, directory: string): void {
  for (const [declaration, script] of [
    ["d.ts", "js"],
    ["d.cts", "cjs"],
  ] as const) {
    for (const [module, text] of declarations) {
      const file = join(directory, "types", `${module}.${declaration}`);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text.replace(relativeImport, `$1"$2.${script}"`));
    }
    for (const { name, source } of entries) {
      const target = source.replace(/^src\//, "./types/").replace(/\.ts$/, `.${script}`);
      const file = join(directory, "..", declarationPath(name, declaration === "d.ts" ? "esm" : "cjs"));
      writeFileSync(join(directory, file.split("/").at(-1) ?? ""), `export * from "${target}";\n`);
    }
  }
}

function tsc(...options: string[]): void {
  execFileSync(process.execPath, ["node_modules/typescript/bin/tsc", ...options], { stdio: "inherit" });
}
