import { messageOf } from "../../apimachinery/errors/message-of.ts";
import type { JsonValue } from "../../apimachinery/json.ts";
import { parseJson } from "../../codec/json/json.ts";
import { parseYaml } from "../../codec/yaml/yaml.ts";
import { splitJsonDocuments } from "./json-documents.ts";
import { expandLists, type Manifest, type ManifestText } from "./manifest.ts";

/** Parses the entries that are text. @throws {Error} that names the entry and the number of the document */
export function parseEntries(entries: readonly (Manifest | ManifestText)[]): readonly Manifest[] {
  return entries.flatMap((entry) => ("text" in entry ? parseManifests(entry.text, entry.source) : [entry]));
}

/** One document of a text. */
export interface TextDocument {
  /** With the comments before it that are a document of their own. */
  readonly text: string;
  /** The file, and the number of the document if there are several. */
  readonly source: string;
  readonly value: JsonValue;
  readonly isJson: boolean;
}

/**
 * The documents of a YAML stream, or the JSON values that follow each other; those without a value are left out.
 * @throws {Error} that names the file and the number of the document
 */
export function splitManifests(text: string, file: string): TextDocument[] {
  const isJson = /^\s*[[{]/.test(text);
  const documents = isJson ? splitJsonDocuments(text) : text.split(/^---(?:[ \t].*)?$/m);
  let number = 0;
  let comments = "";
  return documents.flatMap((document) => {
    if (isBlank(document)) {
      comments += document;
      return [];
    }
    const own = comments + document;
    comments = "";
    number++;
    const source = documents.length === 1 ? file : `${file}, document ${number}`;
    const value = parsed(() => (isJson ? parseJson(document) : parseYaml(document)), source);
    return value === null ? [] : [{ text: own, source, value, isJson }];
  });
}

/**
 * The objects of YAML documents, or of JSON values that follow each other; lists are expanded.
 * @throws {Error} that names the file, the number of the document, and the index in its list
 */
export function parseManifests(text: string, file: string): Manifest[] {
  return splitManifests(text, file).flatMap(({ value, source }) => expandLists(value, source));
}

/** Whether a document contains only comments, as one before the first `---` often does. */
function isBlank(document: string): boolean {
  return document.split("\n").every((line) => /^\s*(?:#|$)/.test(line));
}

function parsed<T>(parse: () => T, source: string): T {
  try {
    return parse();
  } catch (error) {
    throw new Error(`${source}: ${messageOf(error)}`);
  }
}
