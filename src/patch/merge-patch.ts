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
import { readJson } from "../codec/json/json.ts";
import { jsonKind } from "../schema/decode-state.ts";
import type { FieldValidation } from "./field-validation.ts";
import { PatchError } from "./patch-error.ts";

/** A merge patch that was read. */
export interface MergePatch {
  /** An object; a list as well, if nothing is validated. */
  readonly patch: ParsedJson;
  /** What strict field validation refuses: `duplicate field "data.a"`. Empty if nothing is validated. */
  readonly strictErrors: readonly string[];
}

/**
 * The document after a merge patch. As RFC 7386 has it, nulls take members away; as upstream has it, they are also
 * dropped from the objects of a list that is added or takes another's place. Objects that the patch touched have their
 * keys sorted, which errors show.
 */
export function applyMergePatch(document: ParsedJson, patch: ParsedJson): ParsedJson {
  const current = membersOf(document);
  const changes = membersOf(patch);
  return current === undefined || changes === undefined ? withoutNulls(patch) : merged(current, changes);
}

/** Changes `current`, which is the caller's own. */
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
  // What takes an object's place keeps its nulls.
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

/** The members of an object, the last of those with the same key; undefined for everything else. */
function membersOf(value: ParsedJson): Map<string, ParsedJson> | undefined {
  if (value instanceof DuplicateKeys) return new Map(value.entries);
  return value !== null && jsonKind(value) === "object" ? new Map(Object.entries(value)) : undefined;
}

function sortedObject(members: ReadonlyMap<string, ParsedJson>): ParsedJson {
  const object: { [key: string]: ParsedJson } = {};
  for (const key of [...members.keys()].sort(compareText)) {
    // Where keys go does not depend on what the values are, of which ParsedJson has more kinds.
    setKey(object as MutableJsonObject, key, members.get(key) as string);
  }
  return object;
}

const GO_MAP = "Go value of type map[string]interface {}";

/**
 * Reads a merge patch.
 * @throws {PatchError} badRequest: in Go's words, or `Invalid JSON Patch`
 */
export function parseMergePatch(body: Uint8Array | string, fieldValidation: FieldValidation): MergePatch {
  if (fieldValidation === "Ignore") return { patch: unvalidated(body), strictErrors: [] };
  const strictErrors = new StrictErrors();
  const patch = validated(body, strictErrors);
  if (patch === null) throw invalidPatch();
  return { patch, strictErrors: strictErrors.list() };
}

/** Read by upstream's patch library alone, which says no more than that it cannot. */
function unvalidated(body: Uint8Array | string): ParsedJson {
  const patch = read(body, invalidPatch);
  if (Array.isArray(patch) || membersOf(patch) !== undefined) return patch;
  throw invalidPatch();
}

function validated(body: Uint8Array | string, strictErrors: StrictErrors): ParsedJson {
  const refusal = ({ message }: DecodeError) =>
    new PatchError("badRequest", `error decoding patch: ${message}`);
  const patch = read(body, refusal);
  if (patch !== null && jsonKind(patch) !== "object") {
    throw refusal(new DecodeError(`json: cannot unmarshal ${jsonKind(patch)} into ${GO_MAP}`));
  }
  if (!isPlainJson(patch)) explained(() => plainJson(patch, strictErrors), refusal);
  return patch;
}

function read(body: Uint8Array | string, refusal: (error: DecodeError) => PatchError): ParsedJson {
  return explained(() => readJson(body), refusal);
}

function explained<T>(decode: () => T, refusal: (error: DecodeError) => PatchError): T {
  try {
    return decode();
  } catch (error) {
    throw error instanceof DecodeError ? refusal(error) : error;
  }
}

function invalidPatch(): PatchError {
  return new PatchError("badRequest", "Invalid JSON Patch");
}
