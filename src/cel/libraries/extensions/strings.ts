import { utf8Length } from "../../../apimachinery/utf8.ts";
import type {
  FunctionDeclaration,
  Implementation,
  Library,
  Overload,
} from "../../environment/declarations.ts";
import { declare, global, member, type OverloadExtras } from "../../environment/declare.ts";
import { fixed } from "../../environment/estimates.ts";
import { listType, types } from "../../types/cel-type.ts";
import { celError, costLimitExceeded, noSuchOverload } from "../../values/cel-error.ts";
import type { Int } from "../../values/numbers.ts";
import { showValue } from "../../values/show.ts";
import type { CelValue } from "../../values/value.ts";
import { binary, ternary, unary } from "../arguments.ts";
import { resulting, sizeAt, traversal, traversing } from "../costs.ts";
import { isInteger, isListValue, isString } from "../guards.ts";
import { CodePoints } from "./code-points.ts";
import { formatting } from "./format.ts";
import type { FormatStyle } from "./format-style.ts";
import { joining, replacing, splitting } from "./string-costs.ts";

const { int, string } = types;

/** Longer texts cost more than any expression of Kubernetes may, so making one ends the evaluation. */
const maxLength = 10_000_000;

/** The functions of version 0 of cel-go's library. */
export const strings: Library = {
  functions: [
    declare(
      "charAt",
      member("string_char_at_int", [string, int], string, binary(isString, isInteger, charAt)),
    ),
    searching("indexOf", "string_index_of_string", indexOf, () => 0),
    searching("lastIndexOf", "string_last_index_of_string", lastIndexOf, (text) => text.length),
    declare(
      "join",
      member(
        "list_join",
        [listType(string)],
        string,
        unary(isListValue, (list) => join(list, "")),
        joining,
      ),
      member(
        "list_join_string",
        [listType(string), string],
        string,
        binary(isListValue, isString, join),
        joining,
      ),
    ),
    transforming("lowerAscii", "string_lower_ascii", (text) =>
      text.replace(/[A-Z]+/g, (part) => part.toLowerCase()),
    ),
    transforming("upperAscii", "string_upper_ascii", (text) =>
      text.replace(/[a-z]+/g, (part) => part.toUpperCase()),
    ),
    transforming("trim", "string_trim", trim),
    declare(
      "replace",
      member("string_replace_string_string", [string, string, string], string, replaceCall, replacing),
      member(
        "string_replace_string_string_int",
        [string, string, string, int],
        string,
        replaceCall,
        replacing,
      ),
    ),
    declare(
      "split",
      member(
        "string_split_string",
        [string, string],
        listType(string),
        binary(isString, isString, (text, by) => split(text, by, -1)),
        splitting,
      ),
      member(
        "string_split_string_int",
        [string, string, int],
        listType(string),
        ternary(isString, isString, isInteger, (text, by, limit) => split(text, by, Number(limit))),
        splitting,
      ),
    ),
    declare(
      "substring",
      member(
        "string_substring_int",
        [string, int],
        string,
        binary(isString, isInteger, (text, start) => substring(text, Number(start), undefined)),
        reading(),
      ),
      member(
        "string_substring_int_int",
        [string, int, int],
        string,
        ternary(isString, isInteger, isInteger, (text, start, end) =>
          substring(text, Number(start), Number(end)),
        ),
        reading(),
      ),
    ),
  ],
};

/** `format` and `strings.quote`, which version 1 added. */
export function stringFormatting(style: FormatStyle): Library {
  return {
    functions: [
      declare(
        "format",
        member(
          "string_format",
          [string, listType(types.dyn)],
          string,
          binary(isString, isListValue, formatting(style)),
          traversing(0),
        ),
      ),
      declare("strings.quote", global("strings_quote", [string], string, unary(isString, quote), quoting())),
    ],
  };
}

/** `reverse`, which version 3 added; Kubernetes does not have it. */
export const stringReversal: Library = {
  functions: [
    declare(
      "reverse",
      member(
        "string_reverse",
        [string],
        string,
        unary(isString, (text) => new CodePoints(text).reversed()),
      ),
    ),
  ],
};

/** Reading the text once; the result is at most as long. */
function reading(): OverloadExtras {
  const { cost, estimate } = traversing(0);
  return { cost, estimate: resulting(estimate, (operands) => sizeAt(operands, 0)) };
}

function quoting(): OverloadExtras {
  const { cost, estimate } = traversing(0, traversal);
  return {
    cost,
    estimate: resulting(estimate, (operands) => {
      const { min, max } = sizeAt(operands, 0);
      return { min: min + fixed(2).min, max: max * 2 + 2 };
    }),
  };
}

function transforming(name: string, id: string, transform: (text: string) => string): FunctionDeclaration {
  return declare(name, member(id, [string], string, unary(isString, transform), reading()));
}

type Search = (text: CodePoints, part: string, start: number) => CelValue;

