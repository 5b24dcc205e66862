/** The tokens in the order of cel-go's grammar (parser/gen/CEL.g4), in which messages list what was expected. */
export const tokenNames = [
  "<EOF>",
  "'=='",
  "'!='",
  "'in'",
  "'<'",
  "'<='",
  "'>='",
  "'>'",
  "'&&'",
  "'||'",
  "'['",
  "']'",
  "'{'",
  "'}'",
  "'('",
  "')'",
  "'.'",
  "','",
  "'-'",
  "'!'",
  "'?'",
  "':'",
  "'+'",
  "'*'",
  "'/'",
  "'%'",
  "'true'",
  "'false'",
  "'null'",
  "NUM_FLOAT",
  "NUM_INT",
  "NUM_UINT",
  "STRING",
  "BYTES",
  "IDENTIFIER",
  "ESC_IDENTIFIER",
] as const;

export type TokenKind = (typeof tokenNames)[number];

/** A token, by the offsets of its text in UTF-16 code units. */
export interface Token {
  readonly kind: TokenKind;
  readonly start: number;
  readonly end: number;
}

/** The set of token kinds as messages show it: one alone, several in braces. */
export function formatExpected(expected: readonly TokenKind[]): string {
  const sorted = tokenNames.filter((name) => expected.includes(name));
  return sorted.length === 1 ? `${sorted[0]}` : `{${sorted.join(", ")}}`;
}
