/** All texts together may have this many characters; beyond, each is cut. */
const TOTAL_LENGTH = 4096;
const CUT_LENGTH = 256;

/** What a client should know although its request is served: the values of `Warning` headers. */
export class WarningRecorder {
  /** Made with the first: most requests have none. */
  #texts: Set<string> | undefined;
  #values: string[] = [];
  /** Characters of text in the values. */
  #length = 0;
  #isCutting = false;

  /** Adds a warning, unless it was given before or cannot stand in a header. */
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

  /** The values of the headers, in the order in which the warnings came. */
  get values(): readonly string[] {
    return this.#values;
  }

  /** Begins anew with everything cut, even if that is still too long. */
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

/** The value of a `Warning` header: miscellaneous, persistent, and from nobody in particular. */
export function formatWarning(text: string): string {
  return `299 - "${text.replace(/["\\]/g, "\\$&")}"`;
}

/** Control characters cannot stand in a header, and half a surrogate pair (Cs) is no text. */
function isHeaderText(text: string): boolean {
  return !/[\p{Cc}\p{Cs}]/u.test(text);
}

/** In characters, which may be two units of a JavaScript string. */
function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length++;
  return length;
}

function cut(text: string): string {
  return text.length <= CUT_LENGTH ? text : [...text].slice(0, CUT_LENGTH).join("");
}