function searching(
  name: string,
  id: string,
  search: Search,
  defaultStart: (text: CodePoints) => number,
): FunctionDeclaration {
  const found = (text: string, part: string, start?: Int): CelValue => {
    const characters = new CodePoints(text);
    return search(characters, part, start === undefined ? defaultStart(characters) : Number(start));
  };
  const whole: Implementation = binary(isString, isString, (text, part) => found(text, part));
  // Kubernetes charges the functions of lists and of strings by their common name, whatever they search.
  const extras: OverloadExtras = {
    cost: ([text]) => (typeof text === "string" ? Math.floor(utf8Length(text) * traversal) : 1),
    estimate: traversing(0).estimate,
  };
  const overloads: readonly Overload[] = [
    member(id, [string, string], int, whole, extras),
    member(`${id}_int`, [string, string, int], int, ternary(isString, isString, isInteger, found), extras),
  ];
  return declare(name, ...overloads);
}

function outOfRange(index: number): CelValue {
  return celError(`index out of range: ${index}`);
}

function charAt(text: string, index: Int): CelValue {
  const characters = new CodePoints(text);
  const at = Number(index);
  return at < 0 || at > characters.length ? outOfRange(at) : characters.slice(at, at + 1);
}

function indexOf(text: CodePoints, part: string, start: number): CelValue {
  if (start < 0) return outOfRange(start);
  if (part === "") return Math.min(start, text.length);
  return start >= text.length ? -1 : text.indexOf(part, start);
}

function lastIndexOf(text: CodePoints, part: string, start: number): CelValue {
  if (start < 0) return outOfRange(start);
  if (part === "") return Math.min(start, text.length);
  return start > text.length ? -1 : text.lastIndexOf(part, start);
}

function join(list: readonly CelValue[], separator: string): CelValue {
  let length = 0;
  for (const item of list) {
    if (typeof item !== "string") return celError(`join: invalid input: ${showValue(item)}`);
    length += item.length + separator.length;
  }
  return length > maxLength ? costLimitExceeded : list.join(separator);
}

function replaceCall(
  text: CelValue = null,
  old: CelValue = null,
  replacement: CelValue = null,
  limit: CelValue = -1,
): CelValue {
  if (!isInteger(limit)) return noSuchOverload;
  return ternary(isString, isString, isString, (a, b, c) => replace(a, b, c, Number(limit)))(
    text,
    old,
    replacement,
  );
}

/** Go's strings.Replace: a negative limit means all; an empty text is found before each character and at the end. */
function replace(text: string, old: string, replacement: string, limit: number): CelValue {
  const parts = split(text, old, limit < 0 ? -1 : limit + 1);
  // Splitting by nothing does not find the ends.
  const ends = old === "" && limit !== 0 ? 1 : 0;
  if (text.length + (parts.length + ends) * replacement.length > maxLength) return costLimitExceeded;
  if (old !== "" || limit === 0) return limit === 0 ? text : parts.join(replacement);
  const characters = Array.from(text);
  const count = limit < 0 ? characters.length + 1 : limit;
  const replaced = characters.map((character, i) => (i < count ? replacement : "") + character).join("");
  return count > characters.length ? replaced + replacement : replaced;
}

/** Go's strings.SplitN: a negative limit means all, and the last part is the rest. */
function split(text: string, separator: string, limit: number): readonly string[] {
  if (limit === 0) return [];
  const all = separator === "" ? Array.from(text) : text.split(separator);
  if (limit < 0 || all.length <= limit) return all;
  return [...all.slice(0, limit - 1), all.slice(limit - 1).join(separator)];
}

function substring(text: string, start: number, end: number | undefined): CelValue {
  const characters = new CodePoints(text);
  const to = end ?? characters.length;
  if (end !== undefined && start > end)
    return celError(`invalid substring range. start: ${start}, end: ${end}`);
  if (start < 0 || start > characters.length) return outOfRange(start);
  return to < 0 || to > characters.length ? outOfRange(to) : characters.slice(start, to);
}

/** White space as Go knows it: U+0085 is, U+FEFF is not. */
function trim(text: string): string {
  const isSpace = (character: string | undefined) =>
    character === "\u0085" || (character !== "\ufeff" && character?.trim() === "");
  let start = 0;
  let end = text.length;
  while (start < end && isSpace(text[start])) start++;
  while (end > start && isSpace(text[end - 1])) end--;
  return text.slice(start, end);
}

const escapes: ReadonlyMap<string, string> = new Map([
  ["\u0007", "\\a"],
  ["\b", "\\b"],
  ["\f", "\\f"],
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
  ["\v", "\\v"],
  ["\\", "\\\\"],
  ['"', '\\"'],
]);

function quote(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that are escaped.
  return `"${text.replace(/[\u0007\b\f\n\r\t\v\\"]/g, (character) => escapes.get(character) ?? character)}"`;
}
