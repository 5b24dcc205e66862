import type { FieldError } from "../apimachinery/errors/field.ts";
import {
  DuplicateKeys,
  isPlainJson,
  type ParsedJson,
  plainJson,
  StrictErrors,
} from "../apimachinery/go/parsed-json.ts";
import {
  getKey,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type MutableJsonObject,
  setKey,
} from "../apimachinery/json.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import type { Release } from "../apimachinery/release.ts";
import { areInTextOrder, compareText, sortedKeys } from "../apimachinery/text-order.ts";
import { rememberedByPart } from "../sharing/remembered-by-part.ts";
import { builtInSchema } from "./built-in-schema.ts";
import type { Converted, Decoded, KindSchema, PublishedType } from "./kind-schema.ts";
import { withDefaults } from "./structural/defaulting.ts";
import { metaFields, pruneObject } from "./structural/pruning.ts";
import { type RuleTree, ruleTree } from "./structural/rules/rule-tree.ts";
import { type Structural, structural } from "./structural/structural-schema.ts";

/** The schema of a version of a custom resource. The keys of objects are sorted, as Go writes maps. */
export class CustomResourceSchema implements KindSchema {
  readonly type: PublishedType;
  readonly #metadata: KindSchema;
  /** The parts of stored objects that need neither pruning nor defaults: frozen ones, or ones that are about to be stored. */
  readonly #complete = new WeakSet<object>();
  readonly #read = rememberedByPart((object: KubeObject): KubeObject => this.#readFromStorage(object));
  #root: Structural | undefined;
  #rules: { readonly tree: RuleTree | undefined } | undefined;

  constructor(type: PublishedType) {
    this.type = type;
    this.#metadata = builtInSchema(type.objectMeta);
  }

  /** The schema of the whole object, which is empty if the version has none. */
  get root(): Structural {
    this.#root ??= structural(this.type.openApiSchema ?? {});
    return this.#root;
  }

  /** The rules of the schema in CEL; undefined if there are none. They are compiled when a write first needs them. */
  rules(release: Release): RuleTree | undefined {
    this.#rules ??= { tree: ruleTree(this.root, { release, isStored: () => true }, { root: true }) };
    return this.#rules.tree;
  }

  decode(value: ParsedJson): Decoded {
    const duplicates = new StrictErrors();
    const plain = isPlainJson(value) ? value : plainJson(value, duplicates);
    const metadata = this.#metadata.decode(entryOf(value, "metadata") ?? {});
    const prefixed = metadata.strictErrors.map((text) => text.replace(' field "', ' field "metadata.'));
    const { value: object, dropped } = this.#pruned(isJsonObject(plain) ? plain : {});
    const unknown = dropped.map((path) => `unknown field ${JSON.stringify(path)}`);
    const repeated = new Set(duplicates.list());
    return {
      object: { ...object, metadata: metadata.object },
      strictErrors: [...repeated, ...prefixed.filter((text) => !repeated.has(text)), ...unknown],
    };
  }

  fromUnstructured(document: JsonObject): Converted {
    const { object, strictErrors } = this.decode(document);
    return { object, unknownFields: strictErrors };
  }

