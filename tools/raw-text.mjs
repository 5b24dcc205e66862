import { readFile } from "node:fs/promises";

/**
 * JSON without the white space between its tokens. Key order and the spelling of numbers stay.
 * @param {string} text
 */
export function minifyJson(text) {
  return text.replace(/("(?:[^"\\]|\\.)*")|\s+/g, "$1");
}

/**
 * A rolldown plugin: `import text from "./x.json?raw"` is the text of the file, so nothing is parsed on import.
 * @returns {import("rolldown").Plugin}
 */
export function rawText() {
  return {
    name: "raw-text",
    load: {
      filter: { id: /\?raw$/ },
      async handler(id) {
        const path = id.slice(0, -"?raw".length);
        const text = await readFile(path, "utf8");
        const short = path.endsWith(".json") ? minifyJson(text) : text;
        return { code: `export default ${JSON.stringify(short)};`, moduleType: "js" };
      },
    },
  };
}
