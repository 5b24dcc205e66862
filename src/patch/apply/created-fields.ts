import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonEqual,
  type MutableJsonObject,
  setKey,
} from "../../apimachinery/json.ts";
import { deepFreeze } from "../../store/deep-freeze.ts";
import { areAlike } from "./alike.ts";
import type { ApplyKind } from "./apply-kind.ts";
import { changedFields } from "./compare.ts";
import type { FieldFilter } from "./field-filter.ts";
import { emptySet, type FieldSet } from "./field-set.ts";
import { neverOwnedMetadata, withoutNeverOwned } from "./never-owned.ts";
import { validateTyped } from "./validate-typed.ts";

/**
 * The fields that the creator of an object owns. An object that differs from the one before only in the values of fields has the
 * same ones.
 */
export class CreatedFields {
  readonly #filter: FieldFilter;
  /** The object before, as far as later stages do not change it. */
  #before: JsonObject = {};
  /** Whether it shared its parts with the one that was created last, as the next ones probably do. */
  #isShared = false;
  #fields: FieldSet = emptySet;

  constructor(filter: FieldFilter) {
    this.#filter = filter;
  }

  /**
   * The owned fields of a new object. `latest` is the object created last, if it shares parts with that.
   * @throws {TypedError} for an object that does not match its type
   * @throws {ListItemError} for an item that cannot be identified
   */
  of(object: JsonObject, kind: ApplyKind, latest?: JsonObject): FieldSet {
    const { type, empty, isDecoded } = kind;
    const before = this.#before;
    const isKnown = isDecoded ? areAlike(type, before, object) : haveSameParts(before, object);
    if (isKnown) {
      if (isDecoded && latest !== undefined && !this.#isShared) this.#keep(object, true);
      return this.#fields;
    }
    // What is alike has the same outline, too.
    const shown = kind.outline(object, latest ?? empty);
    if (!isDecoded) validateTyped(type, shown, "allowed");
    const owned = withoutNeverOwned(this.#filter(changedFields(type, empty, shown)));
    // A frozen set that is the same object needs no second comparison when it is stored.
    const fields = jsonEqual(owned, this.#fields) ? this.#fields : deepFreeze(owned);
    this.#fields = fields;
    if (isDecoded) this.#keep(object, latest !== undefined);
    else this.#before = frozenParts(shown);
    return fields;
  }

  #keep(object: JsonObject, isShared: boolean): void {
    this.#before = unfrozenCopy(object);
    this.#isShared = isShared;
  }
}

/** A copy that shares the frozen parts. */
function unfrozenCopy<T extends JsonValue>(value: T): T;
function unfrozenCopy(value: JsonValue): JsonValue {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  if (!isJsonObject(value)) return value.map((item) => unfrozenCopy(item));
  const copy: MutableJsonObject = {};
  for (const key in value) setKey(copy, key, unfrozenCopy(value[key] ?? null));
  return copy;
}

const none: ReadonlySet<string> = new Set([]);

/**
 * The form of responses of a custom resource is the object itself, and later stages change it. Its frozen parts stay as they
 * are, and scalars count as frozen; if it has others, the object counts as one that no other resembles.
 */
function frozenParts(shown: JsonObject): JsonObject {
  const kept: MutableJsonObject = {};
  for (const field in shown) {
    const part = shown[field] ?? null;
    if (Object.isFrozen(part)) setKey(kept, field, part);
    else if (isJsonObject(part) && Object.values(part).every(Object.isFrozen))
      setKey(kept, field, { ...part });
    else return {};
  }
  return kept;
}

/**
 * For objects that may not match their type. The object, its metadata and its spec are different objects in each request; their
 * parts can be shared.
 */
function haveSameParts(before: JsonObject, now: JsonObject): boolean {
  return haveSame(before, now, none, (field, one, other) =>
    haveSame(one, other, field === "metadata" ? neverOwnedMetadata : none, () => false),
  );
}

function haveSame(
  before: JsonObject,
  now: JsonObject,
  ignored: ReadonlySet<string>,
  isSame: (field: string, before: JsonObject, now: JsonObject) => boolean,
): boolean {
  let count = 0;
  for (const field in now) {
    if (ignored.has(field)) continue;
    count += 1;
    const [one, other]: readonly (JsonValue | undefined)[] = [before[field], now[field]];
    if (one === other) continue;
    if (!isJsonObject(one) || !isJsonObject(other) || !isSame(field, one, other)) return false;
  }
  for (const field in before) if (!ignored.has(field)) count -= 1;
  return count === 0;
}
