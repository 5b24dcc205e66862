import { goTrim } from "../../apimachinery/go-trim.ts";

/** One clause of an Accept header: `application/json;as=Table;g=meta.k8s.io;v=v1;q=0.9`. */
export interface AcceptClause {
  readonly type: string;
  readonly subtype: string;
  /** The quality; 1 if it is missing, 0 if it is not a number. */
  readonly q: number;
  /** All other parameters, such as `as`, `g`, `v`, `stream` and `pretty`. Their names are case-sensitive. */
  readonly params: ReadonlyMap<string, string>;
}

/** The media type of a body. */
export interface ContentType {
  /** In lower case, without parameters. */
  readonly mediaType: string;
  readonly params: ReadonlyMap<string, string>;
}

/** Go sorts up to this many elements by insertion. */
const longestInserted = 12;

/** The headers of fetch, client-go and kubectl, which need no parsing. */
const commonHeaders: ReadonlyMap<string, readonly AcceptClause[]> = new Map(
  [
    "*/*",
    "application/json",
    "application/json, */*",
    "application/vnd.kubernetes.protobuf,application/json",
    "application/vnd.kubernetes.protobuf, */*",
    "application/json;as=Table;v=v1;g=meta.k8s.io,application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json",
  ].map((header) => [header, readClauses(header)]),
);

/**
 * The clauses of an Accept header, best first, without invalid media types. Follows upstream, including its
 * inconsistent order: wildcards come after specific types regardless of quality, unless they follow them in the header
 * with a higher quality.
 */
export function parseAccept(header: string): readonly AcceptClause[] {
  return commonHeaders.get(header) ?? readClauses(header);
}

function readClauses(header: string): readonly AcceptClause[] {
  const clauses: AcceptClause[] = [];
  for (const part of header.split(",")) {
    const clause = parseClause(part);
    if (clause !== undefined) clauses.push(clause);
  }
  return clauses.length <= longestInserted ? sortedByInsertion(clauses) : sortedByMerging(clauses);
}

/** Upstream's comparison is inconsistent, so that only Go's own algorithm gives Go's order. */
function sortedByInsertion(clauses: readonly AcceptClause[]): readonly AcceptClause[] {
  const sorted: AcceptClause[] = [];
  for (const clause of clauses) {
    const place = sorted.findLastIndex((before) => !isBetter(clause, before)) + 1;
    sorted.splice(place, 0, clause);
  }
  return sorted;
}

/** The order of longer headers, which no client sends, is not Go's if the comparison is inconsistent. It is stable. */
function sortedByMerging(clauses: readonly AcceptClause[]): readonly AcceptClause[] {
  return clauses.toSorted((a, b) => Number(isBetter(b, a)) - Number(isBetter(a, b)));
}

function isBetter(a: AcceptClause, b: AcceptClause): boolean {
  if (a.q > b.q) return true;
  return (a.type !== "*" && b.type === "*") || (a.subtype !== "*" && b.subtype === "*");
}

function parseClause(part: string): AcceptClause | undefined {
  const [range = "", ...texts] = goTrim(part, " ").split(";");
  const [type = "", subtype = "", ...rest] = range.split("/").map((text) => goTrim(text, " "));
  if (rest.length > 0 || (subtype === "" && type !== "*")) return undefined;
  let q = 1;
  const params = new Map<string, string>();
  for (const text of texts) {
    const [name = "", value = "", ...others] = text.split("=");
    if (value === "" || others.length > 0) continue;
    const key = goTrim(name, " ");
    if (key === "q") q = parseQuality(value);
    else params.set(key, goTrim(value, " "));
  }
  return { type, subtype: subtype === "" ? "*" : subtype, q, params };
}

function parseQuality(text: string): number {
  return /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?$/.test(text) ? Number(text) : 0;
}

const TOKEN = /[!#$%&'*+\-.^_`|~\dA-Za-z]+/y;
const QUOTED = /"(?:[^"\\\r\n]|\\[^\r\n])*"/y;
const SEMICOLON = /\s*;\s*/y;
const EQUALS = /\s*=\s*/y;
const MEDIA_TYPE = /^[!#$%&'*+\-.^_`|~\da-z]+(?:\/[!#$%&'*+\-.^_`|~\da-z]+)?$/;

/** The media type of a Content-Type header; undefined if it or one of its parameters is invalid. */
export function parseContentType(header: string): ContentType | undefined {
  const end = header.indexOf(";");
  const mediaType = (end < 0 ? header : header.slice(0, end)).trim().toLowerCase();
  const params = end < 0 ? new Map<string, string>() : parseParams(header.slice(end).trimEnd());
  return MEDIA_TYPE.test(mediaType) && params !== undefined ? { mediaType, params } : undefined;
}

/** Parses `; name=value` pairs. A semicolon at the end is allowed. */
function parseParams(text: string): Map<string, string> | undefined {
  let at = 0;
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    at += found?.length ?? 0;
    return found;
  };
  const params = new Map<string, string>();
  while (at < text.length) {
    if (take(SEMICOLON) === undefined) return undefined;
    if (at === text.length) break;
    const name = take(TOKEN)?.toLowerCase();
    if (name === undefined || take(EQUALS) === undefined) return undefined;
    const quoted = take(QUOTED);
    const value = quoted === undefined ? take(TOKEN) : unquote(quoted);
    if (value === undefined || (params.get(name) ?? value) !== value) return undefined;
    params.set(name, value);
  }
  return params;
}

/** A backslash is literal unless a separator follows, so that Windows paths are kept. */
function unquote(quoted: string): string {
  return quoted.slice(1, -1).replace(/\\([()<>@,;:\\"/[\]?=])/g, "$1");
}
