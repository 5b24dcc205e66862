import type { FieldError } from "../errors/field.ts";
import type { Release, Since } from "../release.ts";
import { LABEL_MESSAGE } from "./names.ts";

/** A message that differs in some releases. */
interface Wording {
  /** The first release with this wording. */
  readonly from?: Release;
  /** The first release without it. */
  readonly before?: Release;
  /** Limits the wording to fields that match. */
  readonly field?: RegExp;
  readonly words: RegExp;
  readonly instead: string;
}

/** From the newest wording to the oldest. */
const wordings: readonly Wording[] = [
  {
    from: "1.34",
    field: /ownerReferences\.(kind|name|uid)$/,
    words: /: (?:kind|name|uid) must not be empty$/,
    instead: ": must not be empty",
  },
  {
    from: "1.34",
    field: /conditions\[\d+\]\.(lastTransitionTime|reason)$/,
    words: /^Required value: must be set$/,
    instead: "Required value",
  },
  {
    before: "1.32",
    words: /^Too long: may not be more than (\d+) bytes$/,
    instead: "Too long: must have at most $1 bytes",
  },
  { before: "1.27", words: /must not contain dots$/, instead: LABEL_MESSAGE },
  {
    before: "1.26",
    words: /(Found "true" in references for) [^/]+\/(\S+) and [^/]+\/(\S+)$/,
    instead: "$1 $2 and $3",
  },
  {
    before: "1.25",
    words: /must contain at least one letter \(a-z\)/,
    instead: "must contain at least one letter or number (a-z, 0-9)",
  },
  { before: "1.20", words: /a lowercase RFC 1123 (label|subdomain)/, instead: "a DNS-1123 $1" },
  { before: "1.20", words: / or 2001:db8::ffff\)/, instead: ")" },
  { before: "1.17", words: /^(Too long: must have at most \d+) bytes$/, instead: "$1 characters" },
];

/** The field errors with the wording of a release. */
export function withReleaseWording(since: Since, errors: readonly FieldError[]): readonly FieldError[] {
  const used = wordings.filter(
    ({ from, before }) => (from === undefined || since(from)) && (before === undefined || !since(before)),
  );
  return errors.map((error) => {
    const { type, field } = error;
    return { type, field, body: reworded(bodyIn(since, error), field, used) };
  });
}

function bodyIn(since: Since, { body, bodyAsJson }: FieldError): string {
  return since("1.34") ? (bodyAsJson ?? body) : body;
}

function reworded(body: string, path: string, used: readonly Wording[]): string {
  return used.reduce(
    (text, { field, words, instead }) =>
      field === undefined || field.test(path) ? text.replace(words, instead) : text,
    body,
  );
}
