import { DecodeError } from "../apimachinery/decode-error.ts";
import {
  DuplicateKeys,
  isPlainJson,
  type ParsedJson,
  plainJson,
  StrictErrors,
} from "../apimachinery/go/parsed-json.ts";
import { type MutableJsonObject, setKey } from "../apimachinery/json.ts";
import { compareText } from "../apimachinery/text-order.ts";
import { type JsonBody, readJson } from "../codec/json/json.ts";
import { jsonKind } from "../schema/decode-state.ts";
import type { FieldValidation } from "./field-validation.ts";
import { PatchError } from "./patch-error.ts";

/** A parsed merge patch. */
export interface MergePatch {
  /** An object. If nothing is validated, it may be a list. */
  readonly patch: ParsedJson;
  /** The errors of strict field validation: `duplicate field "data.a"`. Empty if nothing is validated. */
  readonly strictErrors: readonly string[];
}

/**
 * The document after a merge patch. Nulls remove members, as in RFC 7386. As upstream does, they are also dropped from
 * the objects of a list that is added or replaces another. The keys of objects that the patch changes are sorted,
 * which is visible in error messages.
 */
export function applyMergePatch(document: ParsedJson, patch: ParsedJson): ParsedJson {
  const current = membersOf(document);
  const changes = membersOf(patch);
  return current === undefined || changes === undefined ? withoutNulls(patch) : merged(current, changes);
}

/** Mutates `current`. */
function merged(current: Map<string, ParsedJson>, changes: ReadonlyMap<string, ParsedJson>): ParsedJson {
  for (const [key, change] of changes) {
    if (change === null) current.delete(key);
    else current.set(key, mergedValue(current.get(key) ?? null, change));
  }
  return sortedObject(current);
}

function mergedValue(value: ParsedJson, change: ParsedJson): ParsedJson {
  const current = membersOf(value);
  if (current === undefined) return withoutNulls(change);
  const changes = membersOf(change);
  // A value that replaces an object keeps its nulls.
  return changes === undefined ? change : merged(current, changes);
}

function withoutNulls(value: ParsedJson): ParsedJson {
  if (Array.isArray(value)) return value.map(withoutNulls);
  const members = membersOf(value);
  if (members === undefined) return value;
  for (const [key, item] of members) {
    if (item === null) members.delete(key);
    else members.set(key, withoutNulls(item));
  }
  return sortedObject(members);
}

/** The members of an object; of repeated keys, the last counts. Undefined for any other value. */
function membersOf(value: ParsedJson): Map<string, ParsedJson> | undefined {
  if (value instanceof DuplicateKeys) return new Map(value.entries);
  return value !== null && jsonKind(value) === "object" ? new Map(Object.entries(value)) : undefined;
}

function sortedObject(members: ReadonlyMap<string, ParsedJson>): ParsedJson {
  const object: { [key: string]: ParsedJson } = {};
  for (const key of [...members.keys()].sort(compareText)) {
    // setKey only looks at the key, so the cast covers the values that ParsedJson allows and JsonValue does not.
    setKey(object as MutableJsonObject, key, members.get(key) as string);
  }
  return object;
}

const GO_MAP = "Go value of type map[string]interface {}";

/**
 * Parses a merge patch.
 * @throws {PatchError} badRequest: with Go's message, or `Invalid JSON Patch`
 */
export function parseMergePatch(body: JsonBody, fieldValidation: FieldValidation): MergePatch {
  if (fieldValidation === "Ignore") return { patch: unvalidated(body), strictErrors: [] };
  const strictErrors = new StrictErrors();
  const patch = validated(body, strictErrors);
  if (patch === null) throw invalidPatch();
  return { patch, strictErrors: strictErrors.list() };
}

/** Without validation, upstream's patch library parses the patch, and its error has no details. */
function unvalidated(body: JsonBody): ParsedJson {
  const patch = read(body, invalidPatch);
  if (Array.isArray(patch) || membersOf(patch) !== undefined) return patch;
  throw invalidPatch();
}

function validated(body: JsonBody, strictErrors: StrictErrors): ParsedJson {
  const refusal = ({ message }: DecodeError) =>
    new PatchError("badRequest", `error decoding patch: ${message}`);
  const patch = read(body, refusal);
  if (patch !== null && jsonKind(patch) !== "object") {
    throw refusal(new DecodeError(`json: cannot unmarshal ${jsonKind(patch)} into ${GO_MAP}`));
  }
  if (!isPlainJson(patch)) withPatchError(() => plainJson(patch, strictErrors), refusal);
  return patch;
}

function read(body: JsonBody, refusal: (error: DecodeError) => PatchError): ParsedJson {
  return withPatchError(() => readJson(body), refusal);
}

function withPatchError<T>(decode: () => T, refusal: (error: DecodeError) => PatchError): T {
  try {
    return decode();
  } catch (error) {
    throw error instanceof DecodeError ? refusal(error) : error;
  }
}

function invalidPatch(): PatchError {
  return new PatchError("badRequest", "Invalid JSON Patch");
}
