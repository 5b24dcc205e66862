import { decodeUtf8KeepingBytes } from "../apimachinery/go/go-utf8.ts";
import { noQuery, type QueryParameters, queryOfPairs } from "./query-parameters.ts";

/** A parsed request target. */
export interface RequestTarget {
  /** Percent-decoded. */
  readonly path: string;
  readonly query: QueryParameters;
}

/** The target's percent-encoding is malformed; Go's server answers 400 before any handler runs. */
export class MalformedTargetError extends Error {
  override readonly name = "MalformedTargetError";
}

/** @throws {MalformedTargetError} when the path is not valid percent-encoding. */
export function parseTarget(sent: string): RequestTarget {
  const target = sent.startsWith("/") ? sent : withoutOrigin(sent);
  const mark = target.indexOf("?");
  const rawPath = mark < 0 ? target : target.slice(0, mark);
  const query = mark < 0 ? noQuery : parseQuery(withoutMalformedPairs(target.slice(mark + 1)));
  return { path: decodePath(rawPath), query };
}

/** Clients that use the server as a proxy send an absolute URL. */
function withoutOrigin(url: string): string {
  const origin = /^https?:\/\/[^/?]*/i.exec(url);
  return origin === null ? url : url.slice(origin[0].length);
}

function decodePath(rawPath: string): string {
  if (!rawPath.includes("%")) return rawPath;
  if (/%(?![0-9A-Fa-f]{2})/.test(rawPath)) throw new MalformedTargetError(rawPath);
  try {
    return decodeURIComponent(rawPath);
  } catch {
    // The escapes are valid but the bytes are not UTF-8: Go keeps the bytes, and no name can match them.
    return rawPath.replace(/(?:%[0-9A-Fa-f]{2})+/g, decodeLeniently);
  }
}

function decodeLeniently(escapes: string): string {
  const bytes = escapes.split("%").slice(1);
  return decodeUtf8KeepingBytes(Uint8Array.from(bytes, (hex) => Number.parseInt(hex, 16)));
}

function parseQuery(search: string): QueryParameters {
  if (!/%[89A-Fa-f]/.test(search) || isUtf8(search)) return new URLSearchParams(search);
  const pairs = search.split("&").filter((pair) => pair !== "");
  return queryOfPairs(pairs.map(decodePair));
}

/** Whether the bytes of all escapes are UTF-8. */
function isUtf8(search: string): boolean {
  try {
    decodeURIComponent(search);
    return true;
  } catch {
    return false;
  }
}

function decodePair(pair: string): readonly [name: string, value: string] {
  const spaced = pair.replaceAll("+", " ");
  const equals = spaced.indexOf("=");
  if (equals < 0) return [decodePath(spaced), ""];
  return [decodePath(spaced.slice(0, equals)), decodePath(spaced.slice(equals + 1))];
}

/** Go skips pairs with malformed escapes or a semicolon and reads the others. */
function withoutMalformedPairs(search: string): string {
  if (!search.includes("%") && !search.includes(";")) return search;
  return search
    .split("&")
    .filter((pair) => !pair.includes(";") && !/%(?![0-9A-Fa-f]{2})/.test(pair))
    .join("&");
}
