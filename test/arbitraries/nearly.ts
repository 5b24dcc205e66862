import fc from "fast-check";

/** An edit of a sequence: what happens, where, and what comes in. */
type Edit<T> = readonly [how: "drop" | "insert" | "replace" | "double" | "cut", at: number, item: T];

function editsOf<T>(item: fc.Arbitrary<T>): fc.Arbitrary<readonly Edit<T>[]> {
  const how = fc.constantFrom("drop", "insert", "replace", "double", "cut");
  return fc.array(fc.tuple(how, fc.nat(), item), { maxLength: 4 });
}

function edited<T>(items: readonly T[], edits: readonly Edit<T>[]): T[] {
  const changed = [...items];
  for (const [how, random, item] of edits) {
    const at = random % (changed.length + 1);
    if (how === "drop") changed.splice(at, 1);
    else if (how === "insert") changed.splice(at, 0, item);
    else if (how === "replace") changed.splice(at, 1, item);
    else if (how === "double") changed.splice(at, 0, ...changed.slice(at, at + 8));
    else if (random % 5 === 0) changed.length = at;
  }
  return changed;
}

/** Valid texts, and texts that differ from a valid one in a few places by characters of an alphabet. */
export function nearly(valid: fc.Arbitrary<string>, alphabet: string): fc.Arbitrary<string> {
  const character = fc.constantFrom(...alphabet, "\0", "é", "😀", "\ud800");
  return fc.tuple(valid, editsOf(character)).map(([text, edits]) => edited([...text], edits).join(""));
}

/** The same for bytes. */
export function nearlyBytes(valid: fc.Arbitrary<Uint8Array>): fc.Arbitrary<Uint8Array> {
  const byte = fc.oneof(fc.nat(255), fc.constantFrom(0, 0x7f, 0x80, 0x81, 0xff));
  return fc.tuple(valid, editsOf(byte)).map(([bytes, edits]) => Uint8Array.from(edited([...bytes], edits)));
}

/** What a parser returns; undefined if it refuses its input with an error of this class. Any other error is thrown. */
export function unlessRefused<T>(
  parse: () => T,
  refusal: abstract new (...parameters: never[]) => Error,
): T | undefined {
  try {
    return parse();
  } catch (error) {
    if (error instanceof refusal) return undefined;
    throw error;
  }
}
