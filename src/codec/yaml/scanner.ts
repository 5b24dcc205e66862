import { MAX_DEPTH } from "../json/go-json-error.ts";
import { Cursor, isBlank, isBlankOrEnd, isBreak, type YamlProblem } from "./cursor.ts";
import { scanBlock, scanPlain, scanQuoted } from "./scalar-scanner.ts";
import { scanAnchor, scanDirective, scanTag } from "./tag-scanner.ts";

export type TokenType =
  | "streamEnd"
  | "versionDirective"
  | "tagDirective"
  | "documentStart"
  | "documentEnd"
  | "blockSequenceStart"
  | "blockMappingStart"
  | "blockEnd"
  | "flowSequenceStart"
  | "flowSequenceEnd"
  | "flowMappingStart"
  | "flowMappingEnd"
  | "blockEntry"
  | "flowEntry"
  | "key"
  | "value"
  | "alias"
  | "anchor"
  | "tag"
  | "plainScalar"
  | "scalar";

export interface Token {
  readonly type: TokenType;
  /** Counted from zero. */
  readonly line: number;
  /** The text of a scalar, the name of an anchor, the handle of a tag. */
  readonly value: string;
  /** The part of a tag after its handle, or the prefix that a directive assigns to a handle. */
  readonly suffix: string;
}

/** The possible start of a key. It is a key if a colon follows on the same line. */
interface SimpleKey {
  readonly tokenNumber: number;
  /** Whether the token must be a key to be valid. */
  readonly required: boolean;
  readonly at: number;
  readonly line: number;
  readonly column: number;
}

/** The maximum distance between the start of a key and its colon. */
const MAX_KEY_LENGTH = 1024;

/** The number of consumed tokens after which they are removed from the buffer. */
const MAX_CONSUMED = 256;

const flowTokens: ReadonlyMap<string, TokenType> = new Map([
  ["[", "flowSequenceStart"],
  ["{", "flowMappingStart"],
  ["]", "flowSequenceEnd"],
  ["}", "flowMappingEnd"],
]);

/** Characters that cannot start a plain scalar, except `-`, `?` and `:` if no blank follows. */
const INDICATORS = "-?:,[]{}#&*!|>'\"%@`";

/**
 * Splits a text into tokens. Indents produce start and end tokens for block collections. The start of a mapping is
 * inserted before its first key when the scanner reaches the colon.
 */
export class Scanner {
  readonly #cursor: Cursor;
  readonly #tokens: Token[] = [];
  #head = 0;
  /** The number of consumed tokens, so that token numbers are stable. */
  #consumed = 0;
  #indent = -1;
  readonly #indents: number[] = [];
  /** The possible key in the block context and in each flow collection. */
  readonly #simpleKeys: (SimpleKey | undefined)[] = [undefined];
  readonly #simpleKeyTokens = new Map<number, number>();
  /** The number of the first token of each open flow collection; undefined once a possible key has started in it. */
  readonly #flowStarts: (number | undefined)[] = [];
  #simpleKeyAllowed = true;

  constructor(text: string) {
    this.#cursor = new Cursor(text);
  }

  /** The position up to which the text has been read. */
  get position(): number {
    return this.#cursor.at;
  }

  /** The next token, without consuming it. */
  peek(): Token {
    while (this.#needsMore()) this.#fetch();
    // #fetch adds a token or throws.
    return this.#tokens[this.#head] as Token;
  }

  /** Consumes the next token. */
  next(): Token {
    const token = this.peek();
    this.#head++;
    this.#consumed++;
    if (this.#head === MAX_CONSUMED) {
      this.#tokens.splice(0, this.#head);
      this.#head = 0;
    }
    return token;
  }

  /** A token is complete only if no mapping can start before it. */
  #needsMore(): boolean {
    if (this.#head === this.#tokens.length) return true;
    const level = this.#simpleKeyTokens.get(this.#consumed);
    return level !== undefined && this.#validKey(level) !== undefined;
  }

  get #inFlow(): boolean {
    return this.#simpleKeys.length > 1;
  }

