import { badRequest } from "../../apimachinery/errors.ts";
import { getKey, isJsonObject, type JsonValue } from "../../apimachinery/json.ts";
import { decodeBase64Url, encodeBase64Url } from "../../codec/base64-url.ts";
import { parseJson } from "../../codec/json.ts";

const tokenVersion = "meta.k8s.io/v1";

/**
 * Where a list goes on: at a revision, or at the newest one (-1), from a key relative to the collection. Tokens of
 * upstream's watch cache have a slash before the key; both forms are read.
 */
export interface ContinueToken {
  readonly revision: number;
  readonly start: string;
}

/** The token as clients carry it: opaque to them, plain JSON in base64url to us. */
export function encodeContinueToken(token: ContinueToken): string {
  const text = `{"v":"${tokenVersion}","rv":${token.revision},"start":${encodeStart(token.start)}}`;
  return encodeBase64Url(new TextEncoder().encode(text));
}

/** Go escapes what HTML could misread, and writes NUL as \u0000 like JSON does. */
function encodeStart(start: string): string {
  return JSON.stringify(start).replace(/[<>&]/g, (c) => `\\u00${c.charCodeAt(0).toString(16)}`);
}

/**
 * Reads a token back.
 * @throws {StatusError} badRequest that says what is wrong with it.
 */
export function decodeContinueToken(text: string): ContinueToken {
  const { version, revision, start } = tokenFields(parseToken(text));
  if (version !== tokenVersion) {
    throw invalidToken(`server does not recognize this encoded version ${version}`);
  }
  if (revision === 0) throw invalidToken(`incorrect encoded start resourceVersion (version ${tokenVersion})`);
  if (start === "") throw invalidToken(`encoded start key empty (version ${tokenVersion})`);
  const relative = start.replace(/^\//, "");
  if (!isCleanPath(relative)) throw invalidToken(start);
  return { revision, start: relative };
}

function parseToken(text: string): JsonValue {
  try {
    return parseJson(decodeBase64Url(text));
  } catch (error) {
    throw invalidToken(error instanceof Error ? error.message : String(error));
  }
}

function tokenFields(token: JsonValue): { version: string; revision: number; start: string } {
  if (!isJsonObject(token)) return { version: "", revision: 0, start: "" };
  const version = getKey(token, "v");
  const revision = getKey(token, "rv");
  const start = getKey(token, "start");
  return {
    version: typeof version === "string" ? version : "",
    revision: typeof revision === "number" ? revision : 0,
    start: typeof start === "string" ? start : "",
  };
}

/** A key that climbs out of its collection (`a/../b`) or has empty segments is not one that we gave out. */
function isCleanPath(start: string): boolean {
  const segments = start.split("/");
  return segments.every((segment) => segment !== "" && segment !== "." && segment !== "..");
}

function invalidToken(detail: string): Error {
  return badRequest(`invalid continue token: continue key is not valid: ${detail}`);
}
