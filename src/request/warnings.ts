/** The longest total of all texts in characters; beyond it, each is truncated. */
const TOTAL_LENGTH = 4096;
const CUT_LENGTH = 256;

/** The values of the `Warning` headers of an answer. */
export class WarningRecorder {
  /** Created with the first warning: most requests have none. */
  #texts: Set<string> | undefined;
  #values: string[] = [];
  /** Characters of text in the values. */
  #length = 0;
  #isCutting = false;

  /** Adds a warning, unless it is a repetition or not allowed in a header. */
  add(text: string): void {
    this.#texts ??= new Set();
    if (text === "" || this.#texts.has(text)) return;
    if (this.#isCutting && this.#length >= TOTAL_LENGTH) return;
    this.#texts.add(text);
    if (!this.#isCutting && this.#length + lengthOf(text) > TOTAL_LENGTH && isHeaderText(text)) {
      this.#startCutting(this.#texts);
      return;
    }
    this.#append(text);
  }

  /** The values of the headers, in order. */
  get values(): readonly string[] {
    return this.#values;
  }

  /** Starts again with every text truncated, even if the total is still too long. */
  #startCutting(texts: ReadonlySet<string>): void {
    this.#isCutting = true;
    this.#length = 0;
    this.#values = [];
    for (const text of texts) this.#append(text);
  }

  #append(text: string): void {
    if (!isHeaderText(text)) return;
    const shown = this.#isCutting ? cut(text) : text;
    this.#length += lengthOf(shown);
    this.#values.push(formatWarning(shown));
  }
}

/** The value of a `Warning` header with code 299 (miscellaneous persistent warning) and no agent. */
export function formatWarning(text: string): string {
  return `299 - "${text.replace(/["\\]/g, "\\$&")}"`;
}

/** Control characters are not allowed in a header; half a surrogate pair (Cs) is not text. */
function isHeaderText(text: string): boolean {
  return !/[\p{Cc}\p{Cs}]/u.test(text);
}

/** Counts characters, which may be two units of a JavaScript string. */
function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length++;
  return length;
}

function cut(text: string): string {
  return text.length <= CUT_LENGTH ? text : [...text].slice(0, CUT_LENGTH).join("");
}
