import { DecodeError } from "../../apimachinery/decode-error.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../apimachinery/json.ts";
import { rememberedByPart } from "../../sharing/remembered-by-part.ts";
import { emptySet, type FieldSet, isEmptySet, type MutableFieldSet, sorted } from "./field-set.ts";
import { canonicalElement, compareElements, SELF } from "./path-element.ts";

/**
 * Parses FieldsV1. A value in canonical form is the set itself. Others are normalized: elements are sorted, the keys in
 * them too, and elements of unknown kinds are dropped.
 * @throws {DecodeError} for a value that upstream cannot parse
 */
export function fieldSetOfFieldsV1(value: JsonValue): FieldSet {
  if (value === null) return emptySet;
  if (!isJsonObject(value)) throw new DecodeError("fieldsV1 is no object");
  return setOf(value);
}

/** Parsing checks the form. Stored values are immutable, so one check is enough. */
const setOf = rememberedByPart(
  (value: JsonObject): FieldSet => (isCanonical(value) ? asSet(value) : readChildren(value)),
);

/** The value of the field `fieldsV1`. A set already has this form. */
export function fieldsV1(set: FieldSet): JsonObject {
  return set;
}

/** The caller has checked the form. */
function asSet(value: JsonObject): FieldSet {
  return value as FieldSet;
}

function isCanonical(root: JsonObject): boolean {
  return root[SELF] === undefined && areCanonical(root);
}

function areCanonical(node: JsonObject): boolean {
  let previous: string | undefined;
  for (const element in node) {
    const child = node[element] ?? null;
    if (!isJsonObject(child)) return false;
    if (element === SELF) {
      if (!isEmptySet(asSet(child))) return false;
    } else if (canonicalElement(element) !== element || !areCanonical(child)) {
      return false;
    }
    if (previous !== undefined && compareElements(previous, element) >= 0) return false;
    previous = element;
  }
  // The canonical form of a container without children is an empty node.
  return previous !== SELF;
}

/** The set of the paths below a node, without the node itself. */
function readChildren(node: JsonValue): FieldSet {
  if (node === null) return emptySet;
  if (!isJsonObject(node)) throw new DecodeError("expect { or n");
  const children: MutableFieldSet = {};
  for (const key of Object.keys(node)) {
    const element = key === SELF ? undefined : canonicalElement(key);
    if (element !== undefined) children[element] = readNode(node[key] ?? null);
  }
  return sorted(children);
}

function readNode(value: JsonValue): FieldSet {
  const children = readChildren(value);
  if (isEmptySet(children)) return emptySet;
  return isJsonObject(value) && value[SELF] !== undefined ? { [SELF]: emptySet, ...children } : children;
}
