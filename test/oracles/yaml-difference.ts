import type { Scalar } from "yaml";
import { isAccepted, type Outcome } from "./known-difference.ts";
import { pairsOf, plainScalarsInFlow, scalarsOf } from "./yaml-library.ts";
import type { YamlComparison } from "./yaml-readers.ts";

/** A class of texts that our reader and `yaml` read differently on purpose. */
export interface YamlDifference {
  readonly title: string;
  readonly reason: string;
  readonly example: string;
  readonly explains: (comparison: YamlComparison) => boolean;
}

/** Explains texts that only the library accepts, by our message and a check of the text. */
export function refused(
  message: RegExp,
  isThere: (comparison: YamlComparison) => boolean,
): YamlDifference["explains"] {
  return (comparison) => {
    return (
      message.test(refusalOf(comparison.ours)) && comparison.theirs.error === undefined && isThere(comparison)
    );
  };
}

/** Explains texts that only we accept, by the error of the library and the text at its position. */
export function accepted(code: string, message: RegExp, rest: RegExp = /^/): YamlDifference["explains"] {
  return ({ ours, theirs: { error } }) => {
    return isAccepted(ours) && error?.code === code && message.test(error.message) && rest.test(error.rest);
  };
}

/** Explains texts that both accept, by the first scalar that differs. */
export function read(
  isSuch: (scalar: Scalar, comparison: YamlComparison) => boolean,
): YamlDifference["explains"] {
  return (comparison) =>
    comparison.place?.scalar !== undefined && isSuch(comparison.place.scalar, comparison);
}

/** Explains plain scalars that we read as text or as a number. For a key, our value is not known. */
export function plain(source: RegExp, ours: "text" | "number"): YamlDifference["explains"] {
  return read((scalar, { place }) => {
    const isText = typeof place?.ours === "string";
    const isOurs = place?.ours === undefined || isText === (ours === "text");
    return isOurs && scalar.type === "PLAIN" && source.test(scalar.source ?? "");
  });
}

function refusalOf(outcome: Outcome): string {
  return isAccepted(outcome) ? "" : outcome.refusal;
}

/** The source text of a scalar. */
export function written({ range }: Scalar, { theirs }: YamlComparison): string {
  return theirs.text.slice(range?.[0], range?.[2]);
}

export function someScalar(isSuch: (scalar: Scalar) => boolean): (comparison: YamlComparison) => boolean {
  return ({ theirs }) => scalarsOf(theirs.document).some(isSuch);
}

export function someKey(isSuch: (key: unknown) => boolean): (comparison: YamlComparison) => boolean {
  return ({ theirs }) => pairsOf(theirs.document).some(({ key }) => isSuch(key));
}

export function somePlainInFlow(source: RegExp): (comparison: YamlComparison) => boolean {
  return ({ theirs }) =>
    plainScalarsInFlow(theirs.document).some((scalar) => source.test(scalar.source ?? ""));
}

export function inText(pattern: RegExp): (comparison: YamlComparison) => boolean {
  return ({ theirs }) => pattern.test(theirs.text);
}
