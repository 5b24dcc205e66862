import { getKey, isJsonObject, type JsonObject, type JsonValue, jsonEqual } from "../../apimachinery/json.ts";
import {
  type ApplyType,
  type FieldType,
  type ListType,
  type MapType,
  type Shape,
  shapeOf,
} from "./apply-type.ts";
import { emptySet, type FieldSet } from "./field-set.ts";
import { joinNodes } from "./field-set-algebra.ts";
import { addedNode, isEmptyObject } from "./field-set-of.ts";
import { areAligned, indexItems, itemElements } from "./list-item.ts";
import { NodeBuilder } from "./node-builder.ts";
import { fieldElement, type PathElement } from "./path-element.ts";

/** The differences between two objects. No path is in two of the sets. */
export interface Comparison {
  readonly removed: FieldSet;
  readonly modified: FieldSet;
  readonly added: FieldSet;
}

/** The comparison of two equal objects. */
const noChange: Comparison = { removed: emptySet, modified: emptySet, added: emptySet };

/**
 * The differences of `after` from `before`. The sets contain added and removed containers as well as their contents.
 * @throws {ListItemError} for an item that cannot be identified
 */
export function compareObjects(type: ApplyType, before: JsonValue, after: JsonValue): Comparison {
  const changes = compareValues(type, before, after);
  if (changes === undefined) return noChange;
  const { removed = emptySet, modified = emptySet, added = emptySet } = changes;
  return { removed, modified, added };
}

/**
 * The fields of `after` that `before` does not have or has with another value: the modified and the added ones of
 * `compareObjects` in one set.
 * @throws {ListItemError} for an item that cannot be identified
 */
export function changedFields(type: ApplyType, before: JsonValue, after: JsonValue): FieldSet {
  return changedNode(type, before, after) ?? emptySet;
}

function changedNode(type: ApplyType, before: JsonValue | undefined, after: JsonValue): FieldSet | undefined {
  if (before === after) return undefined;
  if (before === undefined) return addedNode(type, after);
  const now = contentOf(after);
  const areMaps = shapeOf(type, before) === "map" && shapeOf(type, after) === "map";
  if (areMaps && type.map?.topology === "granular" && now !== undefined) {
    return changedEntries(type.map, contentOf(before), now);
  }
  const { modified, added } = compareValues(type, before, after) ?? noChanges;
  return modified === undefined || added === undefined ? (modified ?? added) : joinNodes(modified, added);
}

const noChanges: Changes = {};

function changedEntries(map: MapType, before: JsonObject | undefined, now: JsonObject): FieldSet | undefined {
  const node = new NodeBuilder();
  for (const key in now) {
    const value = now[key];
    const entry = value === undefined ? undefined : entryOf(map, key);
    if (value === undefined || entry === undefined) continue;
    const below = changedNode(entry.type, before && getKey(before, key), value);
    if (below !== undefined) collect(node, entry.element, below, entry.rank);
  }
  return node.build("container");
}

/** The changes of one element and below it. A set is undefined if it is empty. */
interface Changes {
  readonly removed?: FieldSet | undefined;
  readonly modified?: FieldSet | undefined;
  readonly added?: FieldSet | undefined;
}

const modifiedLeaf: Changes = { modified: emptySet };

function compareValues(type: ApplyType, before: JsonValue, after: JsonValue): Changes | undefined {
  if (before === after) return undefined;
  const shape = shapeOf(type, after);
  const changes = compareAs(shape, type, before, after);
  const shapeBefore = shapeOf(type, before);
  if (shapeBefore === shape) return changes;
  // If the value changed from a list to a map, for example, the list's items are removed and the map's keys are added.
  return joined(compareAs(shapeBefore, type, before, after), changes);
}

function compareAs(shape: Shape, type: ApplyType, before: JsonValue, after: JsonValue): Changes | undefined {
  if (shape === "map" && type.map !== undefined) return compareMaps(type.map, before, after);
  if (shape === "list" && type.list !== undefined) return compareLists(type.list, before, after);
  return compareLeaves(before, after);
}

/** Only the value before can lose something in its shape, and only the one after can gain something. */
function joined(a: Changes | undefined, b: Changes | undefined): Changes {
  return { removed: a?.removed, modified: a?.modified ?? b?.modified, added: b?.added };
}

function compareLeaves(before: JsonValue, after: JsonValue): Changes | undefined {
  return jsonEqual(before, after) ? undefined : modifiedLeaf;
}

/** Collects the changes of the parts of one value. */
class ChangesBuilder {
  #removed: NodeBuilder | undefined;
  #modified: NodeBuilder | undefined;
  #added: NodeBuilder | undefined;

