import { readFileSync } from "node:fs";

/**
 * @typedef {{ name: string, type: string, format: string, priority: number }} Column
 * @typedef {{ groupVersion: string, resource: string, columns?: Column[], storageKey?: string, fieldSelectors?: string[],
 *   resetFields?: Record<string, string[]>, createOnUpdate?: boolean, unconditionalUpdate?: boolean,
 *   deleteReturnsObject?: boolean }} Kind
 */

const defaultSelectors = ["metadata.name", "metadata.namespace"].join();

/** @param {Kind} kind */
function entry({ groupVersion, resource, storageKey, fieldSelectors, resetFields, ...flags }) {
  const storagePrefix = storageKey?.replace(/(\/\{ns\})?\/\{name\}$/, "");
  return {
    groupVersion,
    resource,
    storagePrefix: storagePrefix === `/registry/${resource}` ? undefined : storagePrefix,
    fieldSelectors: fieldSelectors?.join() === defaultSelectors ? undefined : fieldSelectors,
    resetFields,
    createOnUpdate: flags.createOnUpdate || undefined,
    unconditionalUpdate: flags.unconditionalUpdate === false ? false : undefined,
    deleteReturnsObject: flags.deleteReturnsObject || undefined,
  };
}

/**
 * The data that a server needs from kinds-1.32.json, the resources of a recorded 1.32 server. An entry omits the default values, which
 * src/catalog/resource-facts.ts fills in.
 * @param {string} directory
 */
export function packResourceFacts(directory) {
  /** @type {Kind[]} */
  const kinds = JSON.parse(readFileSync(`${directory}/kinds-1.32.json`, "utf8"));
  return JSON.stringify(kinds.map(entry));
}

/**
 * The columns of these resources: [groupVersion, resource, columns], and each column as [name, type, format, priority].
 * @param {string} directory
 */
export function packTableColumns(directory) {
  /** @type {Kind[]} */
  const kinds = JSON.parse(readFileSync(`${directory}/kinds-1.32.json`, "utf8"));
  return JSON.stringify(
    kinds.flatMap(({ groupVersion, resource, columns }) => {
      if (columns === undefined) return [];
      return [[groupVersion, resource, columns.map((one) => [one.name, one.type, one.format, one.priority])]];
    }),
  );
}
