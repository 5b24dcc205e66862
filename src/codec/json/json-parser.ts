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
 * Parses JSON slowly, but keeps what `JSON.parse` loses: the text of numbers that are not plain integers, and duplicate
 * keys. `JSON.parse` must accept the text, and its depth must fit the stack.
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
      // setKey only looks at the key, so the cast is safe.
      setKey(object as MutableJsonObject, key, value as string);
    }
    return repeated ? new DuplicateKeys(entries) : object;
  }

  #array(): ParsedJson[] {
    const items: ParsedJson[] = [];
    while (this.#more("]")) items.push(this.value());
    return items;
  }

  /** Skips the bracket or comma, and the end if no item follows. */
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

/** Whether the quote at `at` is escaped: an odd number of backslashes precedes it. */
export function isEscaped(text: string, at: number): boolean {
  let start = at;
  while (text.charCodeAt(start - 1) === 0x5c) start--;
  return (at - start) % 2 === 1;
}

function parseNumber(text: string): number | bigint | NumberLiteral {
  if (!/^-?\d+$/.test(text)) return new NumberLiteral(text);
  const number = Number(text);
  if (Number.isSafeInteger(number)) return number;
  // Too long for an int64. Parsing it would be slow.
  if (text.length > 20) return new NumberLiteral(text);
  const integer = BigInt(text);
  return integer >= INT64_MIN && integer <= INT64_MAX ? integerOf(integer) : new NumberLiteral(text);
}
