import { isJsonObject, type JsonObject, type JsonValue } from "../../apimachinery/json.ts";
import { type ApplyType, type ListType, type MapType, shapeOf } from "./apply-type.ts";
import { emptySet, type FieldSet } from "./field-set.ts";
import { haveRepeated, indexItems, itemElements } from "./list-item.ts";
import { NodeBuilder, type Self } from "./node-builder.ts";
import { fieldElement } from "./path-element.ts";

/**
 * What an applied configuration owns: its scalars, its atomic lists and maps, the items of its other lists and the
 * entries of its maps. Structures and lists themselves only where they are null or empty.
 * @throws {ListItemError} for an item that cannot be told from others
 */
export function fieldSetOf(type: ApplyType, object: JsonValue): FieldSet {
  return nodeOf(type, object, "container", "container") ?? emptySet;
}

/** As `fieldSetOf`, with the structures in it that hold something: pruning takes and gives those with their fields. */
export function namedFieldSetOf(type: ApplyType, object: JsonValue): FieldSet {
  return nodeOf(type, object, "container", "holder") ?? emptySet;
}

/**
 * Everything there is in a value, itself included: what a write owns that puts the value where none was.
 * @throws {ListItemError} for an item that cannot be told from others
 */
export function addedNode(type: ApplyType, value: JsonValue): FieldSet {
  return nodeOf(type, value, "member", "member") ?? emptySet;
}

/** Whether an object has no keys. */
export function isEmptyObject(object: JsonObject): boolean {
  for (const _ in object) return false;
  return true;
}

/** `self` is what holds for this value if it is a structure or a list, `fields` what holds for those in fields. */
function nodeOf(type: ApplyType, value: JsonValue, self: Self, fields: Self): FieldSet | undefined {
  switch (shapeOf(type, value)) {
    case "scalar":
      return emptySet;
    case "list":
      return type.list && listNode(type.list, value, self, fields);
    case "map":
      return type.map && mapNode(type.map, value, self, fields);
  }
}

function listNode(list: ListType, value: JsonValue, self: Self, fields: Self): FieldSet | undefined {
  if (list.topology === "atomic" || value === null) return emptySet;
  const node = new NodeBuilder();
  if (Array.isArray(value)) addItems(node, list, value, fields);
  return node.build(self);
}

function addItems(node: NodeBuilder, list: ListType, items: readonly JsonValue[], fields: Self): void {
  const elements = itemElements(list, items);
  if (haveRepeated(elements)) {
    for (const [element, same] of indexItems(elements, items)) {
      // Items that cannot be told from each other are owned as one.
      const below = same.length > 1 ? emptySet : nodeOf(list.items, same[0] ?? null, "member", fields);
      node.add(element, below ?? emptySet);
    }
    return;
  }
  for (let i = 0; i < elements.length; i++) {
    const below = nodeOf(list.items, items[i] ?? null, "member", fields) ?? emptySet;
    node.add(elements[i] ?? "", below);
  }
}

function mapNode(map: MapType, value: JsonValue, self: Self, fields: Self): FieldSet | undefined {
  if (map.topology === "atomic" || !isJsonObject(value) || isEmptyObject(value)) return emptySet;
  const node = new NodeBuilder();
  for (const key in value) {
    const part = value[key];
    if (part === undefined) continue;
    const field = map.fields.get(key);
    if (field !== undefined) {
      const below = nodeOf(field.type, part, fields, fields);
      if (below !== undefined) node.addRanked(field.element, below, field.rank);
    } else if (map.values !== undefined) {
      node.add(fieldElement(key), nodeOf(map.values, part, "member", fields) ?? emptySet);
    }
  }
  return node.build(self);
}
