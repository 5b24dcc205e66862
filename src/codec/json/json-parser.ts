import {
  DuplicateKeys,
  integerOf,
  NumberLiteral,
  type ParsedJson,
} from "../../apimachinery/go/parsed-json.ts";
import { type MutableJsonObject, setKey } from "../../apimachinery/json.ts";

const INT64_MAX = 2n ** 63n - 1n;
const INT64_MIN = -(2n ** 63n);

const SPACE = /[ \t\r\n]*/y;
const NUMBER = /[-+.\deE]+/y;
const LONE_SURROGATE = /\p{Surrogate}/gu;

const constants: ReadonlyMap<string, true | false | null> = new Map([
  ["t", true],
  ["f", false],
  ["n", null],
]);

/**
 * Reads JSON the slow way, keeping what `JSON.parse` loses: the text of numbers that are no plain integers, and keys
 * that stand twice. The text must be JSON that `JSON.parse` accepts and no deeper than the stack allows.
 */
export function parseLiterally(text: string): ParsedJson {
  return new LiteralParser(text).value();
}

class LiteralParser {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  value(): ParsedJson {
    this.#take(SPACE);
    const first = this.#text.charAt(this.#at);
    if (first === "{") return this.#object();
    if (first === "[") return this.#array();
    if (first === '"') return this.#string();
    const constant = constants.get(first);
    if (constant === undefined) return parseNumber(this.#take(NUMBER));
    this.#at += String(constant).length;
    return constant;
  }

  #object(): ParsedJson {
    const entries: [key: string, value: ParsedJson][] = [];
    const object: { [key: string]: ParsedJson } = {};
    let repeated = false;
    while (this.#more("}")) {
      const key = this.#string();
      this.#take(SPACE);
      this.#at++;
      const value = this.value();
      entries.push([key, value]);
      repeated ||= Object.hasOwn(object, key);
      // The target only takes what a JsonValue is too, as far as the keys go.
      setKey(object as MutableJsonObject, key, value as string);
    }
    return repeated ? new DuplicateKeys(entries) : object;
  }

  #array(): ParsedJson[] {
    const items: ParsedJson[] = [];
    while (this.#more("]")) items.push(this.value());
    return items;
  }

  /** Steps over the bracket or comma, and over the end if there is nothing more. */
  #more(end: string): boolean {
    this.#take(SPACE);
    if (this.#text[this.#at] !== end) this.#at++;
    this.#take(SPACE);
    if (this.#text[this.#at] !== end) return true;
    this.#at++;
    return false;
  }

  #string(): string {
    const start = this.#at;
    let end = this.#text.indexOf('"', start + 1);
    while (isEscaped(this.#text, end)) end = this.#text.indexOf('"', end + 1);
    this.#at = end + 1;
    const literal = this.#text.slice(start, this.#at);
    if (!literal.includes("\\")) return literal.slice(1, -1);
    const text: string = JSON.parse(literal);
    return text.replace(LONE_SURROGATE, "\ufffd");
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0] ?? "";
    this.#at += found.length;
    return found;
  }
}

/** Whether the quote at `at` belongs to the string it stands in: an odd number of backslashes comes before it. */
export function isEscaped(text: string, at: number): boolean {
  let start = at;
  while (text.charCodeAt(start - 1) === 0x5c) start--;
  return (at - start) % 2 === 1;
}

function parseNumber(text: string): number | bigint | NumberLiteral {
  if (!/^-?\d+$/.test(text)) return new NumberLiteral(text);
  const number = Number(text);
  if (Number.isSafeInteger(number)) return number;
  // Longer than any int64, so not worth the work of reading it.
  if (text.length > 20) return new NumberLiteral(text);
  const integer = BigInt(text);
  return integer >= INT64_MIN && integer <= INT64_MAX ? integerOf(integer) : new NumberLiteral(text);
}
