/** One change of a source that a test should notice. */
export interface Mutant {
  /** The path of the source from the root of the project. */
  readonly file: string;
  readonly line: number;
  /** The function or method that encloses the change; "" outside of all. */
  readonly within: string;
  /** The text that the mutation replaces; "" if it only adds some. */
  readonly original: string;
  readonly replacement: string;
  /** Distinguishes equal changes in one function: 1 is the first. */
  readonly nth: number;
  /** The range of the replaced text in the source. */
  readonly start: number;
  readonly end: number;
  readonly form: Form;
}

/** How the change fits into the syntax around it. */
export type Form =
  /** An expression in place of another. */
  | "expression"
  /** A statement is left out. */
  | "removal"
  /** A function returns before its first statement. */
  | "return";

/** A mutant by what does not change when lines move. */
export function nameOf({ file, within, original, replacement, nth }: MutantName): string {
  return JSON.stringify([file, within, original, replacement, nth]);
}

export type MutantName = Pick<Mutant, "file" | "within" | "original" | "replacement" | "nth">;

/** `src/a.ts:12 a < b → a <= b`, on one line. */
export function describeMutant({ file, line, original, replacement }: Mutant): string {
  const short = (text: string) => {
    const flat = text.replace(/\s+/g, " ");
    return flat.length > 90 ? `${flat.slice(0, 87)}...` : flat;
  };
  if (original === "") return `${file}:${line} begins with ${replacement}`;
  if (replacement === "") return `${file}:${line} without ${short(original)}`;
  return `${file}:${line} ${short(original)} → ${short(replacement)}`;
}
