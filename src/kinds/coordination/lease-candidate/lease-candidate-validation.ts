import { fieldInvalid, fieldRequired } from "../../../apimachinery/errors/field.ts";
import { structAt, textAt } from "../../../apimachinery/fields.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { Findings } from "../../../apimachinery/validation/findings.ts";
import { addElectionStrategyErrors } from "../election/election-strategy.ts";
import {
  compareVersions,
  parseSemanticVersion,
  type SemanticVersion,
  zeroVersion,
} from "./semantic-version.ts";

/**
 * Adds the errors in a LeaseCandidate.
 * Upstream: pkg/apis/coordination/validation/validation.go, ValidateLeaseCandidate.
 */
export function addLeaseCandidateErrors(errors: Findings, candidate: KubeObject): void {
  const spec = structAt(candidate, "spec");
  if (textAt(spec, "leaseName") === "") errors.push(fieldRequired("spec.leaseName"));
  const emulated = textAt(spec, "emulationVersion");
  const binary = textAt(spec, "binaryVersion");
  const malformed = "must be a valid semantic version";
  const emulation = parseSemanticVersion(emulated);
  const version = parseSemanticVersion(binary);
  if (emulated !== "" && emulation === undefined) {
    errors.push(fieldInvalid("spec.emulationVersion", emulated, malformed));
  }
  if (binary === "") errors.push(fieldRequired("spec.binaryVersion"));
  else {
    if (version === undefined) errors.push(fieldInvalid("spec.binaryVersion", binary, malformed));
  }
  if (
    binary !== "" &&
    emulated !== "" &&
    compareVersions(version ?? zeroVersion, emulation ?? zeroVersion) < 0
  ) {
    const detail = "must be greater than or equal to `emulationVersion`";
    errors.push(fieldInvalid("spec.binaryVersion", binary, detail));
  }
  const alphaStrategies = candidate.apiVersion.endsWith("/v1alpha1")
    ? spec["preferredStrategies"]
    : undefined;
  // v1alpha1 has a list in place of the one strategy.
  const strategy = Array.isArray(alphaStrategies) ? alphaStrategies.at(0) : spec["strategy"];
  addStrategyErrors(errors, typeof strategy === "string" ? strategy : "", emulation ?? zeroVersion);
}

/** An invalid version counts as 0.0.0. */
function addStrategyErrors(errors: Findings, strategy: string, emulation: SemanticVersion): void {
  if (strategy === "") {
    errors.push(fieldRequired("spec.strategy"));
    return;
  }
  const isZero = compareVersions(emulation, zeroVersion) === 0;
  const detail = "must be specified when `strategy` is 'OldestEmulationVersion'";
  if (strategy === "OldestEmulationVersion" && isZero) {
    errors.push(fieldRequired("spec.emulationVersion", detail));
  }
  addElectionStrategyErrors(errors, strategy, "spec.strategy");
}
