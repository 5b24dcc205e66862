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
import type { Release, Since } from "../apimachinery/release.ts";
import { sortedKeys } from "../apimachinery/text-order.ts";
import { rememberedByPart } from "../sharing/remembered-by-part.ts";
import { builtInSchema } from "./built-in-schema.ts";
import { canonicalizeSorted } from "./canonical.ts";
import { embeddedMetadata } from "./embedded-metadata.ts";
import type { Converted, Decoded, KindSchema, PublishedType } from "./kind-schema.ts";
import { sortedValue } from "./sorted-value.ts";
import { withDefaults } from "./structural/defaulting.ts";
import {
  type Coerced,
  coerceEmbedded,
  type EmbeddedReading,
  type MetadataReader,
} from "./structural/embedded-resources.ts";
import { metaFields, pruneObject } from "./structural/pruning.ts";
import { type RuleTree, ruleTree } from "./structural/rules/rule-tree.ts";
import { type Structural, structural } from "./structural/structural-schema.ts";

/** The schema of a version of a custom resource. The keys of objects are sorted, as Go writes maps. */
export class CustomResourceSchema implements KindSchema {
  readonly type: PublishedType;
  readonly #metadata: KindSchema;
  readonly #since: Since;
  /** The parts of stored objects that need neither pruning nor defaults: frozen ones, or ones that are about to be stored. */
  readonly #complete = new WeakSet<object>();
  readonly #embeddedMetadata: MetadataReader;
  readonly #read = rememberedByPart((object: KubeObject): KubeObject => this.#readFromStorage(object));
  #root: Structural | undefined;
  #rules: { readonly tree: RuleTree | undefined } | undefined;

  /** `since` knows the release that words errors of resources within objects. */
  constructor(type: PublishedType, since: Since) {
    this.type = type;
    this.#since = since;
    this.#metadata = builtInSchema(type.objectMeta);
    this.#embeddedMetadata = embeddedMetadata(type.objectMeta);
  }

  /** The schema of the whole object, which is empty if the version has none. */
  get root(): Structural {
    this.#root ??= structural(this.type.openApiSchema ?? {});
    return this.#root;
  }

  /** The rules of the schema in CEL; undefined if there are none. `measured` compiles them, when a write first needs them. */
  rules(
    release: Release,
    measured: (compile: () => RuleTree | undefined) => RuleTree | undefined,
  ): RuleTree | undefined {
    const compile = () => ruleTree(this.root, { release, isStored: () => true }, { root: true });
    this.#rules ??= { tree: measured(compile) };
    return this.#rules.tree;
  }

  decode(value: ParsedJson): Decoded {
    const duplicates = new StrictErrors();
    const plain = isPlainJson(value) ? value : plainJson(value, duplicates);
    const metadata = this.#metadata.decode(entryOf(value, "metadata") ?? {});
    const prefixed = metadata.strictErrors.map((text) => text.replace(' field "', ' field "metadata.'));
    const { value: pruned, dropped } = this.#pruned(isJsonObject(plain) ? plain : {});
    const unknown = dropped.map((path) => `unknown field ${JSON.stringify(path)}`);
    const repeated = new Set(duplicates.list());
    const embedded = this.#withEmbedded(pruned, "refused");
    return {
      object: { ...embedded.value, metadata: metadata.object },
      strictErrors: [
        ...repeated,
        ...[...prefixed, ...unknown, ...embedded.strictErrors].filter((text) => !repeated.has(text)),
      ],
    };
  }

  fromUnstructured(document: JsonObject): Converted {
    const { object, strictErrors } = this.decode(document);
    return { object, unknownFields: strictErrors };
  }

  /** The object and its metadata are new, as later stages change those of a request; other parts stay if they are sorted. */
  canonicalize<T extends JsonObject>(object: T): T {
    return this.#sorted(object, undefined);
  }

  /** Metadata and parts of it that equal those of `old` are those. */
  canonicalizeStored<T extends JsonObject>(object: T, old?: JsonObject): T {
    return this.#sorted(object, old?.["metadata"]);
  }

  #sorted<T extends JsonObject>(object: T, oldMetadata: JsonValue | undefined): T {
    if (Object.isFrozen(object)) return object;
    const before = isJsonObject(oldMetadata) ? oldMetadata : undefined;
    const sorted: MutableJsonObject = {};
    for (const key of sortedKeys(object)) {
      const value = object[key] ?? null;
      const isOpen = key === "metadata" && isJsonObject(value) && !Object.isFrozen(value);
      const part = isOpen ? canonicalizeSorted(this.type.objectMeta, value, before) : sortedValue(value);
      setKey(sorted, key, part);
    }
    // Sorting changes no value.
    return sorted as T;
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

  /**
   * An object of another version that says it is of this one, without fields that the schema does not have.
   * @throws {DecodeError} if the metadata of a resource within it has a wrong type
   */
  pruned(object: KubeObject): KubeObject {
    return this.#coerced(object, "refused");
  }

  #coerced(object: KubeObject, wrongTypes: EmbeddedReading["wrongTypes"]): KubeObject {
    // Pruning keeps the type and the metadata.
    return this.#withEmbedded(this.#pruned(object).value, wrongTypes).value as KubeObject;
  }

  /** The object with metadata of the release in the resources within it. */
  #withEmbedded(object: JsonObject, wrongTypes: EmbeddedReading["wrongTypes"]): Coerced<JsonObject> {
    const reading = { read: this.#embeddedMetadata, wrongTypes, since: this.#since };
    return coerceEmbedded(object, this.root, reading);
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
    const read = withDefaults(this.#coerced(object, "dropped"), this.root);
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
  const type = { from: "openApi", openApiSchema: undefined, preserveUnknownFields, objectMeta } as const;
  // Without a schema, there are no resources within objects.
  return new CustomResourceSchema(type, () => true);
}

/** The last value of a key, as Go reads repeated keys. */
function entryOf(value: ParsedJson, key: string): ParsedJson | undefined {
  if (value instanceof DuplicateKeys) return value.entries.findLast(([name]) => name === key)?.[1];
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  // Parsed JSON that is an object and has no repeated keys; an own key is data.
  return getKey(value as JsonObject, key);
}
