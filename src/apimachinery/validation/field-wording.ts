import type { FieldError } from "../errors/field.ts";
import { LABEL_MESSAGE } from "./names.ts";

/** The first release whose messages show values as JSON. */
const firstWithJson = 34;

/** A message that differs in some releases. */
interface Wording {
  /** The first release with this wording, by its minor number. */
  readonly from?: number;
  /** The first release without it. */
  readonly before?: number;
  /** Limits the wording to fields that match. */
  readonly field?: RegExp;
  readonly words: RegExp;
  readonly instead: string;
}

/** From the newest wording to the oldest. */
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

/** The field errors with the wording of a release, given by its minor number. */
export function withReleaseWording(minor: number, errors: readonly FieldError[]): readonly FieldError[] {
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
