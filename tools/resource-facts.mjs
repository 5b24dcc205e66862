// Writes src/catalog/generated/resource-facts.json: what a server needs of the records of 1.32 in kinds-1.32.json, and
// what is not as usual only. `resourceFactsOf(directory)` gives the text.
//
// An entry has the columns as [name, type, format, priority]; see src/catalog/resource-facts.ts for the rest.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/**
 * @typedef {{ name: string, type: string, format: string, priority: number }} Column
 * @typedef {{ groupVersion: string, resource: string, columns?: Column[], storageKey?: string, fieldSelectors?: string[],
 *   resetFields?: Record<string, string[]>, createOnUpdate?: boolean, unconditionalUpdate?: boolean,
 *   deleteReturnsObject?: boolean }} Kind
 */

const usualSelectors = ["metadata.name", "metadata.namespace"].join();

/** @param {Kind} kind */
function entry({ groupVersion, resource, columns, storageKey, fieldSelectors, resetFields, ...flags }) {
  return {
    groupVersion,
    resource,
    columns: columns?.map(({ name, type, format, priority }) => [name, type, format, priority]),
    storageKey,
    fieldSelectors: fieldSelectors?.join() === usualSelectors ? undefined : fieldSelectors,
    resetFields,
    createOnUpdate: flags.createOnUpdate || undefined,
    unconditionalUpdate: flags.unconditionalUpdate === false ? false : undefined,
    deleteReturnsObject: flags.deleteReturnsObject || undefined,
  };
}

/**
 * The text of resource-facts.json for the records in a directory.
 * @param {string} directory
 */
export function resourceFactsOf(directory) {
  /** @type {Kind[]} */
  const kinds = JSON.parse(readFileSync(`${directory}/kinds-1.32.json`, "utf8"));
  return `[\n${kinds.map((kind) => JSON.stringify(entry(kind))).join(",\n")}\n]\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const directory = fileURLToPath(new URL("../src/catalog/generated", import.meta.url));
  writeFileSync(`${directory}/resource-facts.json`, resourceFactsOf(directory));
}
