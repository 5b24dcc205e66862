// Writes src/catalog/generated/index.json: what is needed to decide which groups, versions and resources a
// release serves, without reading the catalog itself. `catalogIndex(directory)` gives the text.
//
// One entry per group and version: `since` (a minor release), `served`, and for each resource
// [since, removed or null, enabled by default].
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { packedFiles } from "./pack-catalog.mjs";

/**
 * @typedef {{ since?: string, removed?: string, enabledByDefault?: boolean }} Window
 * @typedef {Window & { group: string, version: string, since: string, served?: boolean, resources?: Record<string, Window> }} CatalogFile
 */

/** @param {string} release */
const minor = (release) => Number(release.slice("1.".length));

/** @param {CatalogFile} file */
function entry(file) {
  /** @type {Record<string, [since: number, removed: number | null, enabled: boolean | undefined]>} */
  const resources = {};
  for (const [name, resource] of Object.entries(file.resources ?? {})) {
    const removed = resource.removed ?? file.removed;
    resources[name] = [
      minor(resource.since ?? file.since),
      removed === undefined ? null : minor(removed),
      resource.enabledByDefault ?? file.enabledByDefault,
    ];
  }
  return {
    group: file.group,
    version: file.version,
    since: minor(file.since),
    served: file.served !== false,
    resources,
  };
}

/**
 * The text of index.json for the catalog files of a directory.
 * @param {string} directory
 */
export function catalogIndex(directory) {
  const lines = packedFiles(directory).map((name) =>
    JSON.stringify(entry(JSON.parse(readFileSync(`${directory}/${name}`, "utf8")))),
  );
  return `[\n${lines.join(",\n")}\n]\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const directory = fileURLToPath(new URL("../src/catalog/generated", import.meta.url));
  writeFileSync(`${directory}/index.json`, catalogIndex(directory));
}
