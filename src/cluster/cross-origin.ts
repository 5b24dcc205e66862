import { messageOf } from "../apimachinery/errors/message-of.ts";
import type { ApiRequest } from "../request/handler.ts";

type Headers = readonly (readonly [name: string, value: string])[];

/** The headers that let pages of another origin read the answer; undefined for a request of no page or an origin that may not. */
export type CrossOrigin = (request: ApiRequest) => Headers | undefined;

const methods = "POST, GET, OPTIONS, PUT, DELETE, PATCH";
const headers = [
  "Content-Type",
  "Content-Length",
  "Accept-Encoding",
  "X-CSRF-Token",
  "Authorization",
  "X-Requested-With",
  "If-Modified-Since",
].join(", ");

/** No origin is longer: a scheme, a host name of at most 253 characters and a port. */
const longestOrigin = 300;

/** Upstream: `WithCORS`. */
export function crossOrigin(allowed: readonly RegExp[]): CrossOrigin {
  if (allowed.length === 0) return () => undefined;
  return (request) => {
    const origin = request.headers.get("origin");
    if (origin === undefined || !isAllowedOrigin(origin, allowed)) return undefined;
    return [
      ["Access-Control-Allow-Origin", origin],
      ["Access-Control-Allow-Methods", methods],
      ["Access-Control-Allow-Headers", headers],
      ["Access-Control-Expose-Headers", "Date"],
      ["Access-Control-Allow-Credentials", "true"],
    ];
  };
}

/** Whether one of the patterns allows an origin. */
export function isAllowedOrigin(origin: string, allowed: readonly RegExp[]): boolean {
  if (origin === "" || origin.length > longestOrigin) return false;
  return allowed.some((pattern) => pattern.test(origin));
}

/** The patterns of allowed origins, of which there are none by default. @throws {Error} as `originPattern` does */
export function originPatterns(texts: readonly string[] | undefined, title: string): readonly RegExp[] {
  return (texts ?? []).map((text) => originPattern(text, title));
}

/**
 * The pattern of an allowed origin. As upstream requires, it fixes the start and the end of the host.
 * @throws {Error} for an invalid pattern, and for one that JavaScript reads differently than Go or could match slowly
 */
export function originPattern(text: string, title: string): RegExp {
  const invalid = (reason: string) =>
    new Error(`${title} has an invalid regular expression: ${JSON.stringify(text)}: ${reason}`);
  const [, flag = "", pattern = ""] = /^(\(\?i\))?(.*)$/s.exec(text) ?? [];
  const unsupported = unsupportedSyntax(pattern);
  if (unsupported !== undefined) throw invalid(`${unsupported} is not supported`);
  const isPinned = /\^|\/\//.test(pattern) && /[$:]/.test(pattern);
  if (!isPinned) {
    throw invalid("regular expression does not pin to start/end of host in the origin header");
  }
  try {
    return new RegExp(pattern, flag === "" ? "" : "i");
  } catch (error) {
    throw invalid(messageOf(error));
  }
}

/** A part of a pattern: an escape, a class, the start or the end of a group, a repetition, or a character. */
const parts = /\\.|\[\^?\]?(?:\\.|\[:\^?\w+:\]|[^\]\\])*\]|\(\?(?:P?<|<?[!=]|:)?|[()]|[*+]|\{\d+,?\d*\}|./gsu;

/** Go has no references and no lookaround, and it matches in linear time; JavaScript may not if repetitions are nested. */
function unsupportedSyntax(pattern: string): string | undefined {
  /** For each open group, whether it contains a repetition or an alternative. */
  const groups: boolean[] = [false];
  let isAfterComplexGroup = false;
  for (const [part] of pattern.matchAll(parts)) {
    const isRepetition = /^(?:[*+]|\{)/.test(part) && part !== "{";
    if (isRepetition && isAfterComplexGroup) return "a repeated group with repetitions or alternatives";
    isAfterComplexGroup = part === ")" && groups.length > 1 && groups.pop() === true;
    if (isRepetition || part === "|" || part === "?" || isAfterComplexGroup) groups[groups.length - 1] = true;
    if (part.startsWith("(")) groups.push(false);
    if (part.startsWith("(?") && part !== "(?:") return part;
    if (/^\\[^dDwWsSbBtnrfv\W_]/.test(part)) return part;
    if (part.startsWith("[") && /^\^?\]|\[:|\\[^dDwWsStnrfv\W_]/.test(part.slice(1))) return part;
  }
  return undefined;
}