  add(element: PathElement, changes: Changes | undefined, rank?: number): void {
    if (changes === undefined) return;
    const { removed, modified, added } = changes;
    if (removed !== undefined) this.#removed = collect(this.#removed, element, removed, rank);
    if (modified !== undefined) this.#modified = collect(this.#modified, element, modified, rank);
    if (added !== undefined) this.#added = collect(this.#added, element, added, rank);
  }

  build(): Changes {
    const removed = this.#removed?.build("container");
    const modified = this.#modified?.build("container");
    const added = this.#added?.build("container");
    return { removed, modified, added };
  }
}

function collect(
  builder: NodeBuilder | undefined,
  element: PathElement,
  node: FieldSet,
  rank: number | undefined,
): NodeBuilder {
  const collected = builder ?? new NodeBuilder();
  if (rank === undefined) collected.add(element, node);
  else collected.addRanked(element, node, rank);
  return collected;
}

function compareMaps(map: MapType, before: JsonValue, after: JsonValue): Changes | undefined {
  const old = contentOf(before);
  const now = contentOf(after);
  // Two empty values are compared as leaves: null is not {}.
  if (map.topology === "atomic" || (old === undefined && now === undefined)) {
    return compareLeaves(before, after);
  }
  const changes = new ChangesBuilder();
  for (const key in now) {
    const value = now[key];
    if (value !== undefined) compareEntry(changes, map, key, old && getKey(old, key), value);
  }
  for (const key in old) {
    const value = old[key];
    if (value === undefined || (now !== undefined && Object.hasOwn(now, key))) continue;
    compareEntry(changes, map, key, value, undefined);
  }
  return changes.build();
}

/** The value if it is a map with entries. */
function contentOf(value: JsonValue): JsonObject | undefined {
  return isJsonObject(value) && !isEmptyObject(value) ? value : undefined;
}

function compareEntry(
  changes: ChangesBuilder,
  map: MapType,
  key: string,
  before: JsonValue | undefined,
  after: JsonValue | undefined,
): void {
  if (before === after) return;
  const entry = entryOf(map, key);
  if (entry !== undefined) changes.add(entry.element, compareParts(entry.type, before, after), entry.rank);
}

/** The field of a structure, or the entry of a map, without a rank. Undefined for a key without a type, which has no owner. */
function entryOf(map: MapType, key: string): Entry | undefined {
  const field = map.fields.get(key);
  if (field !== undefined) return field;
  return map.values && { element: fieldElement(key), type: map.values, rank: undefined };
}

type Entry = Omit<FieldType, "rank"> & { readonly rank: number | undefined };

function compareParts(
  type: ApplyType,
  before: JsonValue | undefined,
  after: JsonValue | undefined,
): Changes | undefined {
  if (before === undefined) return after === undefined ? undefined : { added: addedNode(type, after) };
  return after === undefined ? { removed: addedNode(type, before) } : compareValues(type, before, after);
}

function compareLists(list: ListType, before: JsonValue, after: JsonValue): Changes | undefined {
  const old = itemsOf(before);
  const now = itemsOf(after);
  if (list.topology === "atomic" || (old.length === 0 && now.length === 0)) {
    return compareLeaves(before, after);
  }
  // Most lists do not change, and this check is cheap.
  if (jsonEqual(old, now)) return undefined;
  return compareItems(list, old, now);
}

function itemsOf(value: JsonValue): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

function compareItems(
  list: ListType,
  before: readonly JsonValue[],
  after: readonly JsonValue[],
): Changes | undefined {
  const oldElements = itemElements(list, before);
  const elements = itemElements(list, after);
  const changes = new ChangesBuilder();
  if (areAligned(oldElements, elements)) {
    elements.forEach((element, i) => {
      if (before[i] !== after[i]) changes.add(element, compareParts(list.items, before[i], after[i]));
    });
    return changes.build();
  }
  const old = indexItems(oldElements, before);
  const now = indexItems(elements, after);
  for (const [element, items] of old) {
    changes.add(element, compareSame(list.items, items, now.get(element) ?? noItems));
  }
  for (const [element, items] of now) {
    if (!old.has(element)) changes.add(element, compareSame(list.items, noItems, items));
  }
  return changes.build();
}

const noItems: readonly JsonValue[] = [];

/** Compares the items of one element. Duplicate items are owned as one, by their element alone. */
function compareSame(
  type: ApplyType,
  before: readonly JsonValue[],
  after: readonly JsonValue[],
): Changes | undefined {
  if (before.length < 2 && after.length < 2) return compareParts(type, before[0], after[0]);
  if (before.length < 2) {
    const removed = before[0] === undefined ? undefined : addedNode(type, before[0]);
    return { removed, added: emptySet };
  }
  if (after.length < 2) {
    const added = after[0] === undefined ? undefined : addedNode(type, after[0]);
    return { removed: emptySet, added };
  }
  return compareLeaves(before, after);
}
