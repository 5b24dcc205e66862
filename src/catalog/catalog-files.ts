import { builtinCatalog } from "./builtin.ts";
import type { CatalogFile } from "./catalog-file.ts";
import { readFile } from "./implied-entries.ts";

/** The files of the catalog, which all releases share. A file is parsed when it is first needed. */
class CatalogFiles {
  readonly #parsed = new Map<string, CatalogFile>();
  #texts: ReadonlyMap<string, string> | undefined;

  /** The keys of all files: group and version as type references name them, such as `core/v1` and `meta/v1`. */
  keys(): readonly string[] {
    return [...this.#textsByKey().keys()];
  }

  /** The file of a key; undefined when the catalog has none. */
  file(key: string): CatalogFile | undefined {
    const known = this.#parsed.get(key);
    if (known !== undefined) return known;
    const text = this.#textsByKey().get(key);
    if (text === undefined) return undefined;
    const file = readFile(text);
    this.#parsed.set(key, file);
    return file;
  }

  /** The texts of all files. */
  texts(): readonly string[] {
    return [...this.#textsByKey().values()];
  }

  #textsByKey(): ReadonlyMap<string, string> {
    this.#texts ??= new Map(
      builtinCatalog.split("\n").map((line) => {
        const space = line.indexOf(" ");
        return [line.slice(0, space), line.slice(space + 1)];
      }),
    );
    return this.#texts;
  }
}

/** The files of the catalog. */
export const catalogFiles: CatalogFiles = new CatalogFiles();