  #fetch(): void {
    this.#skipToToken();
    const cursor = this.#cursor;
    this.#unrollIndent(cursor.column);
    const char = cursor.char();
    if (char === "") this.#fetchStreamEnd();
    else if (cursor.column === 0 && char === "%") this.#fetchDirective();
    else if (cursor.isAtDocumentIndicator()) this.#fetchDocumentIndicator(char);
    else if (flowTokens.has(char)) this.#fetchFlowBracket(char);
    else if (char === ",") this.#fetchFlowEntry();
    else if (char === "-" && isBlankOrEnd(cursor.char(1))) this.#fetchBlockEntry();
    else if (char === "?" && (this.#inFlow || isBlankOrEnd(cursor.char(1)))) this.#fetchKey();
    else if (char === ":" && (this.#inFlow || isBlankOrEnd(cursor.char(1)))) this.#fetchValue();
    else this.#fetchNode(char);
  }

  /** Fetches the start of a node, which may also start a key. */
  #fetchNode(char: string): void {
    const cursor = this.#cursor;
    const { line } = cursor;
    if ((char === "|" || char === ">") && !this.#inFlow) {
      this.#removeSimpleKey();
      this.#simpleKeyAllowed = true;
      this.#add("scalar", line, scanBlock(cursor, this.#indent));
    } else if (char === "*" || char === "&") {
      this.#saveSimpleKey();
      this.#add(char === "*" ? "alias" : "anchor", line, scanAnchor(cursor));
    } else if (char === "!") {
      this.#saveSimpleKey();
      const { handle, suffix } = scanTag(cursor);
      this.#add("tag", line, handle, suffix);
    } else if (char === "'" || char === '"') {
      this.#saveSimpleKey();
      this.#add("scalar", line, scanQuoted(cursor));
    } else if (this.#startsPlain(char)) {
      this.#saveSimpleKey();
      const place = { indent: this.#indent, inFlow: this.#inFlow };
      const { value, endedLine } = scanPlain(cursor, place);
      this.#add("plainScalar", line, value);
      if (endedLine) this.#simpleKeyAllowed = true;
    } else {
      throw cursor.problem("found character that cannot start any token");
    }
  }

  #startsPlain(char: string): boolean {
    if (!isBlankOrEnd(char) && !INDICATORS.includes(char)) return true;
    if (char === "-") return !isBlank(this.#cursor.char(1));
    return !this.#inFlow && (char === "?" || char === ":") && !isBlankOrEnd(this.#cursor.char(1));
  }

  /** Tabs are not indentation. Where a key may start, they are not skipped, so that they cause an error. */
  #skipToToken(): void {
    const cursor = this.#cursor;
    for (;;) {
      while (cursor.char() === " " || (cursor.char() === "\t" && (this.#inFlow || !this.#simpleKeyAllowed))) {
        cursor.advance();
      }
      if (cursor.char() === "#") cursor.skipLine();
      if (!isBreak(cursor.char())) return;
      cursor.readBreak();
      if (!this.#inFlow) this.#simpleKeyAllowed = true;
    }
  }

  #add(type: TokenType, line: number, value = "", suffix = ""): void {
    this.#tokens.push({ type, line, value, suffix });
  }

  /** Adds a token and skips its characters. */
  #addIndicator(type: TokenType, length: number): void {
    this.#add(type, this.#cursor.line);
    this.#cursor.advance(length);
  }

  /** Inserts a token before the token with this number, or appends it if that token was consumed. */
  #insert(type: TokenType, line: number, tokenNumber: number): void {
    const index =
      tokenNumber < this.#consumed ? this.#tokens.length : this.#head + tokenNumber - this.#consumed;
    this.#tokens.splice(index, 0, { type, line, value: "", suffix: "" });
  }

  /** The number of the next token to be added. */
  get #nextTokenNumber(): number {
    return this.#consumed + this.#tokens.length - this.#head;
  }

  #fetchStreamEnd(): void {
    const cursor = this.#cursor;
    // The end counts as the start of a new line.
    if (cursor.column !== 0) {
      cursor.column = 0;
      cursor.line++;
    }
    this.#leaveBlocks();
    this.#add("streamEnd", cursor.line);
  }

