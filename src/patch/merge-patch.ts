import { DecodeError } from "../apimachinery/decode-error.ts";
import {
  DuplicateKeys,
  isPlainJson,
  type ParsedJson,
  plainJson,
  StrictErrors,
} from "../apimachinery/go/parsed-json.ts";
import { type MutableJsonObject, setKey } from "../apimachinery/json.ts";
import { areInTextOrder, compareText, sortedKeys } from "../apimachinery/text-order.ts";
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

function merged(current: Members, changes: Members): ParsedJson {
  const object: MutableMembers = {};
  for (const key of keysOf(current, changes)) {
    const change = Object.hasOwn(changes, key) ? changes[key] : undefined;
    const value = (Object.hasOwn(current, key) ? current[key] : undefined) ?? null;
    if (change === undefined) setMember(object, key, value);
    else if (change !== null) setMember(object, key, mergedValue(value, change));
  }
  return object;
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
  const object: MutableMembers = {};
  for (const key of sortedKeys(members)) {
    const item = members[key] ?? null;
    // Most members are scalars, which need no call.
    if (item !== null) setMember(object, key, typeof item === "object" ? withoutNulls(item) : item);
  }
  return object;
}

/** The members of a parsed object. */
interface Members {
  readonly [key: string]: ParsedJson;
}

interface MutableMembers {
  [key: string]: ParsedJson;
}

/** The members of an object; of repeated keys, the last counts. Undefined for any other value. */
function membersOf(value: ParsedJson): Members | undefined {
  if (value instanceof DuplicateKeys) {
    const object: MutableMembers = {};
    for (const [key, item] of value.entries) setMember(object, key, item);
    return object;
  }
  return isPlainObject(value) ? value : undefined;
}

function isPlainObject(value: ParsedJson): value is Members & ParsedJson {
  return value !== null && jsonKind(value) === "object";
}

/** The keys of both, sorted. */
function keysOf(one: Members, other: Members): readonly string[] {
  const keys = Object.keys(one);
  for (const key in other) if (!Object.hasOwn(one, key)) keys.push(key);
  return areInTextOrder(keys) ? keys : keys.sort(compareText);
}

function setMember(object: MutableMembers, key: string, value: ParsedJson): void {
  // setKey only looks at the key, so the cast covers the values that ParsedJson allows and JsonValue does not.
  setKey(object as MutableJsonObject, key, value as string);
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
