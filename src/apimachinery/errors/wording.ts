import type { Since } from "../release.ts";

/** A text, or how each release words it: `(since) => since("1.27") ? "must not contain dots" : ...`. */
export type Wording = string | ((since: Since) => string);

/** The text in a release. */
export function wordingIn(since: Since, wording: Wording): string {
  return typeof wording === "string" ? wording : wording(since);
}

/** A template with wordings for values: worded`prefix part ${message}`. */
export function worded(parts: TemplateStringsArray, ...values: readonly Wording[]): Wording {
  const texts = parts.flatMap((part, i): readonly Wording[] => [part, values[i] ?? ""]);
  return joinedWording(texts, "");
}

/** Wordings as one, with a separator between them. */
export function joinedWording(wordings: readonly Wording[], separator: string): Wording {
  if (wordings.every((wording) => typeof wording === "string")) return wordings.join(separator);
  return (since) => wordings.map((wording) => wordingIn(since, wording)).join(separator);
}
