import { DecodeError } from "../apimachinery/decode-error.ts";
import { decodeUtf8 } from "../apimachinery/go/go-utf8.ts";
import { isPlainJson, type ParsedJson, plainJson, StrictErrors } from "../apimachinery/go/parsed-json.ts";
import type { JsonObject } from "../apimachinery/json.ts";
import { encodeJson, readJson } from "../codec/json/json.ts";
import { jsonKind } from "../schema/decode-state.ts";
import type { FieldValidation } from "./field-validation.ts";
import { JsonPatchDocument } from "./json-patch-document.ts";
import { nodeOf } from "./lazy-node.ts";
import { PatchError } from "./patch-error.ts";
import { compactJson, rawElements, rawMembers } from "./raw-json.ts";

const MAX_OPERATIONS = 10_000;

/** One operation of a JSON patch, as sent. Errors in it are reported when it is applied. */
export interface JsonPatchOperation {
  /** Undefined if it is missing or not a string, like the two pointers. */
  readonly op: string | undefined;
  readonly path: string | undefined;
  readonly from: string | undefined;
  /** The value as compact JSON text, which `test` compares; `null` if it is missing. */
  readonly value: string;
}

/** A parsed JSON patch. */
export interface JsonPatch {
  readonly operations: readonly JsonPatchOperation[];
  /** The errors of strict field validation: `json patch unknown field "[0].bogus"`. Empty if nothing is validated. */
  readonly strictErrors: readonly string[];
}

/**
 * The document after the operations, in the dialect of `JsonPatchDocument`.
 * @throws {PatchError} unprocessable, at the first operation that does not apply
 */
export function applyJsonPatch(document: JsonObject, operations: readonly JsonPatchOperation[]): ParsedJson {
  return readJson(patchJsonText(encodeJson(document), operations));
}

/** Like `applyJsonPatch`, but works on the compact JSON text of an object. */
export function patchJsonText(document: string, operations: readonly JsonPatchOperation[]): string {
  const patched = new JsonPatchDocument(document);
  for (const operation of operations) applyOperation(patched, operation);
  return patched.write();
}

function applyOperation(document: JsonPatchDocument, { op, path, from, value }: JsonPatchOperation): void {
  if (op === undefined || !operations.has(op)) {
    throw new PatchError("unprocessable", `Unexpected kind: ${op ?? "unknown"}`);
  }
  if ((op === "move" || op === "copy") && from === undefined) {
    const problem = "operation, missing from field: missing value";
    throw new PatchError("unprocessable", `${op} operation failed to decode from: ${problem}`);
  }
  if (path === undefined) {
    const isShort = op === "add" || op === "remove" || op === "copy";
    const problem = isShort ? "missing value" : "operation missing path field: missing value";
    throw new PatchError("unprocessable", `${op} operation failed to decode path: ${problem}`);
  }
  if (op === "add") document.add(path, nodeOf(value));
  else if (op === "remove") document.remove(path);
  else if (op === "replace") document.replace(path, nodeOf(value));
  else if (op === "test") document.test(path, nodeOf(value));
  else if (op === "move") document.move(from ?? "", path);
  else document.copy(from ?? "", path);
}

const operations: ReadonlySet<string> = new Set(["add", "remove", "replace", "test", "move", "copy"]);

/** The Go types that upstream decodes a patch into, as its errors name them, and the prefix of these errors. */
interface DecodedAs {
  readonly prefix: string;
  readonly list: string;
  readonly element: string;
}

/** The handler decodes the patch first, for field validation. */
const byHandler: DecodedAs = {
  prefix: "error decoding patch: ",
  list: "Go value of type []handlers.jsonPatchOp",
  element: "Go value of type handlers.jsonPatchOp",
};

const byLibrary: DecodedAs = {
  prefix: "",
  list: "Go value of type jsonpatch.Patch",
  element: "Go value of type jsonpatch.Operation",
};

/**
 * Parses a JSON patch. Null is a patch without operations.
 * @throws {PatchError} badRequest with Go's message, tooLarge for more than 10,000 operations
 */
export function parseJsonPatch(body: Uint8Array | string, fieldValidation: FieldValidation): JsonPatch {
  const text = typeof body === "string" ? body : decodeUtf8(body);
  const { prefix, list, element } = fieldValidation === "Ignore" ? byLibrary : byHandler;
  const parsed = withPatchError(() => readJson(text), prefix);
  if (parsed === null) return { operations: [], strictErrors: [] };
  if (!Array.isArray(parsed)) throw mismatch(parsed, list, prefix);
  const strictErrors = new StrictErrors();
  const mayRepeat = !isPlainJson(parsed);
  const operations = rawElements(text).map((raw, i) => {
    const operation: ParsedJson = parsed[i] ?? null;
    if (operation === null) return operationOf([]);
    if (jsonKind(operation) !== "object") throw mismatch(operation, element, prefix);
    const members = rawMembers(raw);
    if (fieldValidation !== "Ignore") validateMembers(members, `[${i}]`, mayRepeat, strictErrors);
    return operationOf(members);
  });
  if (operations.length > MAX_OPERATIONS) {
    const limit = `The allowed maximum operations in a JSON patch is ${MAX_OPERATIONS}`;
    throw new PatchError("tooLarge", `${limit}, got ${operations.length}`);
  }
  return { operations, strictErrors: strictErrors.list().map((error) => `json patch ${error}`) };
}

/** The members of an operation as written. */
type RawMembers = readonly (readonly [key: string, raw: string])[];

/** If a member is repeated, the last one counts. */
function operationOf(members: RawMembers): JsonPatchOperation {
  const byKey = new Map(members);
  return {
    op: textOf(byKey.get("op")),
    path: textOf(byKey.get("path")),
    from: textOf(byKey.get("from")),
    value: compactJson(byKey.get("value") ?? "null"),
  };
}

function textOf(raw: string | undefined): string | undefined {
  return raw?.startsWith('"') ? JSON.parse(raw) : undefined;
}

const textMembers: ReadonlySet<string> = new Set(["op", "path", "from"]);

/**
 * Finds unknown and duplicate members of an operation. Inside values only duplicates count; they are searched only if
 * the patch repeats a key anywhere.
 * @throws {PatchError} badRequest for a member of the wrong type
 */
function validateMembers(
  members: RawMembers,
  path: string,
  mayRepeat: boolean,
  strictErrors: StrictErrors,
): void {
  const seen = new Set<string>();
  for (const [key, raw] of members) {
    const isText = textMembers.has(key);
    if (!isText && key !== "value") {
      strictErrors.add("unknown field", `${path}.${key}`);
      continue;
    }
    if (seen.has(key)) strictErrors.add("duplicate field", `${path}.${key}`);
    seen.add(key);
    if (isText && !raw.startsWith('"') && raw !== "null") {
      const target = `Go struct field jsonPatchOp.${key} of type string`;
      throw mismatch(readJson(raw), target, byHandler.prefix);
    }
    if (!isText && mayRepeat) {
      withPatchError(() => plainJson(readJson(raw), strictErrors, `${path}.value`), byHandler.prefix);
    }
  }
}

function withPatchError<T>(read: () => T, prefix: string): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw new PatchError("badRequest", prefix + error.message);
  }
}

function mismatch(value: ParsedJson, target: string, prefix: string): PatchError {
  return new PatchError("badRequest", `${prefix}json: cannot unmarshal ${jsonKind(value)} into ${target}`);
}
