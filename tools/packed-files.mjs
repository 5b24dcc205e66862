import { resolve } from "node:path";
import { packBootstrapObjects } from "./packers/bootstrap-objects.mjs";
import { packCatalog } from "./packers/catalog.mjs";
import { packCatalogIndex } from "./packers/catalog-index.mjs";
import { packResourceFacts, packTableColumns } from "./packers/resource-facts.mjs";

/** @typedef {(directory: string) => string} Packer Creates the text of a file from the JSON files in its directory. */

/** @type {readonly [path: string, pack: Packer][]} */
const packers = [
  ["src/catalog/generated/catalog.txt", packCatalog],
  ["src/catalog/generated/index.json", packCatalogIndex],
  ["src/catalog/generated/resource-facts.json", packResourceFacts],
  ["src/catalog/generated/table-columns.json", packTableColumns],
  ["src/cluster/generated/bootstrap-objects.json", packBootstrapObjects],
];

/**
 * The files that sources import with `?raw` and that do not exist on disk: absolute path to packer.
 * @type {ReadonlyMap<string, Packer>}
 */
export const packedFiles = new Map(packers.map(([path, pack]) => [resolve(path), pack]));
