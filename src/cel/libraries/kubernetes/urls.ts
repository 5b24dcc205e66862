import { type GoUrl, parseGoUrl, requestUriError } from "../../../apimachinery/go/go-url.ts";
import type { FunctionDeclaration, Library } from "../../environment/declarations.ts";
import { declare, global, member } from "../../environment/declare.ts";
import { type CelType, listType, mapType, types } from "../../types/cel-type.ts";
import { celError } from "../../values/cel-error.ts";
import { OpaqueValue } from "../../values/opaque-value.ts";
import { type CelValue, MapValue } from "../../values/value.ts";
import { unary } from "../arguments.ts";
import { resulting, sizeAt, traversing } from "../costs.ts";
import { type Guard, isString } from "../guards.ts";
import { namedType } from "./named-type.ts";

const urlType: CelType = namedType("kubernetes.URL");

/** A URL: an absolute one or an absolute path. */
class UrlValue extends OpaqueValue {
  readonly type = urlType;
  readonly text: string;
  readonly parts: GoUrl;

  constructor(text: string, parts: GoUrl) {
    super();
    this.text = text;
    this.parts = parts;
  }

  equals(other: UrlValue): boolean {
    return this.text === other.text;
  }

  toString(): string {
    return this.text;
  }
}

const isUrl: Guard<UrlValue> = (value): value is UrlValue => value instanceof UrlValue;
const { string } = types;
const reading = traversing(0);

/** url, isURL, and the parts of a URL. */
export const urls: Library = {
  functions: [
    declare(
      "url",
      global("string_to_url", [string], urlType, unary(isString, urlOf), {
        ...reading,
        estimate: resulting(reading.estimate, (operands) => sizeAt(operands, 0)),
      }),
    ),
    declare(
      "isURL",
      global(
        "is_url_string",
        [string],
        types.bool,
        unary(isString, (text) => requestUriError(text) === undefined),
      ),
    ),
    part("getScheme", "url_get_scheme", ({ parts }) => parts.scheme),
    part("getHost", "url_get_host", ({ parts }) => parts.host),
    part("getHostname", "url_get_hostname", ({ parts }) => hostname(parts.host)),
    part("getPort", "url_get_port", ({ parts }) => /:(\d*)$/.exec(parts.host)?.[1] ?? ""),
    part("getEscapedPath", "url_get_escaped_path", ({ text }) => escapedPath(text)),
    declare(
      "getQuery",
      member(
        "url_get_query",
        [urlType],
        mapType(string, listType(string)),
        unary(isUrl, ({ parts }) => queryOf(parts.query)),
      ),
    ),
  ],
};

function part(name: string, id: string, read: (url: UrlValue) => string): FunctionDeclaration {
  return declare(name, member(id, [urlType], string, unary(isUrl, read)));
}

function urlOf(text: string): CelValue {
  const problem = requestUriError(text);
  if (problem !== undefined) return celError(`URL parse error during conversion from string: ${problem}`);
  // What is checked as the URL of a request has the parts of any, which may have a fragment.
  return new UrlValue(text, parseGoUrl(text));
}

function hostname(host: string): string {
  const bracket = /^\[(.*)\]/.exec(host)?.[1];
  return bracket ?? host.replace(/:\d*$/, "");
}

function escapedPath(text: string): string {
  const path = text
    .replace(/[?#].*$/s, "")
    .replace(/^[A-Za-z][A-Za-z0-9+.-]*:/, "")
    .replace(/^\/\/[^/]*/, "");
  return encodeURI(path).replaceAll("%25", "%");
}

/** The parameters of a query. Keys and values that are malformed are left out, as in Go. */
function queryOf(query: string): MapValue {
  const lists = new Map<string, string[]>();
  for (const pair of query.split("&")) {
    if (pair === "" || pair.includes(";")) continue;
    const equals = pair.indexOf("=");
    const key = decode(equals < 0 ? pair : pair.slice(0, equals));
    const value = decode(equals < 0 ? "" : pair.slice(equals + 1));
    if (key === undefined || value === undefined) continue;
    lists.set(key, [...(lists.get(key) ?? []), value]);
  }
  const map = new MapValue();
  for (const [key, values] of lists) map.set(key, values);
  return map;
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return undefined;
  }
}
