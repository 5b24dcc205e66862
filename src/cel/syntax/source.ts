/** The text of an expression, and what its errors call it. */
export interface Source {
  readonly text: string;
  readonly description: string;
}

/** A place in a source: a line, from 1, and a column of code points, from 0. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** The place of an error that has none: cel-go prints it as line -1, column 0. */
export const noPosition: Position = { line: -1, column: -1 };

/** The position of an offset in UTF-16 code units. */
export function positionOf({ text }: Source, offset: number): Position {
  let line = 1;
  let start = 0;
  for (let end = text.indexOf("\n"); end >= 0 && end < offset; end = text.indexOf("\n", end + 1)) {
    line++;
    start = end + 1;
  }
  return { line, column: codePoints(text.slice(start, offset)) };
}

/** The number of code points of a text. A surrogate pair is one. */
export function codePoints(text: string): number {
  let count = text.length;
  for (let i = 0; i < text.length - 1; i++) {
    const code = text.charCodeAt(i);
    if (code < 0xd800 || code > 0xdbff) continue;
    const next = text.charCodeAt(i + 1);
    if (next >= 0xdc00 && next <= 0xdfff) {
      count--;
      i++;
    }
  }
  return count;
}
