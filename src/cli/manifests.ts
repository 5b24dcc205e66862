import { readdirSync, readFileSync, statSync } from "node:fs";
import { extname, join } from "node:path";
import { isJsonObject, type JsonObject, type JsonValue } from "../apimachinery/json.ts";
import { parseJson } from "../codec/json/json.ts";
import { parseYaml } from "../codec/yaml/yaml.ts";
import { splitJsonDocuments } from "./json-documents.ts";

/** An object from a file. */
export interface Manifest {
  readonly object: JsonObject;
  /** The file and document, for error messages. */
  readonly source: string;
}

const extensions = new Set([".yaml", ".yml", ".json"]);

/** Reads files, the files of directories (not of subdirectories), and standard input for `-`. */
export function readManifests(paths: readonly string[]): Manifest[] {
  return paths.flatMap(filesAt).flatMap((path) => {
    const name = path === "-" ? "standard input" : path;
    return parseManifests(readFileSync(path === "-" ? 0 : path, "utf8"), name);
  });
}

function filesAt(path: string): string[] {
  if (path === "-" || !statSync(path).isDirectory()) return [path];
  const files = readdirSync(path, { withFileTypes: true }).filter((entry) => !entry.isDirectory());
  const names = files.map(({ name }) => name).filter((name) => extensions.has(extname(name)));
  return names.sort().map((name) => join(path, name));
}

/**
 * The objects of YAML documents, or of JSON values that follow each other; lists are expanded.
 * @throws {Error} that names the file and the number of the document
 */
export function parseManifests(text: string, file: string): Manifest[] {
  const isJson = /^\s*[[{]/.test(text);
  const documents = isJson ? splitJsonDocuments(text) : text.split(/^---(?:[ \t].*)?$/m);
  let number = 0;
  return documents.flatMap((document) => {
    if (isBlank(document)) return [];
    number++;
    const source = documents.length === 1 ? file : `${file}, document ${number}`;
    try {
      const value = isJson ? parseJson(document) : parseYaml(document);
      return objectsOf(value).map((object) => ({ object, source }));
    } catch (error) {
      throw new Error(`${source}: ${error instanceof Error ? error.message : String(error)}`);
    }
  });
}

/** Whether a document contains only comments, as one before the first `---` often does. */
function isBlank(document: string): boolean {
  return document.split("\n").every((line) => /^\s*(?:#|$)/.test(line));
}

function objectsOf(value: JsonValue): JsonObject[] {
  if (value === null) return [];
  if (!isJsonObject(value)) throw new Error("not an object");
  const { apiVersion, kind, items } = value;
  if (typeof apiVersion !== "string" || apiVersion === "") throw new Error("apiVersion not set");
  if (typeof kind !== "string" || kind === "") throw new Error("kind not set");
  if (!kind.endsWith("List") || !Array.isArray(items)) return [value];
  // A server omits apiVersion and kind from the items of a PodList.
  const implied = kind === "List" ? {} : { apiVersion, kind: kind.slice(0, -"List".length) };
  return items.flatMap((item) => objectsOf(isJsonObject(item) ? { ...implied, ...item } : item));
}
