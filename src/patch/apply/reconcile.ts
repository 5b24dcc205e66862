import { rememberedByPart } from "../../sharing/remembered-by-part.ts";
import type { ApplyType, ListType, MapType } from "./apply-type.ts";
import { deducedType } from "./apply-type.ts";
import { emptySet, type FieldSet, isEmptySet, type MutableFieldSet } from "./field-set.ts";
import type { PathElement } from "./path-element.ts";

/**
 * A set after a change of its type: an owner of part of a value that is now atomic owns all of it. A value that is no
 * longer atomic keeps its set.
 */
export function reconcileFieldSet(type: ApplyType, set: FieldSet): FieldSet {
  return reconciledSet(set, type);
}

/** The sets of stored objects fit the same type in each write. */
const reconciledSet = rememberedByPart(
  (set: FieldSet, type: ApplyType) => reconcileChildren(type, set),
  (before, now) => before === now,
);

function reconcileNode(type: ApplyType, node: FieldSet): FieldSet {
  // A value that is owned as one piece stays owned as one piece.
  if (isEmptySet(node)) return node;
  if (type.map !== undefined) {
    if (isDeduced(type.map)) return node;
    return type.map.topology === "atomic" ? emptySet : reconcileChildren(type, node);
  }
  if (type.scalar !== undefined || type.list === undefined) return node;
  return type.list.topology === "atomic" ? emptySet : reconcileChildren(type, node);
}

/** A map without a schema cannot have changed. */
function isDeduced(map: MapType): boolean {
  return map.values === deducedType && map.fields.size === 0;
}

function reconcileChildren(type: ApplyType, node: FieldSet): FieldSet {
  let result: MutableFieldSet | undefined;
  for (const element in node) {
    const child = node[element] as FieldSet;
    const part = type.map === undefined ? itemType(type.list) : entryType(type.map, element);
    const reconciled = part === undefined ? child : reconcileNode(part, child);
    if (reconciled === child) continue;
    result ??= { ...node };
    result[element] = reconciled;
  }
  return result ?? node;
}

function itemType(list: ListType | undefined): ApplyType | undefined {
  return list?.items;
}

function entryType(map: MapType, element: PathElement): ApplyType | undefined {
  const field = element.startsWith("f:") ? map.fields.get(element.slice(2)) : undefined;
  return field === undefined ? map.values : field.type;
}
