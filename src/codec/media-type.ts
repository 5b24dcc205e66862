/** One clause of an Accept header: `application/json;as=Table;g=meta.k8s.io;v=v1;q=0.9`. */
export interface AcceptClause {
  readonly type: string;
  readonly subtype: string;
  /** How much it is wanted; 1 if nothing is said, 0 if what is said is no number. */
  readonly q: number;
  /** All other parameters, such as `as`, `g`, `v`, `stream` and `pretty`. Their names are case-sensitive. */
  readonly parameters: ReadonlyMap<string, string>;
}

const anything: AcceptClause = { type: "*", subtype: "*", q: 1, parameters: new Map() };

/**
 * The clauses of an Accept header, the best first. What is no media type is left out; no header accepts anything.
 * As upstream parses it, down to its order, which is not quite one: wildcards come after what is more specific,
 * whatever is said of how much they are wanted, unless they stood behind it and are wanted more.
 */
export function parseAccept(header: string): readonly AcceptClause[] {
  if (header === "") return [anything];
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
  const parameters = new Map<string, string>();
  for (const text of texts) {
    const [name = "", value = "", ...others] = text.split("=");
    if (value === "" || others.length > 0) continue;
    if (trimSpaces(name) === "q") q = parseQuality(value);
    else parameters.set(trimSpaces(name), trimSpaces(value));
  }
  return { type, subtype: subtype === "" ? "*" : subtype, q, parameters };
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

/**
 * The media type of a Content-Type header in lower case, without its parameters. Undefined when it, or one of the
 * parameters, cannot be understood.
 */
export function parseContentType(header: string): string | undefined {
  const end = header.indexOf(";");
  const mediaType = (end < 0 ? header : header.slice(0, end)).trim().toLowerCase();
  if (!MEDIA_TYPE.test(mediaType)) return undefined;
  return end < 0 || areParameters(header.slice(end).trimEnd()) ? mediaType : undefined;
}

/** Whether the text is `; name=value` again and again; a semicolon at the end does no harm. */
function areParameters(text: string): boolean {
  let at = 0;
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    at += found?.length ?? 0;
    return found;
  };
  const values = new Map<string, string>();
  while (at < text.length) {
    if (take(SEMICOLON) === undefined) return false;
    if (at === text.length) return true;
    const name = take(TOKEN)?.toLowerCase();
    if (name === undefined || take(EQUALS) === undefined) return false;
    const value = take(QUOTED) ?? take(TOKEN);
    if (value === undefined || (values.get(name) ?? value) !== value) return false;
    values.set(name, value);
  }
  return true;
}
