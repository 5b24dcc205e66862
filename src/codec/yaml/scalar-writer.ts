/** The start column of a scalar, the indent of its further lines, and whether it may have several lines. */
export interface Layout {
  readonly column: number;
  readonly indent: number;
  readonly mayBreak: boolean;
}

/** After this column, a line ends at the next space. */
const BEST_WIDTH = 80;

/** Lines of text, with the current column of the last line. */
class Lines {
  text = "";
  column: number;
  readonly #indent: number;

  constructor({ column, indent }: Layout) {
    this.column = column;
    this.#indent = indent;
  }

  add(text: string, width = text.length): void {
    this.text += text;
    this.column += width;
  }

  addBreak(text: string): void {
    this.text += text;
    this.column = 0;
  }

  indent(): void {
    this.add(" ".repeat(Math.max(0, this.#indent - this.column)));
  }

  newLine(): void {
    this.addBreak("\n");
    this.indent();
  }
}

/** Text without quotes or in single quotes. Long lines break at single spaces. */
export function writeFolded(value: string, quote: "" | "'", layout: Layout): string {
  const lines = new Lines(layout);
  lines.add(quote);
  const characters = [...value];
  let afterSpace = false;
  let afterBreak = false;
  for (const [i, character] of characters.entries()) {
    const next = characters[i + 1];
    if (character === " ") {
      const isInside = i > 0 && next !== undefined;
      if (layout.mayBreak && !afterSpace && lines.column > BEST_WIDTH && isInside && next !== " ")
        lines.newLine();
      else lines.add(" ");
      afterSpace = true;
      continue;
    }
    const isBreak = character === "\u2028" || character === "\u2029";
    if (isBreak) lines.addBreak(character);
    else {
      if (afterBreak) lines.indent();
      lines.add(character === "'" && quote === "'" ? "''" : character);
    }
    afterSpace = isBreak && afterSpace;
    afterBreak = isBreak;
  }
  lines.add(quote);
  return lines.text;
}

/** Text as a literal block after `|`. */
export function writeLiteral(value: string, layout: Layout): string {
  const lines = new Lines({ ...layout, column: 0 });
  lines.addBreak(`|${/^[ \n\u2028\u2029]/.test(value) ? "2" : ""}${chomping(value)}\n`);
  for (const line of value.split(/(?<=[\n\u2028\u2029])/)) {
    const content = line.replace(/[\n\u2028\u2029]$/, "");
    if (content !== "") {
      lines.indent();
      lines.add(content);
    }
    if (content !== line) lines.addBreak(line.slice(content.length));
  }
  return lines.text;
}

/** The chomping indicator, by the breaks at the end. No indicator means one break. */
function chomping(value: string): string {
  if (!/[\n\u2028\u2029]$/.test(value)) return "-";
  return /^.$|[\n\u2028\u2029].$/s.test(value) ? "+" : "";
}

const escapes: ReadonlyMap<number, string> = new Map([
  [0x00, "0"],
  [0x07, "a"],
  [0x08, "b"],
  [0x09, "t"],
  [0x0a, "n"],
  [0x0b, "v"],
  [0x0c, "f"],
  [0x0d, "r"],
  [0x1b, "e"],
  [0x22, '"'],
  [0x5c, "\\"],
  [0x85, "N"],
  [0xa0, "_"],
  [0x2028, "L"],
  [0x2029, "P"],
]);

/** Characters that double-quoted text does not escape. */
const UNESCAPED = /^[\x20!\x23-\x5b\x5d-\x7e\u00a0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd]$/;

/** Text in double quotes with escapes. Long lines break at a space; a backslash preserves a second space. */
export function writeDoubleQuoted(value: string, layout: Layout): string {
  const lines = new Lines(layout);
  lines.add('"');
  const characters = [...value];
  // A quirk of upstream: it checks whether the text starts with a byte order mark, not whether this character is one.
  const escapesAll = value.startsWith("\ufeff");
  let afterSpace = false;
  for (const [i, character] of characters.entries()) {
    const next = characters[i + 1];
    if (character === " " && !escapesAll) {
      const isInside = i > 0 && next !== undefined;
      if (layout.mayBreak && !afterSpace && lines.column > BEST_WIDTH && isInside) {
        lines.newLine();
        if (next === " ") lines.add("\\");
      } else lines.add(" ");
      afterSpace = true;
      continue;
    }
    afterSpace = false;
    if (UNESCAPED.test(character) && !escapesAll) lines.add(character);
    else lines.add(escapeCharacter(character.codePointAt(0) ?? 0));
  }
  lines.add('"');
  return lines.text;
}

function escapeCharacter(code: number): string {
  const known = escapes.get(code);
  if (known !== undefined) return `\\${known}`;
  const hex = code.toString(16).toUpperCase();
  if (code <= 0xff) return `\\x${hex.padStart(2, "0")}`;
  return code <= 0xffff ? `\\u${hex.padStart(4, "0")}` : `\\U${hex.padStart(8, "0")}`;
}
