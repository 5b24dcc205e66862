import type { DepthLimit } from "./depth-limit.ts";
import type { Expression } from "./expression.ts";
import type { ExpressionBuilder } from "./expression-builder.ts";
import type { Macros } from "./macro-table.ts";
import type { Follow, TokenStream } from "./token-stream.ts";

/** What the language has beyond its core. */
export interface ParserOptions {
  readonly macros: Macros;
  /** Whether `a.?b`, `a[?b]`, `[?a]` and `{?a: b}` are part of the language. */
  readonly optionalSyntax: boolean;
  /** Whether a field name in backquotes may have other characters than letters and digits. */
  readonly escapedIdentifiers: boolean;
}

/** What the rules for operands need from the rest of the parser. */
export interface ParserContext {
  readonly tokens: TokenStream;
  readonly build: ExpressionBuilder;
  readonly options: ParserOptions;
  readonly depths: DepthLimit;
  expression(follow: Follow): Expression;
  /** A call of a function, or what its macro expands to. */
  call(id: number, name: string, target: Expression | undefined, args: readonly Expression[]): Expression;
  /** Reports an error at an offset. */
  error(offset: number, message: string): Expression;
  /** A node for what could not be parsed. */
  failed(): Expression;
}
