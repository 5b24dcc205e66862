import type { FieldError } from "../errors/field.ts";
import { LABEL_MESSAGE } from "./names.ts";

/** The first release that shows values as JSON. */
const firstWithJson = 34;

/** What some releases say in other words than the rest. */
interface Wording {
  /** The first of them, by its minor number. */
  readonly from?: number;
  /** The first that no longer does. */
  readonly before?: number;
  /** Only of fields like these. */
  readonly field?: RegExp;
  readonly words: RegExp;
  readonly instead: string;
}

/** From the newest words to the oldest. */
const wordings: readonly Wording[] = [
  {
    from: 34,
    field: /ownerReferences\.(kind|name|uid)$/,
    words: /: (?:kind|name|uid) must not be empty$/,
    instead: ": must not be empty",
  },
  {
    from: 34,
    field: /conditions\[\d+\]\.(lastTransitionTime|reason)$/,
    words: /^Required value: must be set$/,
    instead: "Required value",
  },
  {
    before: 32,
    words: /^Too long: may not be more than (\d+) bytes$/,
    instead: "Too long: must have at most $1 bytes",
  },
  { before: 27, words: /must not contain dots$/, instead: LABEL_MESSAGE },
  {
    before: 26,
    words: /(Found "true" in references for) [^/]+\/(\S+) and [^/]+\/(\S+)$/,
    instead: "$1 $2 and $3",
  },
  {
    before: 25,
    words: /must contain at least one letter \(a-z\)/,
    instead: "must contain at least one letter or number (a-z, 0-9)",
  },
  { before: 20, words: /a lowercase RFC 1123 (label|subdomain)/, instead: "a DNS-1123 $1" },
  { before: 20, words: / or 2001:db8::ffff\)/, instead: ")" },
  { before: 17, words: /^(Too long: must have at most \d+) bytes$/, instead: "$1 characters" },
];

/** Findings as a release words them, by its minor number. */
export function inWordsOf(minor: number, errors: readonly FieldError[]): readonly FieldError[] {
  const used = wordings.filter(
    ({ from = 0, before = Number.POSITIVE_INFINITY }) => from <= minor && minor < before,
  );
  return errors.map((error) => {
    const { type, field } = error;
    return { type, field, body: reworded(bodyIn(minor, error), field, used) };
  });
}

function bodyIn(minor: number, { body, bodyAsJson }: FieldError): string {
  return minor < firstWithJson ? body : (bodyAsJson ?? body);
}

function reworded(body: string, path: string, used: readonly Wording[]): string {
  return used.reduce(
    (text, { field, words, instead }) =>
      field === undefined || field.test(path) ? text.replace(words, instead) : text,
    body,
  );
}
