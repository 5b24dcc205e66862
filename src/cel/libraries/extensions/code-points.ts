import { codePoints } from "../../syntax/source.ts";

/** A text by its code points. One without surrogate pairs is its own list of them. */
export class CodePoints {
  readonly #text: string;
  readonly #characters: readonly string[] | undefined;
  readonly length: number;

  constructor(text: string) {
    this.#text = text;
    this.length = codePoints(text);
    this.#characters = this.length === text.length ? undefined : Array.from(text);
  }

  slice(start: number, end: number = this.length): string {
    return this.#characters === undefined
      ? this.#text.slice(start, end)
      : this.#characters.slice(start, end).join("");
  }

  /** The index of the first occurrence at or after `start`; -1 if there is none. */
  indexOf(part: string, start: number): number {
    const found = this.#text.indexOf(part, this.slice(0, start).length);
    return found < 0 ? -1 : codePoints(this.#text.slice(0, found));
  }

  /** The index of the last occurrence at or before `start`; -1 if there is none. */
  lastIndexOf(part: string, start: number): number {
    const found = this.#text.lastIndexOf(part, this.slice(0, start).length);
    return found < 0 ? -1 : codePoints(this.#text.slice(0, found));
  }

  reversed(): string {
    return (this.#characters ?? Array.from(this.#text)).toReversed().join("");
  }
}
