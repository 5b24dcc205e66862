import { isJsonObject, type JsonObject, type JsonValue } from "../../apimachinery/json.ts";
import { type Part, rememberedByPart } from "../../sharing/remembered-by-part.ts";
import { type ApplyType, type ListType, type MapType, shapeOf } from "./apply-type.ts";
import { emptySet, type FieldSet } from "./field-set.ts";
import { haveRepeated, indexItems, itemElements } from "./list-item.ts";
import { NodeBuilder, type Self } from "./node-builder.ts";
import { fieldElement } from "./path-element.ts";

/**
 * The fields that an applied configuration owns: scalars, atomic lists and maps, the items of other lists, and the
 * entries of maps. Structures and lists themselves are owned only if they are null or empty.
 * @throws {ListItemError} for an item that cannot be identified
 */
export function fieldSetOf(type: ApplyType, object: JsonValue): FieldSet {
  return nodeOf(type, object, "container", "container") ?? emptySet;
}

/** `fieldSetOf` plus all structures with fields, because pruning removes and restores structures with their fields. */
export function namedFieldSetOf(type: ApplyType, object: JsonValue): FieldSet {
  return nodeOf(type, object, "container", "holder") ?? emptySet;
}

/**
 * A value and everything in it, which is what a write owns if it adds the value.
 * @throws {ListItemError} for an item that cannot be identified
 */
export function addedNode(type: ApplyType, value: JsonValue): FieldSet {
  return nodeOf(type, value, "member", "member") ?? emptySet;
}

/** The node of a part under its type. Objects of one template share parts, and so their nodes. */
const memberNode = rememberedByPart(
  (part: Part, type: ApplyType) => makeNode(type, part, "member", "member"),
  (before, now) => before === now,
);

/** Whether an object has no keys. */
export function isEmptyObject(object: JsonObject): boolean {
  for (const _ in object) return false;
  return true;
}

/** `self` applies to this value if it is a structure or a list, `fields` to structures and lists in its fields. */
function nodeOf(type: ApplyType, value: JsonValue, self: Self, fields: Self): FieldSet | undefined {
  const isPart = typeof value === "object" && value !== null;
  if (isPart && self === "member" && fields === "member") return memberNode(value, type);
  return makeNode(type, value, self, fields);
}

function makeNode(type: ApplyType, value: JsonValue, self: Self, fields: Self): FieldSet | undefined {
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
      // Duplicate items are owned as one.
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
