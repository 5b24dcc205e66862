import { isBase64 } from "../../../apimachinery/base64.ts";
import { isIp } from "./host-formats.ts";

const spaces = /[ \t]*/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: an atom has none
const atom = /[^\u0000- \u007f()<>[\]:;@\\,"]+/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: a domain has none
const domainLiteral = /\[([^\u0000- \u007f[\]\\]*)\]/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: a quoted string has none but tabs
const controlCharacter = /[\u0000-\u0008\u000a-\u001f\u007f]/;
const encodedWord = /^=\?([^?]+)\?([bq])\?([^?]*)\?=$/i;
const knownCharset = /^(?:utf-8|iso-8859-1|us-ascii)$/iu;
const quotedPrintable = /^(?:[\t\n\r -<>-~]|=[0-9A-Fa-f]{2})*$/;

/** Whether a text is one address as Go's `mail.ParseAddress` reads it: `a@b.c`, `Bob <a@b.c>`, `a@b.c (Bob)` or a group of one. */
export function isEmail(text: string): boolean {
  const reader = new AddressReader(text);
  return reader.readAddresses(true) === 1 && reader.skipComments() && reader.isAtEnd();
}

/** Reads the parts of addresses (RFC 5322). What is not there is not consumed. */
class AddressReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  isAtEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  /** The number of addresses of a mailbox or of a group; undefined for neither. */
  readAddresses(mayBeGroup: boolean): number | undefined {
    this.#skipSpaces();
    if (this.isAtEnd()) return undefined;
    if (this.#readAddressSpec()) return this.#skipNameComment() ? 1 : undefined;
    if (!this.#isNext("<") && !this.#readPhrase()) return undefined;
    this.#skipSpaces();
    if (mayBeGroup && this.#skip(":")) return this.#readGroup();
    return this.#skip("<") && this.#readAddressSpec() && this.#skip(">") ? 1 : undefined;
  }

  /** Skips spaces and comments in parentheses; false if one of them does not end. */
  skipComments(): boolean {
    this.#skipSpaces();
    while (this.#skip("(")) {
      if (this.#readComment() === undefined) return false;
      this.#skipSpaces();
    }
    return true;
  }

  #readGroup(): number | undefined {
    this.#skipSpaces();
    if (this.#skip(";")) return this.skipComments() ? 0 : undefined;
    for (let count = 0; ; ) {
      const read = this.readAddresses(false);
      if (read === undefined || !this.skipComments()) return undefined;
      count += read;
      if (this.#skip(";")) return this.skipComments() ? count : undefined;
      if (!this.#skip(",")) return undefined;
    }
  }

  #readAddressSpec(): boolean {
    const start = this.#at;
    this.#skipSpaces();
    const isLocal = this.#isNext('"') ? this.#readQuotedString() > 0 : this.#readDotAtom();
    if (isLocal && this.#skip("@")) {
      this.#skipSpaces();
      if (this.#isNext("[") ? this.#readDomainLiteral() : this.#readDotAtom()) return true;
    }
    this.#at = start;
    return false;
  }

  #readDotAtom(): boolean {
    const read = this.#match(atom)?.[0];
    return read !== undefined && !read.startsWith(".") && !read.endsWith(".") && !read.includes("..");
  }

  #readDomainLiteral(): boolean {
    const address = this.#match(domainLiteral)?.[1];
    return address !== undefined && isIp(address);
  }

  /** Words up to the first that is none. A word in a charset that is not known ends the phrase, and is no first word. */
  #readPhrase(): boolean {
    for (let words = 0; ; words++) {
      if (words > 0 && !this.skipComments()) return false;
      this.#skipSpaces();
      if (this.isAtEnd() || !this.#readWord()) return words > 0;
    }
  }

  #readWord(): boolean {
    if (this.#isNext('"')) return this.#readQuotedString() >= 0;
    const word = this.#match(atom)?.[0];
    return word !== undefined && hasKnownCharset(word);
  }

  /** The length of a quoted string, or -1. */
  #readQuotedString(): number {
    let length = 0;
    for (let at = this.#at + 1; at < this.#text.length; at++, length++) {
      let character = this.#text.charAt(at);
      if (character === '"') {
        this.#at = at + 1;
        return length;
      }
      if (character === "\\") character = this.#text.charAt(++at);
      if (character === "" || controlCharacter.test(character)) return -1;
    }
    return -1;
  }

  /** Skips a comment with a name behind an address, whose words must be in a charset that is known. */
  #skipNameComment(): boolean {
    this.#skipSpaces();
    if (!this.#skip("(")) return true;
    return (
      this.#readComment()
        ?.split(/[ \t]+/)
        .every(hasKnownCharset) ?? false
    );
  }

  /** The rest of a comment; undefined if it does not end. */
  #readComment(): string | undefined {
    let comment = "";
    for (let depth = 1; !this.isAtEnd(); this.#at++) {
      if (this.#isNext("\\") && this.#at + 1 < this.#text.length) this.#at++;
      else if (this.#isNext("(")) depth++;
      else if (this.#isNext(")")) depth--;
      if (depth === 0) {
        this.#at++;
        return comment;
      }
      comment += this.#text.charAt(this.#at);
    }
    return undefined;
  }

  #skipSpaces(): void {
    this.#match(spaces);
  }

  #isNext(character: string): boolean {
    return this.#text[this.#at] === character;
  }

  #skip(character: string): boolean {
    if (!this.#isNext(character)) return false;
    this.#at++;
    return true;
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    this.#at += match?.[0].length ?? 0;
    return match;
  }
}

/** Whether a word is not encoded (RFC 2047), or in a charset that Go knows. */
function hasKnownCharset(word: string): boolean {
  const [, charset, encoding, encoded = ""] = encodedWord.exec(word) ?? [];
  if (charset === undefined || knownCharset.test(charset)) return true;
  return !(encoding?.toLowerCase() === "q" ? quotedPrintable.test(encoded) : isBase64(encoded));
}
