import { type Cursor, isBlank, isBlankOrEnd, isBreak, isBreakOrEnd, type YamlProblem } from "./cursor.ts";

/** The blanks and breaks between two pieces of a multi-line scalar. */
class Gap {
  #blanks = "";
  #firstBreak = "";
  #otherBreaks = "";
  #hasBreak = false;

  get hasBreak(): boolean {
    return this.#hasBreak;
  }

  addBlank(char: string): void {
    if (!this.#hasBreak) this.#blanks += char;
  }

  addBreak(text: string): void {
    if (!this.#hasBreak) this.#firstBreak = text;
    else this.#otherBreaks += text;
    this.#hasBreak = true;
  }

  /** Adds a break that a backslash escapes: neither the break nor the blanks after it are part of the text. */
  addEscapedBreak(): void {
    this.#hasBreak = true;
  }

  /** Returns the gap's text in the scalar, and resets the gap. A single line break becomes a space. */
  take(): string {
    const folded =
      this.#firstBreak === "\n" ? this.#otherBreaks || " " : this.#firstBreak + this.#otherBreaks;
    const text = this.#hasBreak ? folded : this.#blanks;
    this.#blanks = "";
    this.#firstBreak = "";
    this.#otherBreaks = "";
    this.#hasBreak = false;
    return text;
  }
}

/** The context of a scalar. */
export interface ScalarPlace {
  readonly indent: number;
  readonly inFlow: boolean;
}

const FLOW_INDICATORS = ",?[]{}";

/** Reads a scalar without quotes. `endedLine` is true if it ended at a line break. */
export function scanPlain(
  cursor: Cursor,
  { indent, inFlow }: ScalarPlace,
): { value: string; endedLine: boolean } {
  const gap = new Gap();
  let value = "";
  while (!cursor.isAtDocumentIndicator() && cursor.char() !== "#") {
    const start = cursor.at;
    while (!isPlainEnd(cursor, inFlow)) cursor.advance();
    if (cursor.at > start) value += gap.take() + cursor.text.slice(start, cursor.at);
    if (!isBlank(cursor.char()) && !isBreak(cursor.char())) break;
    skipGap(cursor, gap, () => {
      if (gap.hasBreak && cursor.column <= indent && cursor.char() === "\t") {
        throw cursor.problem("found a tab character that violates indentation");
      }
    });
    if (!inFlow && cursor.column <= indent) break;
  }
  return { value, endedLine: gap.hasBreak };
}

function isPlainEnd(cursor: Cursor, inFlow: boolean): boolean {
  const char = cursor.char();
  if (isBlankOrEnd(char)) return true;
  if (char === ":" && isBlankOrEnd(cursor.char(1))) return true;
  return inFlow && FLOW_INDICATORS.includes(char);
}

function skipGap(cursor: Cursor, gap: Gap, check: () => void): void {
  for (;;) {
    const char = cursor.char();
    if (isBlank(char)) {
      check();
      gap.addBlank(char);
      cursor.advance();
    } else if (isBreak(char)) {
      gap.addBreak(cursor.readBreak());
    } else return;
  }
}

/** Reads a scalar in single or double quotes, starting at the quote. */
export function scanQuoted(cursor: Cursor): string {
  const quote = cursor.char();
  const gap = new Gap();
  let value = "";
  cursor.advance();
  for (;;) {
    if (cursor.isAtDocumentIndicator()) throw cursor.problem("found unexpected document indicator");
    if (cursor.char() === "") throw cursor.problem("found unexpected end of stream");
    value += quote === "'" ? scanSinglePiece(cursor) : scanDoublePiece(cursor, gap);
    if (cursor.char() === quote) {
      cursor.advance();
      return value;
    }
    skipGap(cursor, gap, () => undefined);
    value += gap.take();
  }
}

function scanSinglePiece(cursor: Cursor): string {
  let piece = "";
  for (;;) {
    piece += cursor.readWhile((char) => char !== "'" && !isBlankOrEnd(char));
    if (cursor.char() !== "'" || cursor.char(1) !== "'") return piece;
    piece += "'";
    cursor.advance(2);
  }
}

function scanDoublePiece(cursor: Cursor, gap: Gap): string {
  let piece = "";
  for (;;) {
    piece += cursor.readWhile((char) => char !== '"' && char !== "\\" && !isBlankOrEnd(char));
    if (cursor.char() !== "\\") return piece;
    if (isBreak(cursor.char(1))) {
      cursor.advance();
      cursor.readBreak();
      gap.addEscapedBreak();
      return piece;
    }
    piece += scanEscape(cursor);
  }
}

const escapes: ReadonlyMap<string, string> = new Map([
  ["0", "\0"],
  ["a", "\x07"],
  ["b", "\b"],
  ["t", "\t"],
  ["\t", "\t"],
  ["n", "\n"],
  ["v", "\v"],
  ["f", "\f"],
  ["r", "\r"],
  ["e", "\x1b"],
  [" ", " "],
  ['"', '"'],
  ["'", "'"],
  ["\\", "\\"],
  ["N", "\u0085"],
  ["_", "\u00a0"],
  ["L", "\u2028"],
  ["P", "\u2029"],
]);

const codeLengths: ReadonlyMap<string, number> = new Map([
  ["x", 2],
  ["u", 4],
  ["U", 8],
]);

function scanEscape(cursor: Cursor): string {
  const letter = cursor.char(1);
  const escaped = escapes.get(letter);
  const length = codeLengths.get(letter);
  if (escaped === undefined && length === undefined) throw cursor.problem("found unknown escape character");
  cursor.advance(2);
  if (escaped !== undefined) return escaped;
  const digits = cursor.text.slice(cursor.at, cursor.at + (length ?? 0));
  if (digits.length !== length || !/^[0-9A-Fa-f]+$/.test(digits)) {
    throw cursor.problem("did not find expected hexdecimal number");
  }
  const code = Number.parseInt(digits, 16);
  if ((code >= 0xd800 && code <= 0xdfff) || code > 0x10ffff) {
    throw cursor.problem("found invalid Unicode character escape code");
  }
  cursor.advance(length);
  return String.fromCodePoint(code);
}

/** Reads a scalar that starts with `|` or `>`, below a parent of the indent. */
export function scanBlock(cursor: Cursor, parentIndent: number): string {
  const isLiteral = cursor.char() === "|";
  const { chomping, increment } = scanBlockHeader(cursor);
  const base = Math.max(parentIndent, 0);
  const breaks = new BlockBreaks(increment === 0 ? undefined : base + increment, parentIndent + 1);
  let value = "";
  let lineBreak = "";
  let wasBlank = false;
  let trailing = breaks.scan(cursor);
  while (cursor.column === breaks.indent && cursor.char() !== "") {
    const startsBlank = isBlank(cursor.char());
    const folds = !isLiteral && !wasBlank && !startsBlank && lineBreak === "\n";
    value += (folds && trailing === "" ? " " : "") + (folds ? "" : lineBreak) + trailing;
    wasBlank = startsBlank;
    value += cursor.readWhile((char) => !isBreakOrEnd(char));
    lineBreak = cursor.char() === "" ? "" : cursor.readBreak();
    trailing = breaks.scan(cursor);
  }
  if (chomping !== "-") value += lineBreak;
  return chomping === "+" ? value + trailing : value;
}

function scanBlockHeader(cursor: Cursor): { chomping: string; increment: number } {
  cursor.advance();
  const { chomping, digit } = readIndicators(cursor);
  if (digit === "0") throw cursor.problem("found an indentation indicator equal to 0");
  cursor.skipBlanks();
  if (cursor.char() === "#") cursor.skipLine();
  if (!isBreakOrEnd(cursor.char())) throw cursor.problem("did not find expected comment or line break");
  if (cursor.char() !== "") cursor.readBreak();
  return { chomping, increment: Number(digit) };
}

/** The chomping indicator and the indentation indicator, in either order. */
function readIndicators(cursor: Cursor): { chomping: string; digit: string } {
  const readSign = (): string => readOne(cursor, /[+-]/);
  const before = readSign();
  // A zero is not consumed, so that the error has upstream's position.
  const digit = cursor.char() === "0" ? "0" : readOne(cursor, /[1-9]/);
  return { chomping: before === "" && digit !== "" && digit !== "0" ? readSign() : before, digit };
}

function readOne(cursor: Cursor, pattern: RegExp): string {
  const char = cursor.char();
  if (!pattern.test(char)) return "";
  cursor.advance();
  return char;
}

/** Reads the indents and empty lines of a block scalar, and detects its indent from the first line with text. */
class BlockBreaks {
  indent: number | undefined;
  readonly #least: number;

  constructor(indent: number | undefined, least: number) {
    this.indent = indent;
    this.#least = Math.max(least, 1);
  }

  scan(cursor: Cursor): string {
    let breaks = "";
    let widest = 0;
    for (;;) {
      const isInIndent = (): boolean => this.indent === undefined || cursor.column < this.indent;
      while (isInIndent() && cursor.char() === " ") cursor.advance();
      widest = Math.max(widest, cursor.column);
      if (isInIndent() && cursor.char() === "\t") throw this.#tab(cursor);
      if (!isBreak(cursor.char())) break;
      breaks += cursor.readBreak();
    }
    this.indent ??= Math.max(widest, this.#least);
    return breaks;
  }

  #tab(cursor: Cursor): YamlProblem {
    return cursor.problem("found a tab character where an indentation space is expected");
  }
}
