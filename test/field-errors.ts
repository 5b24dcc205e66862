import { type FieldError, fieldCauses, formatFieldError } from "../src/apimachinery/errors/field.ts";
import { type Wording, wordingIn } from "../src/apimachinery/errors/wording.ts";
import type { GroupVersion } from "../src/apimachinery/group-version.ts";
import { type Release, sinceOf } from "../src/apimachinery/release.ts";
import { internalTypes } from "../src/schema/internal-types.ts";

/** Field errors as lines, with the wording of a release. */
export function fieldErrorLines(
  errors: readonly FieldError[],
  release: Release = "1.33",
  stored: GroupVersion = { group: "", version: "v1" },
): readonly string[] {
  const since = sinceOf(release);
  return fieldCauses(errors, since, internalTypes(since, stored)).map(formatFieldError);
}

/** Messages with the wording of a release. */
export function messagesIn(release: Release, messages: readonly Wording[]): readonly string[] {
  return messages.map((message) => wordingIn(sinceOf(release), message));
}
