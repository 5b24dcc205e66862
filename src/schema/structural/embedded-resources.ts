import { DecodeError } from "../../apimachinery/decode-error.ts";
import {
  aggregateMessage,
  type FieldError,
  fieldCauses,
  fieldInvalid,
} from "../../apimachinery/errors/field.ts";
import { noGoTypes } from "../../apimachinery/go/go-shape.ts";
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type MutableJsonObject,
  setKey,
  shallowCopy,
} from "../../apimachinery/json.ts";
import type { Since } from "../../apimachinery/release.ts";
import { child, index, key } from "../../apimachinery/validation/field-path.ts";
import { type Structural, schemaOfOthers } from "./structural-schema.ts";

/** Reads the metadata of a resource as Go's structure does. @throws {DecodeError} for values of other types */
export type MetadataReader = (metadata: JsonValue) => {
  readonly metadata: JsonObject;
  /** The findings of strict decoding, such as `unknown field "a"`. */
  readonly strictErrors: readonly string[];
};

/** A value whose embedded resources have metadata of the release. */
export interface Coerced<T extends JsonValue> {
  readonly value: T;
  /** The findings of strict decoding with whole paths, sorted. */
  readonly strictErrors: readonly string[];
}

/** How the resources within a value are read. */
export interface EmbeddedReading {
  readonly read: MetadataReader;
  /** What happens to fields of wrong types: clients may not send them, and reads from storage omit them. */
  readonly wrongTypes: "refused" | "dropped";
  /** The release that words errors. */
  readonly since: Since;
}

/**
 * Gives the resources within a value the metadata that Go's structure holds, and checks the types of their `apiVersion`
 * and `kind`. The schema says where resources are; parts that stay as they are are shared. Upstream:
 * apiextensions-apiserver, pkg/apiserver/schema/objectmeta/algorithm.go.
 * @throws {WrongTypeError} for the first wrong type, if they are refused
 */
export function coerceEmbedded<T extends JsonValue>(
  value: T,
  schema: Structural,
  reading: EmbeddedReading,
): Coerced<T> {
  if (!schema.hasEmbeddedResources) return { value, strictErrors: [] };
  const strictErrors: string[] = [];
  const coerced = coercedPart(value, schema, "", { ...reading, strictErrors });
  // The value keeps its kind: only entries of objects change.
  return { value: coerced as T, strictErrors: strictErrors.sort() };
}

interface Coercion extends EmbeddedReading {
  readonly strictErrors: string[];
}

function coercedPart(
  value: JsonValue,
  schema: Structural | undefined,
  path: string,
  coercion: Coercion,
): JsonValue {
  if (!schema?.hasEmbeddedResources || typeof value !== "object" || value === null) return value;
  if (isJsonObject(value)) return coercedEntries(value, schema, path, coercion);
  let isSame = true;
  const list = value.map((item: JsonValue, i) => {
    const coerced = coercedPart(item, schema.items, index(path, i), coercion);
    isSame &&= coerced === item;
    return coerced;
  });
  return isSame ? value : list;
}

function coercedEntries(
  object: JsonObject,
  schema: Structural,
  path: string,
  coercion: Coercion,
): JsonObject {
  const result = new ChangedEntries(object);
  const others = schemaOfOthers(schema);
  for (const [name, value] of Object.entries(object)) {
    if (schema.isEmbeddedResource) {
      if (name === "metadata") result.set(name, coercedMetadata(value, child(path, name), coercion));
      else if (name === "apiVersion" || name === "kind")
        result.set(name, coercedType(value, child(path, name), coercion));
    }
    const own = schema.properties.get(name);
    const part = own ?? others;
    if (!part?.hasEmbeddedResources) continue;
    result.set(
      name,
      coercedPart(value, part, own === undefined ? key(path, name) : child(path, name), coercion),
    );
  }
  return result.object;
}

/** An object that is copied when an entry first changes. */
class ChangedEntries {
  readonly #original: JsonObject;
  #changed: MutableJsonObject | undefined;

  constructor(original: JsonObject) {
    this.#original = original;
  }

  get object(): JsonObject {
    return this.#changed ?? this.#original;
  }

  /** Sets an entry, or deletes it if the value is undefined. */
  set(name: string, value: JsonValue | undefined): void {
    if (value === this.#original[name]) return;
    this.#changed ??= shallowCopy(this.#original);
    if (value === undefined) delete this.#changed[name];
    else setKey(this.#changed, name, value);
  }
}

/** An `apiVersion` or a `kind`; undefined if it is dropped. */
function coercedType(value: JsonValue, path: string, { wrongTypes, since }: Coercion): JsonValue | undefined {
  if (typeof value === "string") return value;
  if (wrongTypes === "dropped") return undefined;
  throw refused(path, value, "must be a string", since);
}

function coercedMetadata(value: JsonValue, path: string, coercion: Coercion): JsonValue {
  const { read, wrongTypes, strictErrors, since } = coercion;
  try {
    const { metadata, strictErrors: found } = read(value);
    strictErrors.push(...found.map((text) => text.replace(' field "', ` field "${path}.`)));
    return metadata;
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    if (wrongTypes === "refused") throw refused(path, value, error.message, since);
    return isJsonObject(value) ? readable(value, read) : value;
  }
}

/** The fields that can be read, each by itself. */
function readable(metadata: JsonObject, read: MetadataReader): JsonObject {
  const kept = Object.entries(metadata).filter(([name, value]) => {
    try {
      read({ [name]: value });
      return true;
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      return false;
    }
  });
  return read(Object.fromEntries(kept)).metadata;
}

/** A field of a resource within a value has a wrong type. The message is that of the field error. */
export class WrongTypeError extends DecodeError {
  readonly finding: FieldError;

  constructor(finding: FieldError, since: Since) {
    super(aggregateMessage(fieldCauses([finding], since, noGoTypes)));
    this.finding = finding;
  }
}

function refused(path: string, value: JsonValue, detail: string, since: Since): WrongTypeError {
  return new WrongTypeError(fieldInvalid(path, value, detail), since);
}
