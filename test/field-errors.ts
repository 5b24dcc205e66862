import { type FieldError, fieldCauses, formatFieldError } from "../src/apimachinery/errors/field.ts";
import { type Wording, wordingIn } from "../src/apimachinery/errors/wording.ts";
import { type Release, sinceOf } from "../src/apimachinery/release.ts";

/** Field errors as lines, with the wording of a release. */
export function fieldErrorLines(errors: readonly FieldError[], release: Release = "1.33"): readonly string[] {
  return fieldCauses(errors, sinceOf(release)).map(formatFieldError);
}

/** Messages with the wording of a release. */
export function messagesIn(release: Release, messages: readonly Wording[]): readonly string[] {
  return messages.map((message) => wordingIn(sinceOf(release), message));
}
