import { type FieldError, fieldInvalid, fieldRequired } from "../../../apimachinery/errors/field.ts";
import { structAt, textAt } from "../../../apimachinery/fields.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { electionStrategyErrors } from "../election/election-strategy.ts";
import {
  compareVersions,
  parseSemanticVersion,
  type SemanticVersion,
  zeroVersion,
} from "./semantic-version.ts";

/**
 * The errors in a LeaseCandidate.
 * Upstream: pkg/apis/coordination/validation/validation.go, ValidateLeaseCandidate.
 */
export function leaseCandidateErrors(candidate: KubeObject): readonly FieldError[] {
  const spec = structAt(candidate, "spec");
  const errors = textAt(spec, "leaseName") === "" ? [fieldRequired("spec.leaseName")] : [];
  const emulated = textAt(spec, "emulationVersion");
  const binary = textAt(spec, "binaryVersion");
  const malformed = "must be a valid semantic version";
  const emulation = parseSemanticVersion(emulated);
  const version = parseSemanticVersion(binary);
  if (emulated !== "" && emulation === undefined) {
    errors.push(fieldInvalid("spec.emulationVersion", emulated, malformed));
  }
  if (binary === "") errors.push(fieldRequired("spec.binaryVersion"));
  else if (version === undefined) {
    errors.push(fieldInvalid("spec.binaryVersion", binary, malformed));
  }
  if (
    binary !== "" &&
    emulated !== "" &&
    compareVersions(version ?? zeroVersion, emulation ?? zeroVersion) < 0
  ) {
    const detail = "must be greater than or equal to `emulationVersion`";
    errors.push(fieldInvalid("spec.binaryVersion", binary, detail));
  }
  return [...errors, ...strategyErrors(textAt(spec, "strategy"), emulation ?? zeroVersion)];
}

/** An invalid version counts as 0.0.0. */
function strategyErrors(strategy: string, emulation: SemanticVersion): readonly FieldError[] {
  if (strategy === "") return [fieldRequired("spec.strategy")];
  const errors = electionStrategyErrors(strategy, "spec.strategy");
  const isZero = compareVersions(emulation, zeroVersion) === 0;
  if (strategy !== "OldestEmulationVersion" || !isZero) return errors;
  const detail = "must be specified when `strategy` is 'OldestEmulationVersion'";
  return [fieldRequired("spec.emulationVersion", detail), ...errors];
}
