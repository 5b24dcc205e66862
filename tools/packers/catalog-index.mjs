import { readFileSync } from "node:fs";
import { catalogFiles } from "./catalog.mjs";

/**
 * @typedef {{ since?: string, removed?: string, enabledByDefault?: boolean }} Window
 * @typedef {Window & { group: string, version: string, since: string, served?: boolean, resources?: Record<string, Window> }} CatalogFile
 */

/** @param {CatalogFile} file */
function entry(file) {
  /** @type {Record<string, [since: string, removed: string | null, enabled: boolean | undefined]>} */
  const resources = {};
  for (const [name, resource] of Object.entries(file.resources ?? {})) {
    const removed = resource.removed ?? file.removed;
    resources[name] = [
      resource.since ?? file.since,
      removed ?? null,
      resource.enabledByDefault ?? file.enabledByDefault,
    ];
  }
  return {
    group: file.group,
    version: file.version,
    since: file.since,
    served: file.served !== false,
    resources,
  };
}

/**
 * The data that decides which groups, versions and resources a release serves, without reading the catalog itself.
 * One entry per group and version: `since`, `served`, and for each resource
 * [since, removed or null, enabled by default].
 * @param {string} directory
 */
export function packCatalogIndex(directory) {
  const files = catalogFiles(directory).map((name) => readFileSync(`${directory}/${name}`, "utf8"));
  return JSON.stringify(files.map((text) => entry(JSON.parse(text))));
}
