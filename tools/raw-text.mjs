import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { packedFiles } from "./packed-files.mjs";

const query = "?raw";

/** @param {string} id */
const withoutQuery = (id) => id.slice(0, -query.length);

/**
 * JSON without white space between its tokens. The order of keys and the notation of numbers are preserved.
 * @param {string} text
 */
export function minifyJson(text) {
  return text.replace(/("(?:[^"\\]|\\.)*")|\s+/g, "$1");
}

/** @param {string} path */
async function textOf(path) {
  const packed = packedFiles.get(path)?.(dirname(path));
  if (packed !== undefined) return packed;
  const text = await readFile(path, "utf8");
  return path.endsWith(".json") ? minifyJson(text) : text;
}

/**
 * A plugin for rolldown and Vite: `import text from "./x.json?raw"` is the text of the file, so nothing is parsed on
 * import. The files in packed-files.mjs do not have to exist: their text is created when a source imports it.
 * @returns {import("rolldown").Plugin & { enforce: "pre" }}
 */
export function rawText() {
  return {
    name: "raw-text",
    // Otherwise Vite would look for the file first.
    enforce: "pre",
    resolveId: {
      filter: { id: /\?raw$/ },
      handler(source, importer = "") {
        const path = resolve(dirname(importer), withoutQuery(source));
        return packedFiles.has(path) ? path + query : undefined;
      },
    },
    load: {
      filter: { id: /\?raw$/ },
      async handler(id) {
        const text = await textOf(withoutQuery(id));
        return { code: `export default ${JSON.stringify(text)};`, moduleType: "js" };
      },
    },
  };
}
