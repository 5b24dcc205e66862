// Writes src/catalog/generated/catalog.txt: the catalog's files as the bundle carries them. A line is the key of a file and
// the file in JSON, in which the fields of a type, most of all there is, are one string: src/catalog/packed-fields.ts says
// how it reads. `packedCatalog(directory)` gives the text.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/**
 * @typedef {{ type: string, proto?: number, required?: boolean, ptr?: boolean, emit?: boolean, inline?: boolean,
 *   list?: string }} Field
 * @typedef {{ fields?: Record<string, Field> }} Type
 * @typedef {{ types: Record<string, Type> }} CatalogFile
 */

/** What no request holds, as no scheme of the API has it: files of programs, the audit log, answers of credential plugins. */
const notOfTheApi = /^(apiserver\.config|audit|client\.authentication)\.k8s\.io_/;

/**
 * The names of the files that are packed.
 * @param {string} directory
 */
export function packedFiles(directory) {
  return readdirSync(directory)
    .filter((name) => /_v\w+\.json$/.test(name) && !notOfTheApi.test(name))
    .sort();
}

/**
 * The fields of a type as one string.
 * @param {Record<string, Field>} fields
 */
function packFields(fields) {
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
  // No text in the catalog has a single quote; packedCatalog would not be read back if one had.
  const json = JSON.stringify(others).replaceAll(" ", "\\u0020").replaceAll('"', "'");
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

/**
 * The text of catalog.txt for the catalog files of a directory.
 * @param {string} directory
 */
export function packedCatalog(directory) {
  const lines = packedFiles(directory).map((name) => {
    const file = JSON.parse(readFileSync(`${directory}/${name}`, "utf8"));
    return `${name.replace(/_(v\w+)\.json$/, "/$1")} ${JSON.stringify(packFile(file))}`;
  });
  return lines.join("\n");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const directory = fileURLToPath(new URL("../src/catalog/generated", import.meta.url));
  writeFileSync(`${directory}/catalog.txt`, packedCatalog(directory));
}
