import { goQuote } from "../../apimachinery/go/go-quote.ts";

/**
 * The maximum nesting of objects and lists. Lower than upstream's 10000 on purpose: code that reads the value is
 * recursive, and a request must not exhaust the stack.
 */
export const MAX_DEPTH = 1000;

/** The kind of the values in an open container. */
type Container = "member" | "element";

const SPACE = 0x20;

/** The error that Go's scanner reports for the bytes; undefined if they are JSON. */
export function jsonSyntaxError(bytes: Uint8Array): string | undefined {
  try {
    new Scanner(bytes).scan();
    return undefined;
  } catch (error) {
    if (error instanceof SyntaxProblem) return error.message;
    throw error;
  }
}

class SyntaxProblem extends Error {}

/** Scans the bytes and keeps only the open containers. */
class Scanner {
  readonly #bytes: Uint8Array;
  readonly #open: Container[] = [];
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  scan(): void {
    this.#value();
    while (this.#open.length > 0) this.#afterValue();
    this.#skipSpace();
    if (this.#at < this.#bytes.length) throw this.#invalid("after top-level value");
  }

  /** Reads a value, or a container up to the end of its first value. */
  #value(): void {
    const first = this.#next();
    if (first === 0x22) this.#string();
    else if (first === 0x7b) this.#object();
    else if (first === 0x5b) this.#array();
    else if (first === 0x2d || isDigit(first)) this.#number();
    else if (first === 0x74) this.#literal("true");
    else if (first === 0x66) this.#literal("false");
    else if (first === 0x6e) this.#literal("null");
    else throw this.#invalid("looking for beginning of value");
  }

  #object(): void {
    this.#push("member");
    if (this.#next() === 0x7d) this.#pop();
    else this.#key();
  }

  #array(): void {
    this.#push("element");
    if (this.#next() === 0x5d) this.#pop();
    else this.#value();
  }

  /** Reads a key, its colon and its value. */
  #key(): void {
    if (this.#next() !== 0x22) throw this.#invalid("looking for beginning of object key string");
    this.#string();
    if (this.#next() !== 0x3a) throw this.#invalid("after object key");
    this.#at++;
    this.#value();
  }

  #afterValue(): void {
    const inArray = this.#open.at(-1) === "element";
    const byte = this.#next();
    if (byte === (inArray ? 0x5d : 0x7d)) {
      this.#pop();
      return;
    }
    if (byte !== 0x2c) throw this.#invalid(inArray ? "after array element" : "after object key:value pair");
    this.#at++;
    if (inArray) this.#value();
    else this.#key();
  }

  #push(container: Container): void {
    this.#open.push(container);
    if (this.#open.length > MAX_DEPTH) throw this.#invalid("exceeded max depth");
    this.#at++;
  }

  #pop(): void {
    this.#open.pop();
    this.#at++;
  }

  #string(): void {
    this.#at++;
    for (;;) {
      const byte = this.#byte();
      if (byte < SPACE) throw this.#invalid("in string literal");
      this.#at++;
      if (byte === 0x22) return;
      if (byte === 0x5c) this.#escape();
    }
  }

  #escape(): void {
    const character = String.fromCharCode(this.#peek());
    if (!'bfnrt\\/"u'.includes(character)) throw this.#invalid("in string escape code");
    this.#at++;
    if (character !== "u") return;
    for (let i = 0; i < 4; i++) {
      if (!isHexDigit(this.#peek())) throw this.#invalid("in \\u hexadecimal character escape");
      this.#at++;
    }
  }

  #number(): void {
    if (this.#peek() === 0x2d) this.#at++;
    if (!isDigit(this.#peek())) throw this.#invalid("in numeric literal");
    if (this.#peek() === 0x30) this.#at++;
    else this.#digits("in numeric literal");
    if (this.#peek() === 0x2e) {
      this.#at++;
      this.#digits("after decimal point in numeric literal");
    }
    if (this.#peek() === 0x65 || this.#peek() === 0x45) {
      this.#at++;
      if (this.#peek() === 0x2b || this.#peek() === 0x2d) this.#at++;
      this.#digits("in exponent of numeric literal");
    }
  }

  #digits(context: string): void {
    if (!isDigit(this.#peek())) throw this.#invalid(context);
    while (isDigit(this.#peek())) this.#at++;
  }

  #literal(literal: string): void {
    this.#at++;
    for (const expected of literal.slice(1)) {
      if (this.#peek() !== expected.charCodeAt(0)) {
        throw this.#invalid(`in literal ${literal} (expecting '${expected}')`);
      }
      this.#at++;
    }
  }

  #skipSpace(): void {
    while (isSpace(this.#bytes[this.#at])) this.#at++;
  }

  /** The next byte that is not whitespace. */
  #next(): number {
    this.#skipSpace();
    return this.#byte();
  }

  #byte(): number {
    const byte = this.#bytes[this.#at];
    if (byte === undefined) throw new SyntaxProblem("unexpected end of JSON input");
    return byte;
  }

  /** In a literal, the end of the input counts as a space. */
  #peek(): number {
    return this.#bytes[this.#at] ?? SPACE;
  }

  #invalid(context: string): SyntaxProblem {
    return new SyntaxProblem(`invalid character ${quoteByte(this.#peek())} ${context}`);
  }
}

function isSpace(byte: number | undefined): boolean {
  return byte === SPACE || byte === 0x09 || byte === 0x0a || byte === 0x0d;
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

function isHexDigit(byte: number): boolean {
  return isDigit(byte) || (byte >= 0x41 && byte <= 0x46) || (byte >= 0x61 && byte <= 0x66);
}

/** Go prints the single byte as a character, even if it is part of a longer one. */
function quoteByte(byte: number): string {
  if (byte === 0x27) return "'\\''";
  if (byte === 0x22) return "'\"'";
  return `'${goQuote(String.fromCharCode(byte)).slice(1, -1)}'`;
}
