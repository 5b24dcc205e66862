import { isJsonObject, type JsonObject, type JsonValue } from "../../apimachinery/json.ts";
import { toJson } from "../../apimachinery/to-json.ts";
import { encodeJson } from "../../codec/json/json.ts";

/** Objects to load: manifests and lists of them, as objects or as YAML or JSON text; one, or several in an array. */
export type Manifests = string | object | readonly (string | object)[];

/** A manifest of one object. */
export interface Manifest {
  readonly object: JsonObject;
  /** Where it stands, for error messages: `dump.yaml, document 2, items[3]`. */
  readonly source: string;
}

/** YAML or JSON text that has not been parsed yet. */
export interface ManifestText {
  readonly text: string;
  readonly source: string;
}

/**
 * The entries of `manifests`, which is the value of the option or parameter `name`. Lists are expanded, text is not parsed.
 * @throws {Error} that names the entry that is not a manifest
 */
export function manifestEntries(manifests: Manifests, name: string): readonly (Manifest | ManifestText)[] {
  // Calls from JavaScript can pass anything.
  const value: unknown = manifests;
  if (!Array.isArray(value)) return entriesOf(value, name);
  return value.flatMap((entry: unknown, index) => entriesOf(entry, `${name}[${index}]`));
}

function entriesOf(value: unknown, source: string): readonly (Manifest | ManifestText)[] {
  if (typeof value === "string") return [{ text: value, source }];
  return expandLists(toJson(value), source);
}

/**
 * The manifest of an object, or those of the items of a list of any kind.
 * @throws {Error} that names the source
 */
export function expandLists(value: JsonValue | undefined, source: string): Manifest[] {
  if (!isJsonObject(value)) throw new Error(`${source}: not an object: ${shown(value)}`);
  const { apiVersion, kind, items } = value;
  if (typeof apiVersion !== "string" || apiVersion === "") throw incomplete("apiVersion", value, source);
  if (typeof kind !== "string" || kind === "") throw incomplete("kind", value, source);
  if (!kind.endsWith("List") || !Array.isArray(items)) return [{ object: value, source }];
  // A server omits apiVersion and kind from the items of a PodList.
  const implied = kind === "List" ? {} : { apiVersion, kind: kind.slice(0, -"List".length) };
  return items.flatMap((item: JsonValue, index) =>
    expandLists(isJsonObject(item) ? { ...implied, ...item } : item, `${source}, items[${index}]`),
  );
}

function incomplete(field: string, value: JsonObject, source: string): Error {
  return new Error(`${source}: ${field} not set; a manifest needs apiVersion and kind: ${shown(value)}`);
}

const shownLength = 200;

/** A value as JSON, cut off if it is long. */
function shown(value: JsonValue | undefined): string {
  const text = value === undefined ? "undefined" : encodeJson(value);
  return text.length <= shownLength ? text : `${text.slice(0, shownLength)}...`;
}
