import type { Issues } from "./issues.ts";
import { formatExpected, type Token, type TokenKind } from "./tokens.ts";

/** The tokens that may follow a rule where it is used, and whether the rule around it may end there too. */
export interface Follow {
  readonly tokens: readonly TokenKind[];
  readonly mayEnd: boolean;
}

/** The input does not fit the rule; the rule that catches it skips to what may follow. */
export class SyntaxMismatch extends Error {}

/** The parser gives up: the limits of cel-go on recovery. */
export class TooManyErrors extends Error {}

const maxRecoveries = 30;
const maxSkipped = 256;

/**
 * The tokens of an expression, with ANTLR's way of reporting and recovering, on which cel-go's messages depend: one
 * token too many is deleted, one too few is inserted, otherwise the rule ends and what cannot follow it is skipped.
 */
export class TokenStream {
  readonly #tokens: readonly Token[];
  readonly #issues: Issues;
  /** Innermost last, up to the depth. */
  readonly #follows: Follow[] = [];
  #depth = 0;
  #at = 0;
  #isRecovering = false;
  #recoveries = 0;
  #lastErrorAt = -1;

  constructor(tokens: readonly Token[], issues: Issues) {
    this.#tokens = tokens;
    this.#issues = issues;
  }

  /** The token `distance` tokens ahead. */
  peek(distance = 0): Token {
    const token = this.#tokens[Math.min(this.#at + distance, this.#tokens.length - 1)];
    return token ?? { kind: "<EOF>", start: 0, end: 0 };
  }

  is(kind: TokenKind): boolean {
    return this.peek().kind === kind;
  }

  text({ start, end }: Token): string {
    return this.#issues.source.text.slice(start, end);
  }

  /** Takes the token that a rule has looked at. */
  take(): Token {
    const token = this.peek();
    this.#isRecovering = false;
    this.#advance();
    return token;
  }

  /** Takes the token if it is of this kind. */
  takeIf(kind: TokenKind): Token | undefined {
    return this.is(kind) ? this.take() : undefined;
  }