  /** Ends all block collections, at the start or end of a document. */
  #leaveBlocks(): void {
    this.#unrollIndent(-1);
    this.#removeSimpleKey();
    this.#simpleKeyAllowed = false;
  }

  #fetchDirective(): void {
    this.#leaveBlocks();
    const { line } = this.#cursor;
    const { type, value, suffix } = scanDirective(this.#cursor);
    this.#add(type, line, value, suffix);
  }

  #fetchDocumentIndicator(char: string): void {
    this.#leaveBlocks();
    this.#addIndicator(char === "-" ? "documentStart" : "documentEnd", 3);
  }

  #fetchFlowBracket(char: string): void {
    if (char === "[" || char === "{") {
      this.#saveSimpleKey();
      this.#simpleKeys.push(undefined);
      this.#flowStarts.push(this.#nextTokenNumber);
      this.#checkDepth();
      this.#simpleKeyAllowed = true;
    } else {
      this.#removeSimpleKey();
      if (this.#inFlow) this.#leaveFlow();
      this.#simpleKeyAllowed = false;
    }
    this.#addIndicator(flowTokens.get(char) ?? "streamEnd", 1);
  }

  /**
   * Upstream forgets that a flow collection may be a key if no possible key started in it. So the document `{}: 1` is
   * an empty mapping, and the rest is ignored.
   */
  #leaveFlow(): void {
    this.#simpleKeys.pop();
    const start = this.#flowStarts.pop();
    if (start !== undefined) this.#simpleKeyTokens.delete(start);
  }

  #fetchFlowEntry(): void {
    this.#removeSimpleKey();
    this.#simpleKeyAllowed = true;
    this.#addIndicator("flowEntry", 1);
  }

  #fetchBlockEntry(): void {
    if (!this.#inFlow) this.#startBlock("blockSequenceStart", "block sequence entries");
    this.#removeSimpleKey();
    this.#simpleKeyAllowed = true;
    this.#addIndicator("blockEntry", 1);
  }

  #fetchKey(): void {
    if (!this.#inFlow) this.#startBlock("blockMappingStart", "mapping keys");
    this.#removeSimpleKey();
    this.#simpleKeyAllowed = !this.#inFlow;
    this.#addIndicator("key", 1);
  }

  #fetchValue(): void {
    const level = this.#simpleKeys.length - 1;
    const key = this.#validKey(level);
    if (key !== undefined) {
      this.#insert("key", key.line, key.tokenNumber);
      this.#rollIndent(key.column, "blockMappingStart", key.line, key.tokenNumber);
      this.#dropSimpleKey(level);
      this.#simpleKeyAllowed = false;
    } else {
      if (!this.#inFlow) this.#startBlock("blockMappingStart", "mapping values");
      this.#simpleKeyAllowed = !this.#inFlow;
    }
    this.#addIndicator("value", 1);
  }

  /** Starts a block collection at the current column, unless one is there. */
  #startBlock(type: TokenType, what: string): void {
    const cursor = this.#cursor;
    if (!this.#simpleKeyAllowed) throw cursor.problem(`${what} are not allowed in this context`);
    this.#rollIndent(cursor.column, type, cursor.line, this.#nextTokenNumber);
  }

  #rollIndent(column: number, type: TokenType, line: number, tokenNumber: number): void {
    if (this.#inFlow || this.#indent >= column) return;
    this.#indents.push(this.#indent);
    this.#indent = column;
    this.#checkDepth();
    this.#insert(type, line, tokenNumber);
  }

  #unrollIndent(column: number): void {
    if (this.#inFlow) return;
    while (this.#indent > column) {
      this.#add("blockEnd", this.#cursor.line);
      this.#indent = this.#indents.pop() ?? -1;
    }
  }

  /** Upstream allows 10000 levels of each. The limit here is lower, because code that reads the value is recursive. */
  #checkDepth(): void {
    if (this.#indents.length + this.#simpleKeys.length - 1 <= MAX_DEPTH) return;
    throw this.#cursor.problem(`exceeded max depth of ${MAX_DEPTH}`);
  }

  #saveSimpleKey(): void {
    const { at, line, column } = this.#cursor;
    if (this.#simpleKeyAllowed) {
      this.#removeSimpleKey();
      const level = this.#simpleKeys.length - 1;
      const tokenNumber = this.#nextTokenNumber;
      const required = !this.#inFlow && this.#indent === column;
      this.#simpleKeys[level] = { tokenNumber, required, at, line, column };
      this.#simpleKeyTokens.set(tokenNumber, level);
      if (this.#inFlow) this.#flowStarts[level - 1] = undefined;
    }
    this.#simpleKeyAllowed = false;
  }

  #removeSimpleKey(): void {
    const level = this.#simpleKeys.length - 1;
    if (this.#simpleKeys[level]?.required) throw this.#missingColon();
    this.#dropSimpleKey(level);
  }

  #dropSimpleKey(level: number): void {
    const key = this.#simpleKeys[level];
    if (key !== undefined) this.#simpleKeyTokens.delete(key.tokenNumber);
    this.#simpleKeys[level] = undefined;
  }

  /** The possible key of a level, if a colon can still follow it. */
  #validKey(level: number): SimpleKey | undefined {
    const key = this.#simpleKeys[level];
    if (key === undefined) return undefined;
    const { line, at } = this.#cursor;
    if (key.line === line && at - key.at <= MAX_KEY_LENGTH) return key;
    if (key.required) throw this.#missingColon();
    this.#dropSimpleKey(level);
    return undefined;
  }

  #missingColon(): YamlProblem {
    return this.#cursor.problem("could not find expected ':'");
  }
}