  /** The object and its metadata are new, as later stages change those of a request; other parts stay if they are sorted. */
  canonicalize<T extends JsonObject>(object: T): T {
    if (Object.isFrozen(object)) return object;
    const sorted: MutableJsonObject = {};
    for (const key of sortedKeys(object)) {
      const value = object[key] ?? null;
      const isOpen = key === "metadata" && isJsonObject(value) && !Object.isFrozen(value);
      setKey(sorted, key, sortedValue(isOpen ? this.#metadata.canonicalize(value) : value));
    }
    // Sorting changes no value.
    return sorted as T;
  }

  canonicalizeStored<T extends JsonObject>(object: T): T {
    return this.canonicalize(object);
  }

  outline<T extends JsonObject>(object: T): T {
    return object;
  }

  withEqualQuantities<T extends JsonObject>(old: T): T {
    return old;
  }

  prune(object: MutableJsonObject): void {
    const { value } = this.#pruned(object);
    for (const key of Object.keys(object)) if (!Object.hasOwn(value, key)) delete object[key];
    Object.assign(object, value);
  }

  setDefaults(object: MutableJsonObject): void {
    const defaulted = withDefaults<JsonObject>(object, this.root);
    if (defaulted === object) return;
    for (const [key, value] of Object.entries(defaulted)) setKey(object, key, value);
  }

  /** The strategy of the kind validates objects, since its errors stand between others. */
  validate(): readonly FieldError[] {
    return [];
  }

  /**
   * A stored object as upstream decodes it: without fields that the schema does not have, and with its defaults. The same
   * object if it is so already, which is remembered for its parts.
   */
  fromStorage(object: KubeObject): KubeObject {
    return this.#isComplete(object) ? object : this.#read(object);
  }

  /** Remembers that an object which is about to be stored was pruned and completed by this schema. */
  rememberComplete(object: KubeObject): void {
    for (const field in object) {
      const part = object[field];
      if (field !== "metadata" && typeof part === "object" && part !== null) this.#complete.add(part);
    }
  }

  /** An object of another version that says it is of this one, without fields that the schema does not have. */
  pruned(object: KubeObject): KubeObject {
    // Pruning keeps the type and the metadata.
    return this.#pruned(object).value as KubeObject;
  }

  #isComplete(object: KubeObject): boolean {
    const { root } = this;
    for (const field in object) {
      if (metaFields.has(field)) continue;
      const part = object[field];
      const isKnown =
        typeof part === "object" && part !== null ? this.#complete.has(part) : root.properties.has(field);
      if (!isKnown || part === null) return false;
    }
    return root.defaulted.every(([field]) => Object.hasOwn(object, field));
  }

  #readFromStorage(object: KubeObject): KubeObject {
    const read = withDefaults(this.pruned(object), this.root);
    if (read === object && Object.isFrozen(object)) this.rememberComplete(object);
    return read;
  }

  #pruned(object: JsonObject): ReturnType<typeof pruneObject> {
    if (this.type.preserveUnknownFields) return { value: object, dropped: [] };
    return pruneObject(object, this.root);
  }
}

/** The schema of objects that a definition says nothing about: everything stays, or nothing but the metadata. */
export function schemaWithoutDefinition(
  objectMeta: PublishedType["objectMeta"],
  unknownFields: "kept" | "dropped",
): CustomResourceSchema {
  const preserveUnknownFields = unknownFields === "kept";
  return new CustomResourceSchema({
    from: "openApi",
    openApiSchema: undefined,
    preserveUnknownFields,
    objectMeta,
  });
}

/** The last value of a key, as Go reads repeated keys. */
function entryOf(value: ParsedJson, key: string): ParsedJson | undefined {
  if (value instanceof DuplicateKeys) return value.entries.findLast(([name]) => name === key)?.[1];
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  // Parsed JSON that is an object and has no repeated keys; an own key is data.
  return getKey(value as JsonObject, key);
}

/** The value with sorted keys at every level; the same value if they are sorted, as those of frozen parts are. */
function sortedValue(value: JsonValue): JsonValue {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  return isJsonObject(value) ? sortedObject(value) : sortedItems(value);
}

function sortedItems(list: readonly JsonValue[]): readonly JsonValue[] {
  let isSame = true;
  const sorted = list.map((item) => {
    const inOrder = sortedValue(item);
    isSame &&= inOrder === item;
    return inOrder;
  });
  return isSame ? list : sorted;
}

function sortedObject(object: JsonObject): JsonObject {
  const keys = Object.keys(object);
  const isInOrder = areInTextOrder(keys);
  if (!isInOrder) keys.sort(compareText);
  let sorted: MutableJsonObject | undefined = isInOrder ? undefined : {};
  let place = 0;
  for (const key of keys) {
    const value = object[key] ?? null;
    const part = sortedValue(value);
    if (sorted === undefined && part !== value) sorted = withEntries(object, keys.slice(0, place));
    if (sorted !== undefined) setKey(sorted, key, part);
    place += 1;
  }
  return sorted ?? object;
}

function withEntries(object: JsonObject, keys: readonly string[]): MutableJsonObject {
  const entries: MutableJsonObject = {};
  for (const key of keys) setKey(entries, key, object[key] ?? null);
  return entries;
}
