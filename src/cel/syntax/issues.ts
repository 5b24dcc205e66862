import { codePoints, noPosition, type Position, positionOf, type Source } from "./source.ts";

/** An error of the parser or the checker. */
export interface Issue {
  readonly message: string;
  readonly position: Position;
}

const maxReported = 100;
const maxSnippetLength = 16384;

/** The errors of one expression, in the order they were found. */
export class Issues {
  readonly source: Source;
  readonly #found: Issue[] = [];
  #count = 0;

  constructor(source: Source) {
    this.source = source;
  }

  get count(): number {
    return this.#count;
  }

  /** Adds an error at an offset of the source; errors after the hundredth are only counted. */
  add(offset: number | undefined, message: string): void {
    this.#count++;
    if (this.#count > maxReported) return;
    const position = offset === undefined ? noPosition : positionOf(this.source, offset);
    this.#found.push({ message, position });
  }

  /** The errors by position. */
  get list(): readonly Issue[] {
    return this.#found.toSorted(
      (a, b) => a.position.line - b.position.line || a.position.column - b.position.column,
    );
  }

  /** What a user reads: each error with its line and a pointer under the place (cel-go, common/error.go). */
  toString(): string {
    const shown = this.list.map((issue) => showIssue(issue, this.source));
    if (this.#count > maxReported) shown.push(`${this.#count - maxReported} more errors were truncated`);
    return shown.join("\n");
  }
}

function showIssue({ message, position }: Issue, source: Source): string {
  const { line, column } = position;
  const head = `ERROR: ${source.description}:${line}:${column + 1}: ${message}`;
  const text = line < 1 ? undefined : source.text.split("\n")[line - 1];
  if (text === undefined || codePoints(text) > maxSnippetLength) return head;
  const characters = Array.from(text.replaceAll("\t", " "));
  // Under a character outside ASCII stands a wide one.
  const pointer = characters.slice(0, column).map((character) => (isWide(character) ? "\uff0e" : "."));
  const end = isWide(characters[column] ?? "") ? "\uff3e" : "^";
  return `${head}\n | ${characters.join("")}\n | ${pointer.join("")}${end}`;
}

function isWide(character: string): boolean {
  return (character.codePointAt(0) ?? 0) > 0x7f;
}