  /**
   * Takes a token of this kind; `after` may follow it in the same rule. A token too many before it is deleted, and
   * a missing one is inserted, which is undefined.
   */
  match(kind: TokenKind, after: Follow): Token | undefined {
    if (this.is(kind)) return this.take();
    this.#countRecovery();
    if (this.#deleteOne([kind])) return this.take();
    if (this.#allowed(after).has(this.peek().kind)) {
      this.#report(`missing ${formatExpected([kind])} at ${this.#show(this.peek())}`);
      return undefined;
    }
    this.#reportMismatch([kind]);
    throw new SyntaxMismatch();
  }

  /** Checks that the next token is expected at the start of a choice; deletes one token too many. */
  sync(expected: readonly TokenKind[]): void {
    if (this.#isRecovering || expected.includes(this.peek().kind)) return;
    if (this.#deleteOne(expected)) return;
    this.#reportMismatch(expected);
    throw new SyntaxMismatch();
  }

  /** Checks that the next token is expected in a loop that needs more; skips what is not. */
  syncLoop(expected: readonly TokenKind[]): void {
    if (this.#isRecovering || expected.includes(this.peek().kind)) return;
    this.#report(`extraneous input ${this.#show(this.peek())} expecting ${formatExpected(expected)}`);
    this.#skipTo(new Set([...expected, ...this.#recoverySet()]));
  }

  /** Reports that no choice begins with the next `count` tokens. */
  noViableAlternative(count: number): never {
    const offending = this.peek(count - 1);
    const first = this.peek();
    const text = first.kind === "<EOF>" ? "<EOF>" : this.#text(first, offending);
    const reserved = /^\.(true|false|null)$/.exec(text)?.[1];
    const message =
      reserved === undefined
        ? `no viable alternative at input '${text}'`
        : `mismatched input '${reserved}' expecting IDENTIFIER`;
    this.#report(message, offending);
    throw new SyntaxMismatch();
  }

  /** Enters a rule that these tokens may follow; returns what `leave` and `recover` need. */
  enter(follow: Follow): number {
    this.#follows[this.#depth++] = follow;
    return this.#depth;
  }

  /** Leaves the rule that was entered at this depth. */
  leave(depth: number): void {
    this.#depth = depth - 1;
  }

  /** After an error in a rule, skips to what may follow it; throws errors of other kinds again. */
  recover(error: unknown, depth: number): void {
    if (!(error instanceof SyntaxMismatch)) throw error;
    this.#depth = depth;
    this.#recover();
  }

  /** Parses a rule that these tokens may follow; after an error in it, skips to what may follow and returns `failed`. */
  rule<T>(follow: Follow, parse: () => T, failed: () => T): T {
    const depth = this.enter(follow);
    try {
      return parse();
    } catch (error) {
      this.recover(error, depth);
      return failed();
    } finally {
      this.leave(depth);
    }
  }

  #recover(): void {
    this.#countRecovery();
    // Without progress since the last error, one token must go.
    if (this.#lastErrorAt === this.#at && !this.is("<EOF>")) this.#advance();
    this.#lastErrorAt = this.#at;
    this.#skipTo(this.#recoverySet());
  }

  #countRecovery(): void {
    if (++this.#recoveries <= maxRecoveries) return;
    this.#issues.add(
      this.peek().start,
      `Syntax error: error recovery attempt limit exceeded: ${maxRecoveries}`,
    );
    throw new TooManyErrors();
  }

  #skipTo(kinds: ReadonlySet<TokenKind>): void {
    for (let skipped = 0; !this.is("<EOF>") && !kinds.has(this.peek().kind); skipped++) {
      if (skipped >= maxSkipped) {
        this.#issues.add(undefined, `error recovery token lookahead limit exceeded: ${maxSkipped}`);
        throw new TooManyErrors();
      }
      this.#advance();
    }
  }

  #deleteOne(expected: readonly TokenKind[]): boolean {
    if (!expected.includes(this.peek(1).kind) || this.is("<EOF>")) return false;
    this.#report(`extraneous input ${this.#show(this.peek())} expecting ${formatExpected(expected)}`);
    this.#advance();
    this.#isRecovering = false;
    return true;
  }

  /** What may come next: `after`, and if the rule may end there, what may follow it. */
  #allowed(after: Follow): ReadonlySet<TokenKind> {
    const kinds = new Set(after.tokens);
    let { mayEnd } = after;
    for (let i = this.#depth - 1; i >= 0 && mayEnd; i--) {
      const follow = this.#follows[i];
      for (const kind of follow?.tokens ?? []) kinds.add(kind);
      mayEnd = follow?.mayEnd ?? false;
    }
    return kinds;
  }

  #recoverySet(): ReadonlySet<TokenKind> {
    return new Set(this.#follows.slice(0, this.#depth).flatMap(({ tokens }) => tokens));
  }

  #advance(): void {
    if (this.#at < this.#tokens.length - 1) this.#at++;
  }

  #reportMismatch(expected: readonly TokenKind[]): void {
    this.#report(`mismatched input ${this.#show(this.peek())} expecting ${formatExpected(expected)}`);
  }

  #report(message: string, token: Token = this.peek()): void {
    if (this.#isRecovering) return;
    this.#isRecovering = true;
    this.#issues.add(token.start, `Syntax error: ${message}`);
  }

  #show(token: Token): string {
    const text = token.kind === "<EOF>" ? "<EOF>" : this.text(token);
    return `'${text.replaceAll("\n", "\\n").replaceAll("\r", "\\r").replaceAll("\t", "\\t")}'`;
  }

  /** The text up to a token, without what follows the last token before the end. */
  #text(first: Token, last: Token): string {
    const { text } = this.#issues.source;
    if (last.kind !== "<EOF>") return text.slice(first.start, last.end);
    const rest = text.slice(first.end);
    return this.text(first) + (rest.trim() === "" ? rest : "");
  }
}
