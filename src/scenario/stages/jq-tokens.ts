import type { JsonValue } from "../../apimachinery/json.ts";

/** A part of a jq query and where it begins. */
export type JqToken =
  | { readonly type: "field"; readonly text: string; readonly at: number }
  | { readonly type: "literal"; readonly text: string; readonly value: JsonValue; readonly at: number }
  | { readonly type: "word"; readonly text: string; readonly at: number };

const longestQuery = 2000;

const token =
  /\s+|(?<field>\.[A-Za-z_]\w*)|(?<text>"(?:[^"\\]|\\.)*")|(?<number>-?\d+(?:\.\d+)?)|(?<word>[A-Za-z_]\w*|==|!=|\/\/|[.|()[\]?])/y;

const constants: ReadonlyMap<string, JsonValue> = new Map<string, JsonValue>([
  ["true", true],
  ["false", false],
  ["null", null],
]);

/** @throws {Error} for what is no part of a supported query */
export function jqTokens(source: string): readonly JqToken[] {
  if (source.length > longestQuery) throw new Error(`a jq query of more than ${longestQuery} characters`);
  const tokens: JqToken[] = [];
  for (let at = 0; at < source.length; ) {
    token.lastIndex = at;
    const match = token.exec(source);
    if (match === null) throw unsupportedJq(source, at);
    const read = jqToken(match.groups ?? {}, source, at);
    if (read !== undefined) tokens.push(read);
    at = token.lastIndex;
  }
  return tokens;
}

function jqToken(
  { field, text, number, word }: { readonly [group: string]: string | undefined },
  source: string,
  at: number,
): JqToken | undefined {
  if (field !== undefined) return { type: "field", text: field.slice(1), at };
  if (text !== undefined) return { type: "literal", text, value: textOf(text, source, at), at };
  if (number !== undefined) return { type: "literal", text: number, value: Number(number), at };
  if (word === undefined) return undefined;
  const value = constants.get(word);
  return value === undefined ? { type: "word", text: word, at } : { type: "literal", text: word, value, at };
}

function textOf(quoted: string, source: string, at: number): string {
  try {
    // The token is a text in quotation marks.
    return JSON.parse(quoted) as string;
  } catch {
    // An interpolation, or an escape that JSON does not have.
    throw unsupportedJq(source, at);
  }
}

/** The error for a query that has something else at a place. */
export function unsupportedJq(source: string, at: number): Error {
  const rest = source.slice(at, at + 30);
  const place = rest === "" ? "the end" : JSON.stringify(rest);
  return new Error(
    `the jq query ${JSON.stringify(source)} is not supported at ${place}; supported: paths (.a, ."a", .["a"], .[0], .[], ?), |, //, select(...), ==, !=, and, or, not, parentheses, and texts, numbers, true, false and null`,
  );
}
