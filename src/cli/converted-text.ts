import { Document, isMap, isScalar, isSeq, parseDocument, type ToStringOptions, type YAMLMap } from "yaml";
import { messageOf } from "../apimachinery/errors/message-of.ts";
import { formatGroupVersion, type GroupVersion } from "../apimachinery/group-version.ts";
import { isJsonObject, type JsonObject, type JsonValue, jsonEqual } from "../apimachinery/json.ts";
import type { ObjectConversion } from "../cluster/object-conversion.ts";
import { DocumentEdits, expandAliases } from "./document-edits.ts";

/** A change of one object in a document. */
interface Change {
  readonly map: YAMLMap;
  readonly before: JsonObject;
  readonly after: JsonObject;
}

/** A document in another version, and how many of its objects the conversion has to do with. */
export interface ConvertedDocument {
  /** As YAML, in the form of the text it was. */
  readonly yaml: string;
  readonly value: JsonValue;
  readonly matches: number;
}

/**
 * Converts the objects of a document. Those whose kind the group does not have stay as they are, as kubectl-convert leaves
 * them; `text` is what `value` was read from, undefined for JSON.
 * @throws {Error} that names the source and the index in its list
 */
export async function convertDocument(
  value: JsonObject,
  text: string | undefined,
  source: string,
  to: GroupVersion,
  conversion: ObjectConversion,
): Promise<ConvertedDocument> {
  const document = new Document(value);
  const changes = await changesOf(value, document.contents, source, to, conversion);
  for (const { map, before, after } of changes) new DocumentEdits(document).apply(map, before, after);
  return {
    // The document was made of JSON.
    value: document.toJS() as JsonValue,
    yaml:
      text === undefined ? document.toString(wide) : await editedText(value, text, source, to, conversion),
    matches: changes.length,
  };
}

const wide: ToStringOptions = { lineWidth: 0, indentSeq: false };

async function editedText(
  value: JsonObject,
  text: string,
  source: string,
  to: GroupVersion,
  conversion: ObjectConversion,
): Promise<string> {
  const document = parseDocument(text, {
    version: "1.1",
    merge: false,
    keepSourceTokens: false,
    strict: false,
  });
  const changes = await changesOf(value, document.contents, source, to, conversion);
  const inPlace = changes.map((change) => onlyVersion(change));
  if (inPlace.every((place) => place !== undefined)) return spliced(text, inPlace, formatGroupVersion(to));
  expandAliases(document);
  // The nodes are others where there were aliases.
  const expanded = await changesOf(value, document.contents, source, to, conversion);
  for (const { map, before, after } of expanded) new DocumentEdits(document).apply(map, before, after);
  return document.toString(formOf(text));
}

async function changesOf(
  value: JsonObject,
  node: unknown,
  source: string,
  to: GroupVersion,
  conversion: ObjectConversion,
): Promise<readonly Change[]> {
  if (!isMap(node)) throw new Error(`${source}: not an object`);
  const { apiVersion, kind, items } = value;
  if (typeof apiVersion !== "string" || typeof kind !== "string") {
    throw new Error(`${source}: apiVersion or kind not set; a manifest needs both`);
  }
  if (!kind.endsWith("List") || !Array.isArray(items)) {
    const change = await changeOf(value, node, source, to, conversion);
    return change === undefined ? [] : [change];
  }
  const nodes = node.get("items");
  const implied = kind === "List" ? {} : { apiVersion, kind: kind.slice(0, -"List".length) };
  const all: readonly JsonValue[] = items;
  const changes: Change[] = [];
  for (const [index, item] of all.entries()) {
    const itemSource = `${source}, items[${index}]`;
    if (!isJsonObject(item)) throw new Error(`${itemSource}: not an object`);
    const full = { ...implied, ...item };
    changes.push(
      ...(await changesOf(full, isSeq(nodes) ? nodes.items[index] : undefined, itemSource, to, conversion)),
    );
  }
  if (kind === "List" || changes.length === 0) return changes;
  return [...changes, { map: node, before: { apiVersion }, after: { apiVersion: formatGroupVersion(to) } }];
}

async function changeOf(
  object: JsonObject,
  map: YAMLMap,
  source: string,
  to: GroupVersion,
  conversion: ObjectConversion,
): Promise<Change | undefined> {
  try {
    if (!conversion.hasKindIn(to, object)) return undefined;
    const { before, after } = await conversion.convert(object, to);
    return { map, before: shown(before, object, map), after: shown(after, object, map) };
  } catch (error) {
    throw new Error(`${source}: ${messageOf(error)}`);
  }
}

/** Without what only a server's answer has: an empty status, and the type of an item that the type of its list implies. */
function shown(converted: JsonObject, object: JsonObject, map: YAMLMap): JsonObject {
  const { apiVersion, kind, status, ...fields } = converted;
  return {
    ...(map.has("apiVersion") && apiVersion !== undefined && { apiVersion }),
    ...(map.has("kind") && kind !== undefined && { kind }),
    ...fields,
    ...("status" in object && status !== undefined && { status }),
  };
}

/** Where the version stands, if it is all that changes; a place before the text for an object that does not state it. */
function onlyVersion({ map, before, after }: Change): readonly [start: number, end: number] | undefined {
  const { apiVersion: _, ...old } = before;
  const { apiVersion: __, ...now } = after;
  if (!jsonEqual(old, now)) return undefined;
  if (before["apiVersion"] === after["apiVersion"]) return [-1, -1];
  const node = map.get("apiVersion", true);
  const range = isScalar(node) && node.anchor === undefined ? node.range : undefined;
  return range ? [range[0], range[1]] : undefined;
}

function spliced(
  text: string,
  places: readonly (readonly [start: number, end: number])[],
  version: string,
): string {
  let result = "";
  let end = 0;
  for (const [from, to] of places.filter(([start]) => start >= 0).sort(([a], [b]) => a - b)) {
    result += text.slice(end, from) + version;
    end = to;
  }
  return result + text.slice(end);
}

/** The indents and the spaces in braces of the text, so that what does not change looks as before. */
function formOf(text: string): ToStringOptions {
  const indent = /^[^\s#-][^\n]*:[ \t]*\n(?:[ \t]*(?:#[^\n]*)?\n)*( +)[^\s#-]/m.exec(text)?.[1]?.length;
  const list = /^( *)(?:- )*[^\s#-][^\n]*:[ \t]*\n(?:[ \t]*(?:#[^\n]*)?\n)*( *)- /m.exec(text);
  return {
    lineWidth: 0,
    indent: Math.min(Math.max(indent ?? 2, 1), 8),
    indentSeq: list !== null && (list[2] ?? "").length > (list[1] ?? "").length,
    flowCollectionPadding: !/[{[][^\s{}[\]]/.test(text),
  };
}
