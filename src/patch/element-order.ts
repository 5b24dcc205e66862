import { getKey, isJsonObject, type JsonObject, type JsonValue } from "../apimachinery/json.ts";
import { badType, failure, goMapType, noMergeKey, panic } from "./strategic-errors.ts";

/** A merged list to be ordered. */
export interface Unordered {
  readonly merged: readonly JsonValue[];
  /** The order of the elements that are listed here. */
  readonly patchOrder: readonly JsonValue[];
  /** The order of all other elements. */
  readonly serverOrder: readonly JsonValue[];
  /** The member that identifies an object; empty for scalars, which identify themselves. */
  readonly mergeKey: string;
}

/**
 * Orders a merged list. The result respects both orders. If they leave a choice, an element of the patch comes first,
 * unless the server's order has it after the other element.
 *
 * | patch | server | result |
 * | ----- | ------ | ------ |
 * | c     | a b    | c a b  |
 * | b     | a b c  | a b c  |
 * | b a   | a b c  | b a c  |
 * | d b   | a b c  | d a b c |
 *
 * @throws {PatchError} internal, for an element that cannot be identified
 */
export function orderElements(unordered: Unordered): JsonValue[] {
  return orderParts(unordered, partition(unordered));
}

/** The elements of a merged list, as the order of the patch lists them or not. */
export interface Partition {
  readonly fromPatch: readonly JsonValue[];
  readonly serverOnly: readonly JsonValue[];
}

/** The first step of `orderElements`. @throws {PatchError} internal, for an element that cannot be identified */
export function partition({ merged, patchOrder, mergeKey }: Unordered): Partition {
  const inPatch = new Positions(patchOrder, mergeKey);
  const fromPatch: JsonValue[] = [];
  const serverOnly: JsonValue[] = [];
  for (const element of merged) {
    if (inPatch.find(identity(element, mergeKey)) === undefined) serverOnly.push(element);
    else fromPatch.push(element);
  }
  return { fromPatch, serverOnly };
}

/** The second step of `orderElements`. @throws {PatchError} internal, for an element that cannot be identified */
export function orderParts(
  { patchOrder, serverOrder, mergeKey }: Unordered,
  { fromPatch, serverOnly }: Partition,
): JsonValue[] {
  requireKeys(patchOrder, mergeKey);
  requireKeys(serverOrder, mergeKey);
  const inServer = new Positions(serverOrder, mergeKey);
  const left = sorted(serverOnly, inServer, mergeKey);
  const right = sorted(fromPatch, new Positions(patchOrder, mergeKey), mergeKey);
  return interleaved(left, right, (element) => inServer.find(identity(element, mergeKey)));
}

/** The value that identifies an element: the scalar itself, or the value of the merge key. */
export function identity(element: JsonValue, mergeKey: string): JsonValue {
  if (mergeKey === "") {
    if (typeof element === "object" && element !== null) throw panic();
    return element;
  }
  return keyOf(asMap(element), mergeKey);
}

/** The element as an object. @throws {PatchError} internal if it is not an object */
export function asMap(element: JsonValue): JsonObject {
  if (!isJsonObject(element)) throw badType(goMapType, element);
  return element;
}

/** The value of the merge key. @throws {PatchError} internal if it is missing */
export function keyOf(map: JsonObject, mergeKey: string): JsonValue {
  const key = getKey(map, mergeKey);
  if (key === undefined) throw noMergeKey(map, mergeKey);
  return key;
}

/** @throws {PatchError} internal, for the first element that cannot be identified */
function requireKeys(list: readonly JsonValue[], mergeKey: string): void {
  for (const element of list) identity(element, mergeKey);
}

/** The positions of the elements of a list. Of several with the same identity, the first counts. */
export class Positions {
  readonly #mergeKey: string;
  readonly #byIdentity = new Map<JsonValue, number>();
  /** The position of the first element that is not an object but should be. A search that reaches it fails. */
  #firstNonMap: number | undefined;
  #length = 0;

  constructor(list: readonly JsonValue[], mergeKey: string) {
    this.#mergeKey = mergeKey;
    for (const element of list) this.push(element);
  }

  push(element: JsonValue): void {
    const position = this.#length++;
    if (this.#firstNonMap !== undefined) return;
    const found = this.#mergeKey === "" ? identity(element, "") : this.#keyIn(element, position);
    if (found !== undefined && !this.#byIdentity.has(found)) this.#byIdentity.set(found, position);
  }

  /** @throws {PatchError} internal, if the search reaches an element that is not an object */
  find(wanted: JsonValue): number | undefined {
    const position = this.#byIdentity.get(wanted);
    if (position === undefined && this.#firstNonMap !== undefined) {
      throw failure(`value for key ${this.#firstNonMap} is not a map`);
    }
    return position;
  }

  #keyIn(element: JsonValue, position: number): JsonValue | undefined {
    if (isJsonObject(element)) return getKey(element, this.#mergeKey);
    this.#firstNonMap = position;
    return undefined;
  }
}

/** Go sorts up to this many elements by insertion. */
const INSERTION_LIMIT = 20;

/** Sorts by position. */
function sorted(list: readonly JsonValue[], positions: Positions, mergeKey: string): JsonValue[] {
  const placed = list.map((element) => ({ element, at: positions.find(identity(element, mergeKey)) }));
  const isKnown = placed.every(({ at }) => at !== undefined);
  if (isKnown || placed.length > INSERTION_LIMIT) {
    return placed.toSorted((a, b) => (a.at ?? -1) - (b.at ?? -1)).map(({ element }) => element);
  }
  // The order is empty and lists no element of the patch. Upstream's comparison then says that each element comes
  // before every other one, so the result depends on Go's sort algorithm.
  const inserted: Placed[] = [];
  for (const one of placed)
    inserted.splice(inserted.findLastIndex((other) => staysAfter(one, other)) + 1, 0, one);
  return inserted.map(({ element }) => element);
}

/** An element with its position in an order that may not list it. */
interface Placed {
  readonly element: JsonValue;
  readonly at: number | undefined;
}

function staysAfter(one: Placed, other: Placed): boolean {
  return one.at !== undefined && other.at !== undefined && one.at >= other.at;
}

/** Merges two ordered lists: an element of `left` comes first only if its position is before the other one's. */
function interleaved(
  left: readonly JsonValue[],
  right: readonly JsonValue[],
  position: (element: JsonValue) => number | undefined,
): JsonValue[] {
  const all: JsonValue[] = [];
  let taken = 0;
  for (const element of right) {
    const limit = position(element);
    for (; limit !== undefined && taken < left.length; taken++) {
      const other = left[taken] ?? null;
      const at = position(other);
      if (at === undefined || at >= limit) break;
      all.push(other);
    }
    all.push(element);
  }
  for (const element of left.slice(taken)) all.push(element);
  return all;
}
