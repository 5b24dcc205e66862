/** A syntax error in YAML, with the text of Go's parser. */
export class YamlProblem extends Error {
  /** Counted from zero. */
  readonly line: number;

  constructor(message: string, line: number) {
    super(message);
    this.line = line;
  }
}

/** A position in a text, with its line and column. At the end of the text, characters are empty strings. */
export class Cursor {
  readonly text: string;
  at = 0;
  line = 0;
  column = 0;

  constructor(text: string) {
    this.text = text;
  }

  /** The character at an offset from the position. */
  char(offset = 0): string {
    return this.text.charAt(this.at + offset);
  }

  /** Skips characters within a line. */
  advance(count = 1): void {
    this.at += count;
    this.column += count;
  }

  /** Skips the rest of the line. */
  skipLine(): void {
    while (!isBreakOrEnd(this.char())) this.advance();
  }

  skipBlanks(): void {
    while (isBlank(this.char())) this.advance();
  }

  /** Skips a line break and returns it as in a scalar: `\r`, `\r\n` and `\x85` become `\n`. */
  readBreak(): string {
    const first = this.char();
    this.at += first === "\r" && this.char(1) === "\n" ? 2 : 1;
    this.line++;
    this.column = 0;
    return first === "\u2028" || first === "\u2029" ? first : "\n";
  }

  /** Reads while the test holds, within a line. */
  readWhile(test: (char: string) => boolean): string {
    const start = this.at;
    while (test(this.char())) this.advance();
    return this.text.slice(start, this.at);
  }

  /** Whether the line at the position starts with `---` or `...` and a blank, a break or the end. */
  isAtDocumentIndicator(): boolean {
    if (this.column !== 0) return false;
    const indicator = this.text.slice(this.at, this.at + 3);
    return (indicator === "---" || indicator === "...") && isBlankOrEnd(this.char(3));
  }

  problem(message: string): YamlProblem {
    return new YamlProblem(message, this.line);
  }
}

export function isBlank(char: string): boolean {
  return char === " " || char === "\t";
}

export function isBreak(char: string): boolean {
  return char === "\n" || char === "\r" || char === "\u0085" || char === "\u2028" || char === "\u2029";
}

export function isBreakOrEnd(char: string): boolean {
  return char === "" || isBreak(char);
}

export function isBlankOrEnd(char: string): boolean {
  return isBlank(char) || isBreakOrEnd(char);
}

/** Whether the character may be part of an anchor, tag or directive. */
export function isWordCharacter(char: string): boolean {
  return /^[0-9A-Za-z_-]$/.test(char);
}
