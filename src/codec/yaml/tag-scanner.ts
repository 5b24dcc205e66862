import { type Cursor, isBlank, isBlankOrEnd, isBreakOrEnd, isWordCharacter } from "./cursor.ts";

/** Reads the name of an anchor or an alias, starting at its `&` or `*`. */
export function scanAnchor(cursor: Cursor): string {
  cursor.advance();
  const name = cursor.readWhile(isWordCharacter);
  if (name === "" || !(isBlankOrEnd(cursor.char()) || "?:,]}%@`".includes(cursor.char()))) {
    throw cursor.problem("did not find expected alphabetic or numeric character");
  }
  return name;
}

/** Reads a tag: `!<uri>`, `!suffix`, `!handle!suffix`, or `!` alone. */
export function scanTag(cursor: Cursor): { handle: string; suffix: string } {
  const tag = cursor.char(1) === "<" ? scanVerbatimTag(cursor) : scanShortTag(cursor);
  if (!isBlankOrEnd(cursor.char())) throw cursor.problem("did not find expected whitespace or line break");
  return tag;
}

function scanVerbatimTag(cursor: Cursor): { handle: string; suffix: string } {
  cursor.advance(2);
  const suffix = scanUri(cursor, "");
  if (cursor.char() !== ">") throw cursor.problem("did not find the expected '>'");
  cursor.advance();
  return { handle: "", suffix };
}

function scanShortTag(cursor: Cursor): { handle: string; suffix: string } {
  const handle = scanHandle(cursor);
  if (handle.length > 1 && handle.endsWith("!")) return { handle, suffix: scanUri(cursor, "") };
  const suffix = scanUri(cursor, handle);
  return suffix === "" ? { handle: "", suffix: "!" } : { handle: "!", suffix };
}

function scanHandle(cursor: Cursor): string {
  if (cursor.char() !== "!") throw cursor.problem("did not find expected '!'");
  cursor.advance();
  const name = cursor.readWhile(isWordCharacter);
  if (cursor.char() !== "!") return `!${name}`;
  cursor.advance();
  return `!${name}!`;
}

const URI = /^[-_0-9A-Za-z;/?:@&=+$,.!~*'()[\]%]$/;

/** Reads the part after a handle. `head` is the text that was already read of it. */
function scanUri(cursor: Cursor, head: string): string {
  const start = cursor.at;
  let uri = head.slice(1);
  for (;;) {
    uri += cursor.readWhile((char) => char !== "%" && URI.test(char));
    if (cursor.char() !== "%") break;
    uri += scanUriEscape(cursor);
  }
  if (head === "" && cursor.at === start) throw cursor.problem("did not find expected tag URI");
  return uri;
}

/** Reads one character that is percent-encoded as UTF-8. */
function scanUriEscape(cursor: Cursor): string {
  const bytes: number[] = [];
  let length = 1;
  while (bytes.length < length) {
    const octet = /^%([0-9A-Fa-f]{2})/.exec(cursor.text.slice(cursor.at, cursor.at + 3))?.[1];
    if (octet === undefined) throw cursor.problem("did not find URI escaped octet");
    const byte = Number.parseInt(octet, 16);
    if (bytes.length === 0) length = sequenceLength(byte);
    if (length === 0) throw cursor.problem("found an incorrect leading UTF-8 octet");
    if (bytes.length > 0 && (byte & 0xc0) !== 0x80) {
      throw cursor.problem("found an incorrect trailing UTF-8 octet");
    }
    bytes.push(byte);
    cursor.advance(3);
  }
  return new TextDecoder().decode(new Uint8Array(bytes));
}

function sequenceLength(first: number): number {
  if (first < 0x80) return 1;
  if ((first & 0xe0) === 0xc0) return 2;
  if ((first & 0xf0) === 0xe0) return 3;
  return (first & 0xf8) === 0xf0 ? 4 : 0;
}

/** A directive: the version in `value` and `suffix`, or the handle of a tag and its prefix. */
export interface Directive {
  readonly type: "versionDirective" | "tagDirective";
  readonly value: string;
  readonly suffix: string;
}

/** Reads a directive up to the end of its line. */
export function scanDirective(cursor: Cursor): Directive {
  cursor.advance();
  const name = cursor.readWhile(isWordCharacter);
  if (name === "") throw cursor.problem("could not find expected directive name");
  if (!isBlankOrEnd(cursor.char())) throw cursor.problem("found unexpected non-alphabetical character");
  if (name !== "YAML" && name !== "TAG") throw cursor.problem("found unknown directive name");
  cursor.skipBlanks();
  const directive = name === "YAML" ? scanVersion(cursor) : scanTagDirective(cursor);
  cursor.skipBlanks();
  if (cursor.char() === "#") cursor.skipLine();
  if (!isBreakOrEnd(cursor.char())) throw cursor.problem("did not find expected comment or line break");
  if (cursor.char() !== "") cursor.readBreak();
  return directive;
}

function scanVersion(cursor: Cursor): Directive {
  const value = scanVersionNumber(cursor);
  if (cursor.char() !== ".") throw cursor.problem("did not find expected digit or '.' character");
  cursor.advance();
  return { type: "versionDirective", value, suffix: scanVersionNumber(cursor) };
}

function scanVersionNumber(cursor: Cursor): string {
  const digits = cursor.readWhile((char) => char >= "0" && char <= "9");
  if (digits.length > 2) throw cursor.problem("found extremely long version number");
  if (digits === "") throw cursor.problem("did not find expected version number");
  return String(Number(digits));
}

function scanTagDirective(cursor: Cursor): Directive {
  const value = scanHandle(cursor);
  if (value.length > 1 && !value.endsWith("!")) throw cursor.problem("did not find expected '!'");
  if (!isBlank(cursor.char())) throw cursor.problem("did not find expected whitespace");
  cursor.skipBlanks();
  const suffix = scanUri(cursor, "");
  if (!isBlankOrEnd(cursor.char())) throw cursor.problem("did not find expected whitespace or line break");
  return { type: "tagDirective", value, suffix };
}
