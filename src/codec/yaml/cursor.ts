/** What is wrong with a text that is to be YAML, in the words of Go's parser. */
export class YamlProblem extends Error {
  /** Counted from zero. */
  readonly line: number;

  constructor(message: string, line: number) {
    super(message);
    this.line = line;
  }
}

/** A place in a text, with the line and the column it is in. The end of the text reads as the empty string. */
export class Cursor {
  readonly text: string;
  at = 0;
  line = 0;
  column = 0;

  constructor(text: string) {
    this.text = text;
  }

  /** The character so many places on. */
  char(offset = 0): string {
    return this.text.charAt(this.at + offset);
  }

  /** Steps over characters of one line. */
  advance(count = 1): void {
    this.at += count;
    this.column += count;
  }

  /** Steps over what is left of the line. */
  skipLine(): void {
    while (!isBreakOrEnd(this.char())) this.advance();
  }

  skipBlanks(): void {
    while (isBlank(this.char())) this.advance();
  }

  /** Steps over a line break and gives it as it counts in a scalar: all that stand for a new line are one. */
  readBreak(): string {
    const first = this.char();
    this.at += first === "\r" && this.char(1) === "\n" ? 2 : 1;
    this.line++;
    this.column = 0;
    return first === "\u2028" || first === "\u2029" ? first : "\n";
  }

  /** Reads as far as the test holds, within one line. */
  readWhile(test: (char: string) => boolean): string {
    const start = this.at;
    while (test(this.char())) this.advance();
    return this.text.slice(start, this.at);
  }

  /** Whether `---` or `...` stands here as a line of its own. */
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

/** A character of anchors, tags and directives. */
export function isWordCharacter(char: string): boolean {
  return /^[0-9A-Za-z_-]$/.test(char);
}
