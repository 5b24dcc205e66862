import { readdirSync, readFileSync } from "node:fs";

/**
 * @typedef {{ type: string, proto?: number, required?: boolean, ptr?: boolean, emit?: boolean, inline?: boolean,
 *   list?: string }} Field
 * @typedef {{ fields?: Record<string, Field> }} Type
 * @typedef {{ types: Record<string, Type> }} CatalogFile
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

/** @param {CatalogFile} file */
function packFile(file) {
  const types = Object.entries(file.types).map(([name, { fields = {}, ...type }]) => [
    name,
    { ...type, fields: packFields(fields) },
  ]);
  return { ...file, types: Object.fromEntries(types) };
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
