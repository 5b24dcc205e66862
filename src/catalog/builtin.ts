// None of these is a file: `tools/packed-files.mjs` lists what makes their texts during a build or a test run.
import catalog from "./generated/catalog.txt?raw";
import index from "./generated/index.json?raw";
import resourceFacts from "./generated/resource-facts.json?raw";

/** What each release serves, without the types, as `tools/packers/catalog-index.mjs` makes it. */
export const builtinIndex: string = index;

/** Facts of the resources of 1.32 that the catalog's files do not hold, as `tools/packers/resource-facts.mjs` makes them. */
export const builtinResourceFacts: string = resourceFacts;

/** The catalog's files, as `tools/packers/catalog.mjs` packs them. */
export const builtinCatalog: string = catalog;

let files: ReadonlyMap<string, string> | undefined;

/** The texts of the files by group and version as their type references spell them: `core/v1`, `meta/v1`. */
function texts(): ReadonlyMap<string, string> {
  files ??= new Map(
    builtinCatalog.split("\n").map((line) => {
      const space = line.indexOf(" ");
      return [line.slice(0, space), line.slice(space + 1)];
    }),
  );
  return files;
}

/** The file of one group and version; undefined when the catalog has none. */
export function builtinFile(key: string): string | undefined {
  return texts().get(key);
}

/** The keys of all files. */
export function builtinFileKeys(): readonly string[] {
  return [...texts().keys()];
}
