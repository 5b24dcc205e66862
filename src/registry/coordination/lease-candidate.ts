import { type FieldError, fieldInvalid, fieldRequired } from "../../apimachinery/field.ts";
import { textAt } from "../../apimachinery/fields.ts";
import { type KubeObject, section } from "../../apimachinery/object-meta.ts";
import { configKeyMessages } from "../../apimachinery/value-formats.ts";
import type { Strategy } from "../strategy.ts";
import { electionStrategyErrors } from "./election-strategy.ts";

/** LeaseCandidates ask for a lease that is given by coordinated leader election. */
export function leaseCandidateStrategy(base: Strategy): Strategy {
  return {
    ...base,
    metadataChecks: { create: "library", update: "library" },
    validateName: configKeyMessages,
    validate: candidateErrors,
    validateUpdate: (candidate, old) => {
      const name = textAt(section(candidate, "spec"), "leaseName");
      const isSame = name === textAt(section(old, "spec"), "leaseName");
      const errors = candidateErrors(candidate);
      return isSame ? errors : [...errors, fieldInvalid("spec.leaseName", name, "field is immutable")];
    },
  };
}

function candidateErrors(candidate: KubeObject): readonly FieldError[] {
  const spec = section(candidate, "spec");
  const errors = textAt(spec, "leaseName") === "" ? [fieldRequired("spec.leaseName")] : [];
  const emulated = textAt(spec, "emulationVersion");
  const binary = textAt(spec, "binaryVersion");
  const malformed = "must be a valid semantic version";
  if (emulated !== "" && parseVersion(emulated) === undefined) {
    errors.push(fieldInvalid("spec.emulationVersion", emulated, malformed));
  }
  if (binary === "") errors.push(fieldRequired("spec.binaryVersion"));
  else if (parseVersion(binary) === undefined) {
    errors.push(fieldInvalid("spec.binaryVersion", binary, malformed));
  }
  if (binary !== "" && emulated !== "" && isOlder(binary, emulated)) {
    const detail = "must be greater than or equal to `emulationVersion`";
    errors.push(fieldInvalid("spec.binaryVersion", binary, detail));
  }
  return [...errors, ...strategyErrors(textAt(spec, "strategy"), emulated)];
}

function strategyErrors(strategy: string, emulated: string): readonly FieldError[] {
  if (strategy === "") return [fieldRequired("spec.strategy")];
  const errors = electionStrategyErrors(strategy, "spec.strategy");
  const isZero = (parseVersion(emulated) ?? zero).every((part) => part === 0);
  if (strategy !== "OldestEmulationVersion" || !isZero) return errors;
  const detail = "must be specified when `strategy` is 'OldestEmulationVersion'";
  return [fieldRequired("spec.emulationVersion", detail), ...errors];
}

/** Major, minor and patch. What is no version counts as 0.0.0 when it is compared. */
type Version = readonly [major: number, minor: number, patch: number];
const zero: Version = [0, 0, 0];
const identifier = "[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*";
const semantic = new RegExp(
  `^(0|[1-9]\\d*)\\.(0|[1-9]\\d*)\\.(0|[1-9]\\d*)(?:-${identifier})?(?:\\+${identifier})?$`,
);

function parseVersion(text: string): Version | undefined {
  const match = semantic.exec(text);
  return match === null ? undefined : [Number(match[1]), Number(match[2]), Number(match[3])];
}

function isOlder(version: string, other: string): boolean {
  const a = parseVersion(version) ?? zero;
  const b = parseVersion(other) ?? zero;
  const at = a.findIndex((part, i) => part !== b[i]);
  return at >= 0 && (a[at] ?? 0) < (b[at] ?? 0);
}
