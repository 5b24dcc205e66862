/** One clause of an Accept header: `application/json;as=Table;g=meta.k8s.io;v=v1;q=0.9`. */
export interface AcceptClause {
  readonly type: string;
  readonly subtype: string;
  /** How much it is wanted; 1 if nothing is said, 0 if what is said is no number. */
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

/** Clients say the same again and again. */
const parsed = new Map<string, readonly AcceptClause[]>();
const mostParsed = 100;

/**
 * The clauses of an Accept header, the best first. What is no media type is left out.
 * As upstream parses it, down to its order, which is not quite one: wildcards come after what is more specific,
 * whatever is said of how much they are wanted, unless they stood behind it and are wanted more.
 */
export function parseAccept(header: string): readonly AcceptClause[] {
  const known = parsed.get(header);
  if (known !== undefined) return known;
  if (parsed.size === mostParsed) parsed.clear();
  const clauses = readClauses(header);
  parsed.set(header, clauses);
  return clauses;
}

function readClauses(header: string): readonly AcceptClause[] {
  const clauses: AcceptClause[] = [];
  for (const part of header.split(",")) {
    const clause = parseClause(part);
    if (clause === undefined) continue;
    // An insertion sort by upstream's comparison, because another sort would give another order.
    let place = clauses.length;
    while (place > 0 && isBetter(clause, clauses[place - 1])) place--;
    clauses.splice(place, 0, clause);
  }
  return clauses;
}

function isBetter(a: AcceptClause, b: AcceptClause | undefined): boolean {
  if (b === undefined) return false;
  if (a.q > b.q) return true;
  return (a.type !== "*" && b.type === "*") || (a.subtype !== "*" && b.subtype === "*");
}

function parseClause(part: string): AcceptClause | undefined {
  const [range = "", ...texts] = trimSpaces(part).split(";");
  const [type = "", subtype = "", ...rest] = range.split("/").map(trimSpaces);
  if (rest.length > 0 || (subtype === "" && type !== "*")) return undefined;
  let q = 1;
  const params = new Map<string, string>();
  for (const text of texts) {
    const [name = "", value = "", ...others] = text.split("=");
    if (value === "" || others.length > 0) continue;
    if (trimSpaces(name) === "q") q = parseQuality(value);
    else params.set(trimSpaces(name), trimSpaces(value));
  }
  return { type, subtype: subtype === "" ? "*" : subtype, q, params };
}

function parseQuality(text: string): number {
  return /^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/.test(text) ? Number(text) : 0;
}

function trimSpaces(text: string): string {
  return text.replace(/^ +| +$/g, "");
}

const TOKEN = /[!#$%&'*+\-.^_`|~\dA-Za-z]+/y;
const QUOTED = /"(?:[^"\\\r\n]|\\[^\r\n])*"/y;
const SEMICOLON = /\s*;\s*/y;
const EQUALS = /\s*=\s*/y;
const MEDIA_TYPE = /^[!#$%&'*+\-.^_`|~\da-z]+(?:\/[!#$%&'*+\-.^_`|~\da-z]+)?$/;

/** The media type of a Content-Type header; undefined when it, or one of the parameters, cannot be understood. */
export function parseContentType(header: string): ContentType | undefined {
  const end = header.indexOf(";");
  const mediaType = (end < 0 ? header : header.slice(0, end)).trim().toLowerCase();
  const params = end < 0 ? new Map<string, string>() : parseParams(header.slice(end).trimEnd());
  return MEDIA_TYPE.test(mediaType) && params !== undefined ? { mediaType, params } : undefined;
}

/** Reads `; name=value` again and again; a semicolon at the end does no harm. */
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

/** A backslash stands for itself unless a separator follows: paths of Windows are sent as they are. */
function unquote(quoted: string): string {
  return quoted.slice(1, -1).replace(/\\([()<>@,;:\\"/[\]?=])/g, "$1");
}
