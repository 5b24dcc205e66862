import { readFileSync } from "node:fs";

/**
 * @typedef {{ name: string, type: string, format: string, priority: number }} Column
 * @typedef {{ groupVersion: string, resource: string, columns?: Column[], storageKey?: string, fieldSelectors?: string[],
 *   resetFields?: Record<string, string[]>, createOnUpdate?: boolean, unconditionalUpdate?: boolean,
 *   deleteReturnsObject?: boolean }} Kind
 */

const defaultSelectors = ["metadata.name", "metadata.namespace"].join();

/** @param {Kind} kind */
function entry({ groupVersion, resource, columns, storageKey, fieldSelectors, resetFields, ...flags }) {
  return {
    groupVersion,
    resource,
    columns: columns?.map(({ name, type, format, priority }) => [name, type, format, priority]),
    storageKey,
    fieldSelectors: fieldSelectors?.join() === defaultSelectors ? undefined : fieldSelectors,
    resetFields,
    createOnUpdate: flags.createOnUpdate || undefined,
    unconditionalUpdate: flags.unconditionalUpdate === false ? false : undefined,
    deleteReturnsObject: flags.deleteReturnsObject || undefined,
  };
}

/**
 * The data that a server needs from kinds-1.32.json, the resources of a recorded 1.32 server. An entry has its columns as
 * [name, type, format, priority] and omits the default values, which src/catalog/resource-facts.ts fills in.
 * @param {string} directory
 */
export function packResourceFacts(directory) {
  /** @type {Kind[]} */
  const kinds = JSON.parse(readFileSync(`${directory}/kinds-1.32.json`, "utf8"));
  return JSON.stringify(kinds.map(entry));
}
