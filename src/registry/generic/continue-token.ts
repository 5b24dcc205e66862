import { badRequest } from "../../apimachinery/errors/errors.ts";
import { messageOf } from "../../apimachinery/errors/message-of.ts";
import { DuplicateKeys, NumberLiteral, type ParsedJson } from "../../apimachinery/go/parsed-json.ts";
import { decodeBase64Url, encodeBase64Url } from "../../codec/base64-url.ts";
import { readJson } from "../../codec/json/json.ts";
import { jsonKind } from "../../schema/decode-state.ts";

const tokenVersion = "meta.k8s.io/v1";

/**
 * The position where a list continues: a revision, or the latest one if it is negative, and a key relative to the
 * collection. Tokens of upstream's watch cache have a slash before the key; decoding accepts both forms.
 */
export interface ContinueToken {
  readonly revision: number;
  readonly start: string;
}

/** Encodes a token: JSON in base64url, opaque to clients. */
export function encodeContinueToken(token: ContinueToken): string {
  const text = `{"v":"${tokenVersion}","rv":${token.revision},"start":${encodeStart(token.start)}}`;
  return encodeBase64Url(new TextEncoder().encode(text));
}

/** Escapes HTML characters as Go's `json.Marshal` does. */
function encodeStart(start: string): string {
  return JSON.stringify(start).replace(/[<>&]/g, (c) => `\\u00${c.charCodeAt(0).toString(16)}`);
}

/**
 * Decodes a token.
 * @throws {StatusError} badRequest for an invalid token
 */
export function decodeContinueToken(text: string): ContinueToken {
  const { v: version, rv: revision, start } = readToken(text);
  if (version !== tokenVersion) {
    throw invalidToken(`server does not recognize this encoded version ${version}`);
  }
  if (revision === 0) throw invalidToken(`incorrect encoded start resourceVersion (version ${tokenVersion})`);
  if (start === "") throw invalidToken(`encoded start key empty (version ${tokenVersion})`);
  const relative = start.replace(/^\//, "");
  if (relative !== "" && !isCleanPath(relative)) throw invalidToken(start);
  return { revision, start: relative };
}

/** The fields of a token with their Go types. */
const goTypes = { v: "string", rv: "int64", start: "string" } as const;
type Field = keyof typeof goTypes;

function readToken(text: string): { v: string; rv: number; start: string } {
  const fields = { v: "", rv: 0, start: "" };
  for (const [name, value] of membersOf(parseToken(text))) {
    if (!isField(name) || value === null) continue;
    if (name === "rv") fields.rv = revisionOf(value);
    else if (typeof value === "string") fields[name] = value;
    else throw mismatch(jsonKind(value), fieldTarget(name));
  }
  return fields;
}

function isField(name: string): name is Field {
  return Object.hasOwn(goTypes, name);
}

function parseToken(text: string): ParsedJson {
  try {
    return readJson(decodeBase64Url(text));
  } catch (error) {
    throw invalidToken(messageOf(error));
  }
}

function revisionOf(value: ParsedJson): number {
  if (typeof value === "number" || typeof value === "bigint") return Number(value);
  const sent = value instanceof NumberLiteral ? `number ${value.text}` : jsonKind(value);
  throw mismatch(sent, fieldTarget("rv"));
}

function membersOf(token: ParsedJson): readonly (readonly [name: string, value: ParsedJson])[] {
  if (token === null) return [];
  if (token instanceof DuplicateKeys) return token.entries;
  if (jsonKind(token) === "object") return Object.entries(token);
  throw mismatch(jsonKind(token), "Go value of type storage.continueToken");
}

function fieldTarget(field: Field): string {
  return `Go struct field continueToken.${field} of type ${goTypes[field]}`;
}

function mismatch(sent: string, target: string): Error {
  return invalidToken(`json: cannot unmarshal ${sent} into ${target}`);
}

/** A key with an empty or a `..` segment is not from this server. */
function isCleanPath(start: string): boolean {
  const segments = start.split("/");
  return segments.every((segment) => segment !== "" && segment !== "." && segment !== "..");
}

function invalidToken(detail: string): Error {
  return badRequest(`invalid continue token: continue key is not valid: ${detail}`);
}
