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
  const parts = named(before, () => parseParts(before));
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

function parseParts(text: string): Omit<GoUrl, "fragment"> {
  if (hasControlCharacter(text)) throw new RangeError("net/url: invalid control character in URL");
  const { scheme, rest: afterScheme } = splitScheme(text);
  const mark = afterScheme.indexOf("?");
  const rest = mark < 0 ? afterScheme : afterScheme.slice(0, mark);
  const query = mark < 0 ? "" : afterScheme.slice(mark + 1);
  const nowhere = { scheme: scheme.toLowerCase(), host: "", user: undefined, path: "", query };
  if (!rest.startsWith("/")) {
    if (scheme !== "") return nowhere;
    const [segment = ""] = rest.split("/");
    if (segment.includes(":")) throw new RangeError("first path segment in URL cannot contain colon");
  }
  const hasAuthority = rest.startsWith("//") && (scheme !== "" || !rest.startsWith("///"));
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
  checkEscapes(host);
  const ascii = /%(?!25)[0-7][0-9A-Fa-f]/.exec(host);
  if (ascii !== null) throw invalidEscape(ascii[0]);
  const wrong = /[^-A-Za-z0-9_.~!$&'()*+,;=:[\]<>"%\u0080-\u{10ffff}]/u.exec(host);
  if (wrong !== null) throw new RangeError(`invalid character ${goQuote(wrong[0])} in host name`);
}

/** Checks that two hexadecimal digits follow each percent sign. */
function checkEscapes(text: string): void {
  const wrong = /%(?![0-9A-Fa-f]{2})/.exec(text);
  if (wrong !== null) throw invalidEscape(text.slice(wrong.index, wrong.index + 3));
}

function invalidEscape(text: string): RangeError {
  return new RangeError(`invalid URL escape ${goQuote(text)}`);
}
