import { getKey, isJsonObject, type JsonObject, type JsonValue } from "../apimachinery/json.ts";
import { badType, failure, goMapType, noMergeKey, panic } from "./strategic-errors.ts";

/** A merged list that is to be put in order. */
export interface Unordered {
  readonly merged: readonly JsonValue[];
  /** The elements that stand here go in this order. */
  readonly patchOrder: readonly JsonValue[];
  /** All others go in this one. */
  readonly serverOrder: readonly JsonValue[];
  /** The member that tells objects apart; empty for scalars, which tell themselves apart. */
  readonly mergeKey: string;
}

/**
 * Puts a merged list in order. Both orders hold; where they leave a choice, an element of the patch comes first,
 * unless the server has it after the other one.
 *
 * | patch | server | result |
 * | ----- | ------ | ------ |
 * | c     | a b    | c a b  |
 * | b     | a b c  | a b c  |
 * | b a   | a b c  | b a c  |
 * | d b   | a b c  | d a b c |
 *
 * @throws {PatchError} internal, for an element that does not say which one it is
 */
export function inOrder({ merged, patchOrder, serverOrder, mergeKey }: Unordered): JsonValue[] {
  const inPatch = new Positions(patchOrder, mergeKey);
  const fromPatch: JsonValue[] = [];
  const serverOnly: JsonValue[] = [];
  for (const element of merged) {
    if (inPatch.find(identity(element, mergeKey)) === undefined) serverOnly.push(element);
    else fromPatch.push(element);
  }
  requireKeys(patchOrder, mergeKey);
  requireKeys(serverOrder, mergeKey);
  const inServer = new Positions(serverOrder, mergeKey);
  const left = sorted(serverOnly, inServer, mergeKey);
  const right = sorted(fromPatch, inPatch, mergeKey);
  return interleaved(left, right, (element) => inServer.find(identity(element, mergeKey)));
}

/** What stands for an element among others. */
export function identity(element: JsonValue, mergeKey: string): JsonValue {
  if (mergeKey === "") {
    if (typeof element === "object" && element !== null) throw panic();
    return element;
  }
  return keyOf(asMap(element), mergeKey);
}

/** The object that an element has to be. */
export function asMap(element: JsonValue): JsonObject {
  if (!isJsonObject(element)) throw badType(goMapType, element);
  return element;
}

/** The value of the merge key, which has to be there. */
export function keyOf(map: JsonObject, mergeKey: string): JsonValue {
  const key = getKey(map, mergeKey);
  if (key === undefined) throw noMergeKey(map, mergeKey);
  return key;
}

/** @throws {PatchError} internal, for the first element that does not say which one it is */
export function requireKeys(list: readonly JsonValue[], mergeKey: string): void {
  for (const element of list) identity(element, mergeKey);
}

/** Where elements stand in a list; of several with the same identity, the first. */
export class Positions {
  readonly #mergeKey: string;
  readonly #byIdentity = new Map<JsonValue, number>();
  /** The first element that should be an object and is none. A search that comes this far fails. */
  #noMap: number | undefined;
  #length = 0;

  constructor(list: readonly JsonValue[], mergeKey: string) {
    this.#mergeKey = mergeKey;
    for (const element of list) this.push(element);
  }

  push(element: JsonValue): void {
    const position = this.#length++;
    if (this.#noMap !== undefined) return;
    const found = this.#mergeKey === "" ? identity(element, "") : this.#keyIn(element, position);
    if (found !== undefined && !this.#byIdentity.has(found)) this.#byIdentity.set(found, position);
  }

  /** @throws {PatchError} internal, if something that is no object is in the way */
  find(wanted: JsonValue): number | undefined {
    const position = this.#byIdentity.get(wanted);
    if (position === undefined && this.#noMap !== undefined) {
      throw failure(`value for key ${this.#noMap} is not a map`);
    }
    return position;
  }

  #keyIn(element: JsonValue, position: number): JsonValue | undefined {
    if (isJsonObject(element)) return getKey(element, this.#mergeKey);
    this.#noMap = position;
    return undefined;
  }
}

/** How many elements Go sorts by insertion. */
const INSERTION_LIMIT = 20;

/** Sorts by position. */
function sorted(list: readonly JsonValue[], positions: Positions, mergeKey: string): JsonValue[] {
  const placed = list.map((element) => ({ element, at: positions.find(identity(element, mergeKey)) }));
  const isKnown = placed.every(({ at }) => at !== undefined);
  if (isKnown || placed.length > INSERTION_LIMIT) {
    return placed.toSorted((a, b) => (a.at ?? -1) - (b.at ?? -1)).map(({ element }) => element);
  }
  // Elements of the patch that an order of no elements does not list: upstream takes each to come before any other,
  // so the result is that of the way in which Go happens to sort.
  for (let i = 1; i < placed.length; i++) {
    for (let j = i; j > 0; j--) {
      const [before, current] = [placed[j - 1], placed[j]];
      if (before === undefined || current === undefined) break;
      const isBoth = before.at !== undefined && current.at !== undefined;
      if (isBoth && (current.at ?? 0) >= (before.at ?? 0)) break;
      placed[j - 1] = current;
      placed[j] = before;
    }
  }
  return placed.map(({ element }) => element);
}

/** Merges two lists that keep their order: an element of `left` comes first only if it stands before the other one. */
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
      const other = left[taken];
      const at = other === undefined ? undefined : position(other);
      if (other === undefined || at === undefined || at >= limit) break;
      all.push(other);
    }
    all.push(element);
  }
  for (const element of left.slice(taken)) all.push(element);
  return all;
}
