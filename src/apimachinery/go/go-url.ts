import { goQuote } from "./go-quote.ts";

/** The parts of a URL as Go's `net/url` parses it. */
export interface GoUrl {
  /** In lower case. */
  readonly scheme: string;
  /** With the port. */
  readonly host: string;
  /** The user information before the `@`; undefined if there is none. */
  readonly user: string | undefined;
  /** As written, with its escapes; empty in a URL such as `mailto:a@b`. */
  readonly path: string;
  readonly query: string;
  readonly fragment: string;
}

/**
 * Parses a URL as Go's `net/url` does.
 * @throws {RangeError} with Go's message
 */
export function parseGoUrl(text: string): GoUrl {
  const hash = text.indexOf("#");
  const before = hash < 0 ? text : text.slice(0, hash);
  const fragment = hash < 0 ? "" : text.slice(hash + 1);
  const parts = named(before, () => parseParts(before, "any"));
  named(text, () => checkEscapes(fragment));
  return { ...parts, fragment };
}

/** Adds the URL to the message of an error. */
function named<T>(url: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw error instanceof RangeError ? new RangeError(`parse ${goQuote(url)}: ${error.message}`) : error;
  }
}

type Parts = Omit<GoUrl, "fragment">;

/**
 * Go's error for a text that is no absolute URL and no absolute path, as `url.ParseRequestURI` has it, for which a hash is no fragment;
 * undefined for one that is.
 */
export function requestUriError(text: string): string | undefined {
  try {
    named(text, () => parseParts(text, "request"));
    return undefined;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return error.message;
  }
}

/** Of what a text is the URL: of a request, it is absolute and has no fragment. */
type Use = "any" | "request";

function parseParts(text: string, use: Use): Parts {
  if (hasControlCharacter(text)) throw new RangeError("net/url: invalid control character in URL");
  const nothing = { scheme: "", host: "", user: undefined, path: "", query: "" };
  if (use === "request" && text === "") throw new RangeError("empty url");
  if (text === "*") return { ...nothing, path: text };
  const { scheme, rest: afterScheme } = splitScheme(text);
  const mark = afterScheme.indexOf("?");
  const rest = mark < 0 ? afterScheme : afterScheme.slice(0, mark);
  const query = mark < 0 ? "" : afterScheme.slice(mark + 1);
  const nowhere = { ...nothing, scheme: scheme.toLowerCase(), query };
  if (!rest.startsWith("/")) {
    if (scheme !== "") return nowhere;
    if (use === "request") throw new RangeError("invalid URI for request");
    const [segment = ""] = rest.split("/");
    if (segment.includes(":")) throw new RangeError("first path segment in URL cannot contain colon");
  }
  const mayHaveAuthority = scheme !== "" || (use === "any" && !rest.startsWith("///"));
  const hasAuthority = rest.startsWith("//") && mayHaveAuthority;
  const end = hasAuthority ? rest.indexOf("/", 2) : 0;
  const authority = hasAuthority ? rest.slice(2, end < 0 ? rest.length : end) : undefined;
  const parts = authority === undefined ? nowhere : { ...nowhere, ...parseAuthority(authority) };
  const path = end < 0 ? "" : rest.slice(end);
  checkEscapes(path);
  return { ...parts, path };
}

function hasControlCharacter(text: string): boolean {
  return Array.from(text).some((character) => character < " " || character === "\x7f");
}

/** A text with a character that a scheme cannot have has no scheme. */
function splitScheme(text: string): { readonly scheme: string; readonly rest: string } {
  if (text.startsWith(":")) throw new RangeError("missing protocol scheme");
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(text)?.[1] ?? "";
  return { scheme, rest: scheme === "" ? text : text.slice(scheme.length + 1) };
}

function parseAuthority(authority: string): Pick<GoUrl, "host" | "user"> {
  const at = authority.lastIndexOf("@");
  const host = authority.slice(at + 1);
  checkHost(host);
  if (at < 0) return { host, user: undefined };
  const user = authority.slice(0, at);
  if (!/^[-A-Za-z0-9._:~!$&'()*+,;=%@]*$/.test(user)) throw new RangeError("net/url: invalid userinfo");
  checkEscapes(user);
  return { host, user };
}

function checkHost(host: string): void {
  const isLiteral = host.startsWith("[");
  const end = isLiteral ? host.lastIndexOf("]") : host.lastIndexOf(":") - 1;
  if (isLiteral && end < 0) throw new RangeError("missing ']' in host");
  const port = isLiteral || end > -2 ? host.slice(end + 1) : "";
  if (!/^(:\d*)?$/.test(port)) throw new RangeError(`invalid port ${goQuote(port)} after host`);
  const zone = isLiteral ? host.slice(0, end).indexOf("%25") : -1;
  checkCharacters(zone < 0 ? host : host.slice(0, zone), false);
  if (zone >= 0) checkCharacters(host.slice(zone, end), true);
}

const hostCharacter = /^[-A-Za-z0-9_.~!$&'()*+,;=:[\]<>"\u0080-\u{10ffff}]$/u;

/** Checks the characters of a host, or of its zone, which may escape those that a host may have unescaped. */
function checkCharacters(text: string, isZone: boolean): void {
  for (const { 0: found, index } of text.matchAll(/%.{0,2}|[^%]/gsu)) {
    if (!found.startsWith("%")) {
      if (!hostCharacter.test(found))
        throw new RangeError(`invalid character ${goQuote(found)} in host name`);
      continue;
    }
    if (!/^%[0-9A-Fa-f]{2}$/.test(found)) throw invalidEscape(text.slice(index, index + 3));
    if (found === "%25") continue;
    const character = String.fromCharCode(Number.parseInt(found.slice(1), 16));
    const isAscii = character < "\u0080";
    const isAllowed = isZone ? character === " " || (isAscii && hostCharacter.test(character)) : !isAscii;
    if (!isAllowed) throw invalidEscape(found);
  }
}

/** Checks that two hexadecimal digits follow each percent sign. */
function checkEscapes(text: string): void {
  const wrong = /%(?![0-9A-Fa-f]{2})/.exec(text);
  if (wrong !== null) throw invalidEscape(text.slice(wrong.index, wrong.index + 3));
}

function invalidEscape(text: string): RangeError {
  return new RangeError(`invalid URL escape ${goQuote(text)}`);
}
