import { readdirSync, readFileSync } from "node:fs";

/**
 * @typedef {{ type: string, proto?: number, required?: boolean, ptr?: boolean, emit?: boolean, inline?: boolean,
 *   list?: string }} Field
 * @typedef {{ typeMeta?: boolean, fields?: Record<string, Field> }} Type
 * @typedef {{ kind: string, verbs: readonly string[] }} Subresource
 * @typedef {{ kind: string, singular: string, verbs: readonly string[],
 *   subresources?: Record<string, Subresource> }} Resource
 * @typedef {{ types: Record<string, Type>, resources?: Record<string, Resource> }} CatalogFile
 */

/** Kinds that no request contains: configuration files, the audit log, responses of credential plugins. */
const notOfTheApi = /^(apiserver\.config|audit|client\.authentication)\.k8s\.io_/;

/**
 * The names of the files in a directory that belong to the bundled catalog.
 * @param {string} directory
 */
export function catalogFiles(directory) {
  return readdirSync(directory)
    .filter((name) => /_v\w+\.json$/.test(name) && !notOfTheApi.test(name))
    .sort();
}

/**
 * The fields of a type as one string.
 * @param {Record<string, Field>} fields
 */
export function packFields(fields) {
  let previous = 0;
  const packed = Object.entries(fields).map(([name, { type, proto, ...rest }]) => {
    const number = proto === previous + 1 ? "" : `#${proto ?? ""}`;
    previous = proto ?? previous;
    return `${name}:${type}${number}${packFlags(rest)}`;
  });
  return packed.join(" ");
}

/** @param {Omit<Field, "type" | "proto">} field */
function packFlags({ required, ptr, emit, inline, list, ...rest }) {
  const flags = [
    required === true && "!",
    ptr === true && "*",
    emit === true && "+",
    inline === true && "^",
    list === "atomic" && "@",
  ];
  const others = {
    ...(required === false && { required }),
    ...(ptr === false && { ptr }),
    ...(emit === false && { emit }),
    ...(inline === false && { inline }),
    ...(list !== "atomic" && { list }),
    ...rest,
  };
  // A space ends a field. Single quotes replace double quotes, which the bundle would have to escape.
  const json = JSON.stringify(others)
    .replaceAll(" ", "\\u0020")
    .replaceAll("'", "\\u0027")
    .replaceAll('"', "'");
  return flags.filter(Boolean).join("") + (json === "{}" ? "" : json);
}

/** The verbs of most resources. What follows from the rest is left out, and src/catalog/implied-entries.ts adds it. */
const usualVerbs = ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"];
/** Those of most subresources. */
const usualVerbsOfParts = ["get", "patch", "update"];

/** @param {CatalogFile} file */
function packFile({ types, resources, ...file }) {
  return {
    ...file,
    ...(resources && { resources: mapped(resources, (_name, resource) => packResource(resource)) }),
    types: mapped(types, packType),
  };
}

/**
 * @param {string} name
 * @param {Type} type
 */
function packType(name, { fields = {}, typeMeta, ...type }) {
  const packed = packFields(fields);
  const isUsualList =
    typeMeta === true && packed === `metadata:meta/v1.ListMeta+ items:[]${name.replace(/List$/, "")}!`;
  return isUsualList ? type : { ...type, ...(typeMeta !== undefined && { typeMeta }), fields: packed };
}

/** @param {Resource} resource */
function packResource({ singular, verbs, subresources, ...resource }) {
  return {
    ...resource,
    ...(singular !== resource.kind.toLowerCase() && { singular }),
    ...(!isSame(verbs, usualVerbs) && { verbs }),
    ...(subresources && {
      subresources: mapped(subresources, (_name, { kind, verbs: own, ...rest }) => ({
        ...rest,
        ...(kind !== resource.kind && { kind }),
        ...(!isSame(own, usualVerbsOfParts) && { verbs: own }),
      })),
    }),
  };
}

/**
 * @param {readonly string[]} a
 * @param {readonly string[]} b
 */
function isSame(a, b) {
  return a.join() === b.join();
}

/**
 * @template T, R
 * @param {Record<string, T>} values
 * @param {(name: string, value: T) => R} change
 */
function mapped(values, change) {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(name, value)]));
}

/** Groups that share types. Beside each other, compression finds what is the same: 4 % of the catalog. */
const neighbors = ["core", "extensions", "apps", "policy", "networking.k8s.io"];

/** @param {string} name */
function orderOf(name) {
  const at = neighbors.indexOf(name.replace(/_v\w+\.json$/, ""));
  return at < 0 ? neighbors.length : at;
}

/**
 * The catalog's files in the form of the bundle. A line is the key of a file and the file as JSON, in which the fields of
 * a type, the largest part of the catalog, are one string: src/catalog/packed-fields.ts describes it.
 * @param {string} directory
 */
export function packCatalog(directory) {
  const names = catalogFiles(directory).sort((a, b) => orderOf(a) - orderOf(b));
  const lines = names.map((name) => {
    const file = JSON.parse(readFileSync(`${directory}/${name}`, "utf8"));
    return `${name.replace(/_(v\w+)\.json$/, "/$1")} ${JSON.stringify(packFile(file))}`;
  });
  return lines.join("\n");
}
