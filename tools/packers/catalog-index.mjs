import { readFileSync } from "node:fs";
import { catalogFiles } from "./catalog.mjs";

/**
 * @typedef {{ since?: string, removed?: string, enabledByDefault?: boolean }} Window
 * @typedef {Window & { group: string, version: string, since: string, served?: boolean, resources?: Record<string, Window>, types?: Record<string, { until?: string }> }} CatalogFile
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
  const until = lastUntil(Object.values(file.types ?? {}));
  return {
    group: file.group,
    version: file.version,
    since: file.since,
    served: file.served !== false,
    ...(until === undefined ? {} : { until }),
    resources,
  };
}

/**
 * The first release that has none of the types.
 * @param {readonly { until?: string }[]} types
 */
function lastUntil(types) {
  let last = 0;
  for (const { until } of types) {
    if (until === undefined) return undefined;
    last = Math.max(last, Number(until.slice("1.".length)));
  }
  return last === 0 ? undefined : `1.${last}`;
}

/**
 * The data that decides which groups, versions and resources a release serves, without reading the catalog itself.
 * One entry per group and version: `since`, `served`, `until` if a release has removed the types, and for each resource
 * [since, removed or null, enabled by default].
 * @param {string} directory
 */
export function packCatalogIndex(directory) {
  const files = catalogFiles(directory).map((name) => readFileSync(`${directory}/${name}`, "utf8"));
  return JSON.stringify(files.map((text) => entry(JSON.parse(text))));
}
