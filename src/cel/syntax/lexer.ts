import type { Issues } from "./issues.ts";
import type { Token, TokenKind } from "./tokens.ts";

const operators: readonly (readonly [text: string, kind: TokenKind])[] = [
  ...(["==", "!=", "<=", ">=", "&&", "||"] as const).map((text) => [text, `'${text}'`] as const),
  ...([..."<>[]{}().,-!?:+*/%"] as "<"[]).map((text) => [text, `'${text}'`] as const),
];

const words: ReadonlyMap<string, TokenKind> = new Map(
  (["in", "true", "false", "null"] as const).map((word) => [word, `'${word}'`]),
);

const space = /[\t \r\n\f]+|\/\/[^\n]*/y;
const number =
  /(?<hex>0x[0-9a-fA-F]+)|(?<float>\d+\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\.\d+(?:[eE][+-]?\d+)?)|\d+/y;
const identifier = /[A-Za-z_][A-Za-z0-9_]*/y;
const escapedIdentifier = /`[A-Za-z0-9_.\-/ ]+`/y;
const stringPrefix = /[bB]?[rR]?(?:"""|'''|"|')/y;
const escapeSequence =
  /\\(?:[abfnrtv"'\\?`]|[0-3][0-7][0-7]|[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})/y;

/** Splits a source into tokens, the last of which is the end. What is no token becomes an issue and is skipped. */
export function tokenize(issues: Issues): readonly Token[] {
  const { text } = issues.source;
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length) {
    const skipped = matchEnd(space, text, at);
    if (skipped !== undefined) {
      at = skipped;
      continue;
    }
    const token = nextToken(text, at);
    if ("kind" in token) {
      tokens.push(token);
      at = token.end;
    } else {
      issues.add(at, `Syntax error: token recognition error at: '${display(text.slice(at, token.failed))}'`);
      at = token.failed;
    }
  }
  tokens.push({ kind: "<EOF>", start: text.length, end: text.length });
  return tokens;
}

/** The longest token at an offset, or the offset after the character at which no token can go on. */
function nextToken(text: string, at: number): Token | { readonly failed: number } {
  const code = text.charCodeAt(at);
  const isDigit = (code >= 48 && code <= 57) || (code === 46 && isDigitAt(text, at + 1));
  if (isDigit) return numberToken(text, at);
  const prefixEnd = matchEnd(stringPrefix, text, at);
  const string = prefixEnd === undefined ? undefined : stringToken(text, at, prefixEnd);
  if (string !== undefined && "kind" in string) return string;
  const nameEnd = matchEnd(identifier, text, at);
  if (nameEnd !== undefined) {
    return { kind: words.get(text.slice(at, nameEnd)) ?? "IDENTIFIER", start: at, end: nameEnd };
  }
  if (string !== undefined) return string;
  const escapedEnd = matchEnd(escapedIdentifier, text, at);
  if (escapedEnd !== undefined) return { kind: "ESC_IDENTIFIER", start: at, end: escapedEnd };
  for (const [operator, kind] of operators) {
    if (text.startsWith(operator, at)) return { kind, start: at, end: at + operator.length };
  }
  return { failed: failureEnd(text, at) };
}

function numberToken(text: string, at: number): Token {
  number.lastIndex = at;
  const match = number.exec(text);
  const end = at + (match?.[0].length ?? 1);
  if (match?.groups?.["float"] !== undefined) return { kind: "NUM_FLOAT", start: at, end };
  const isUnsigned = text[end] === "u" || text[end] === "U";
  return isUnsigned ? { kind: "NUM_UINT", start: at, end: end + 1 } : { kind: "NUM_INT", start: at, end };
}

/** The string or bytes literal whose opening quote ends at `bodyStart`. */
function stringToken(text: string, at: number, bodyStart: number): Token | { readonly failed: number } {
  const prefix = text.slice(at, bodyStart);
  const quote = prefix.replace(/^[a-z]*/i, "");
  const kind = /^b/i.test(prefix) ? "BYTES" : "STRING";
  const isRaw = /r/i.test(prefix);
  let i = bodyStart;
  while (i < text.length) {
    if (text.startsWith(quote, i)) return { kind, start: at, end: i + quote.length };
    const character = text[i];
    if (quote.length === 1 && (character === "\n" || character === "\r")) break;
    if (character === "\\" && !isRaw) {
      const end = matchEnd(escapeSequence, text, i);
      if (end === undefined) return emptyOr(text, at, prefix, failingEscape(text, i));
      i = end;
    } else {
      i++;
    }
  }
  return emptyOr(text, at, prefix, Math.min(i + 1, text.length));
}

/** Three quotes that nothing closes are an empty string and a quote. */
function emptyOr(
  text: string,
  at: number,
  prefix: string,
  failed: number,
): Token | { readonly failed: number } {
  if (prefix.length < 3 || prefix.at(-1) !== prefix.at(-2)) return { failed };
  return {
    kind: /^b/i.test(prefix) ? "BYTES" : "STRING",
    start: at,
    end: Math.min(at + prefix.length - 1, text.length),
  };
}

/** The offset after the first character with which the escape sequence at `at` is none. */
function failingEscape(text: string, at: number): number {
  const digits = /\\(?:[0-3][0-7]?|[xX][0-9a-fA-F]?|u[0-9a-fA-F]{0,3}|U[0-9a-fA-F]{0,7})/y;
  return Math.min((matchEnd(digits, text, at) ?? at + 1) + 1, text.length);
}

/** ANTLR skips the beginning of a token together with the character that cannot go on: `| ` and `=x`. */
function failureEnd(text: string, at: number): number {
  const begun = matchEnd(/[|&=]|`[A-Za-z0-9_.\-/ ]*/y, text, at) ?? at;
  const failing = text.codePointAt(begun);
  return failing === undefined ? text.length : begun + (failing > 0xffff ? 2 : 1);
}

/** The offset after the match of a sticky expression at an offset. */
function matchEnd(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

function isDigitAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 48 && code <= 57;
}

function display(text: string): string {
  return text.replaceAll("\n", "\\n").replaceAll("\t", "\\t").replaceAll("\r", "\\r");
}
