import { isJsonObject, type JsonObject, type JsonValue } from "../../apimachinery/json.ts";
import { type ApplyType, type ListType, type MapType, shapeOf } from "./apply-type.ts";
import { emptySet, type FieldSet, isEmptySet } from "./field-set.ts";
import { itemElement } from "./list-item.ts";
import { NodeBuilder } from "./node-builder.ts";
import { fieldElement, type PathElement } from "./path-element.ts";

/**
 * What an applied configuration owns: its scalars, its atomic lists and maps, the items of its other lists and the
 * entries of its maps. Structures and lists themselves only where they are null or empty.
 * @throws {ListItemError} for an item that cannot be told from others
 */
export function fieldSetOf(type: ApplyType, object: JsonValue): FieldSet {
  return walk(type, object, "container", leaves) ?? emptySet;
}

/**
 * Everything there is in a value, itself included: what a write owns that adds the value where none was.
 * @throws {ListItemError} for an item that cannot be told from others
 */
export function addedNode(type: ApplyType, value: JsonValue): FieldSet {
  return walk(type, value, "member", everything) ?? emptySet;
}

/** Whether lists and structures are in the set beside what they hold. */
interface Rule {
  readonly containers: "member" | "container";
}

const leaves: Rule = { containers: "container" };
const everything: Rule = { containers: "member" };

/** `self` says whether the container of the value wants it in the set, as maps and lists do of what they hold. */
function walk(
  type: ApplyType,
  value: JsonValue,
  self: "member" | "container",
  rule: Rule,
): FieldSet | undefined {
  switch (shapeOf(type, value)) {
    case "scalar":
      return emptySet;
    case "list":
      return walkList(type.list as ListType, value, self, rule);
    case "map":
      return walkMap(type.map as MapType, value, self, rule);
  }
}

function walkList(
  list: ListType,
  value: JsonValue,
  self: "member" | "container",
  rule: Rule,
): FieldSet | undefined {
  if (list.topology === "atomic" || value === null) return emptySet;
  const node = new NodeBuilder();
  if (Array.isArray(value)) addItems(node, list, value, rule);
  return node.build(self);
}

function addItems(node: NodeBuilder, list: ListType, items: readonly JsonValue[], rule: Rule): void {
  const elements = items.map((item) => itemElement(list, item));
  const repeated = duplicatesOf(elements);
  for (const [i, element] of elements.entries()) {
    // Items that cannot be told from each other are owned as one.
    if (repeated?.has(element)) continue;
    node.add(element, walk(list.items, items[i] ?? null, "member", rule) ?? emptySet);
  }
  for (const element of repeated ?? []) node.add(element, emptySet);
}

function duplicatesOf(elements: readonly PathElement[]): ReadonlySet<PathElement> | undefined {
  if (elements.length < 2 || new Set(elements).size === elements.length) return undefined;
  const seen = new Set<PathElement>();
  return new Set(elements.filter((element) => seen.size === seen.add(element).size));
}

function walkMap(
  map: MapType,
  value: JsonValue,
  self: "member" | "container",
  rule: Rule,
): FieldSet | undefined {
  if (map.topology === "atomic" || !isJsonObject(value) || isEmpty(value)) return emptySet;
  const node = new NodeBuilder();
  for (const key in value) {
    const part = value[key];
    if (part === undefined) continue;
    const field = map.fields.get(key);
    if (field !== undefined) {
      const below = walk(field.type, part, rule.containers, rule);
      if (below !== undefined) node.add(field.element, below, field.rank);
    } else if (map.values !== undefined) {
      node.add(fieldElement(key), walk(map.values, part, "member", rule) ?? emptySet);
    }
  }
  return node.build(self);
}

function isEmpty(object: JsonObject): boolean {
  return isEmptySet(object as FieldSet);
}
