import type { Follow } from "./token-stream.ts";
import type { TokenKind } from "./tokens.ts";

const relations: readonly TokenKind[] = ["'=='", "'!='", "'in'", "'<'", "'<='", "'>='", "'>'"];
const products: readonly TokenKind[] = ["'*'", "'/'", "'%'"];
const sums: readonly TokenKind[] = ["'+'", "'-'"];

/** The operators of each level. */
export const levels: {
  readonly relations: readonly TokenKind[];
  readonly products: readonly TokenKind[];
  readonly sums: readonly TokenKind[];
} = { relations, products, sums };

const literals: readonly TokenKind[] = [
  "'-'",
  "'true'",
  "'false'",
  "'null'",
  "NUM_FLOAT",
  "NUM_INT",
  "NUM_UINT",
  "STRING",
  "BYTES",
];

/** With what a primary expression begins. */
const primaryStart: readonly TokenKind[] = ["'['", "'{'", "'('", "'.'", "IDENTIFIER", ...literals];

/** With what an expression begins. */
export const expressionStart: readonly TokenKind[] = [...primaryStart, "'!'"];

function then(...tokens: readonly TokenKind[]): Follow {
  return { tokens, mayEnd: false };
}

function optionally(...tokens: readonly TokenKind[]): Follow {
  return { tokens, mayEnd: true };
}

export type FollowName =
  | ("start" | "end" | "condition" | "colon" | "or" | "and" | "relation" | "calculation" | "member")
  | ("arguments" | "index" | "elements" | "entries" | "nextItem" | "expression");

/** What may follow each use of a rule in cel-go's grammar (parser/gen/CEL.g4). */
export const follows: { readonly [name in FollowName]: Follow } = {
  start: then("<EOF>"),
  end: optionally(),
  condition: optionally("'?'"),
  colon: then("':'"),
  or: optionally("'||'"),
  and: optionally("'&&'"),
  relation: optionally(...relations),
  calculation: optionally(...products, ...sums),
  member: optionally("'.'", "'['"),
  arguments: then("')'"),
  index: then("']'"),
  elements: then("','", "']'"),
  entries: then("','", "'}'"),
  nextItem: optionally("','"),
  expression: then(...expressionStart),
};
