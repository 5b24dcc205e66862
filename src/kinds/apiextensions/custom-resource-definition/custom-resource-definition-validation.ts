import { fieldInvalid } from "../../../apimachinery/errors/field.ts";
import { listAt, objectAt, structAt, textAt, textsAt } from "../../../apimachinery/fields.ts";
import { go } from "../../../apimachinery/go/go-value.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { Release } from "../../../apimachinery/release.ts";
import { index } from "../../../apimachinery/validation/field-path.ts";
import type { Findings } from "../../../apimachinery/validation/findings.ts";
import { addApprovalErrors } from "./api-approval.ts";
import { isConditionTrue } from "./conditions.ts";
import { hasRecognizedVersion } from "./conversion-validation.ts";
import { internalSpec } from "./internal-definition.ts";
import { addNamesErrors } from "./names-validation.ts";
import { expressionsOf } from "./rule-field-validation.ts";
import { addImmutableErrors, addSpecErrors } from "./spec-validation.ts";
import { tolerancesOf } from "./tolerances.ts";

/** Validates a new definition. Upstream: ValidateCustomResourceDefinition. */
export function addDefinitionErrors(errors: Findings, definition: KubeObject, release: Release): void {
  const spec = internalSpec(definition);
  addSpecErrors(errors, spec, {
    tolerances: new Set(),
    reviewVersions: "recognized",
    release,
    storedExpressions: new Set(),
  });
  addCommonErrors(errors, definition, undefined);
}

/** Validates a changed definition. Upstream: ValidateCustomResourceDefinitionUpdate. */
export function addDefinitionUpdateErrors(
  errors: Findings,
  definition: KubeObject,
  old: KubeObject,
  release: Release,
): void {
  const spec = internalSpec(definition);
  const oldSpec = internalSpec(old);
  const reviewVersions = hasRecognizedVersion(structAt(oldSpec, "conversion")) ? "recognized" : "any";
  const storedExpressions = expressionsOf(oldSpec);
  addSpecErrors(errors, spec, {
    tolerances: tolerancesOf(oldSpec),
    reviewVersions,
    release,
    storedExpressions,
  });
  addImmutableErrors(errors, spec, oldSpec, { isEstablished: isConditionTrue(old, "Established") });
  addCommonErrors(errors, definition, old);
}

function addCommonErrors(errors: Findings, definition: KubeObject, old: KubeObject | undefined): void {
  addDefinitionStatusErrors(errors, definition);
  addStoredVersionErrors(errors, definition);
  addApprovalErrors(errors, definition, old);
  const keepsUnknown = (object: KubeObject) => structAt(object, "spec")["preserveUnknownFields"] === true;
  if (!keepsUnknown(definition) || (old !== undefined && keepsUnknown(old))) return;
  const detail =
    "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead";
  errors.push(fieldInvalid("spec.preserveUnknownFields", true, detail));
}

/** The name of a definition follows from what it defines. */
export function definitionNameMessages(definition: KubeObject): readonly string[] {
  const required = `${textAt(definition, "spec", "names", "plural")}.${textAt(definition, "spec", "group")}`;
  return definition.metadata.name === required ? [] : ['must be spec.names.plural+"."+spec.group'];
}

/** Validates the status of a definition. Upstream: ValidateCustomResourceDefinitionStatus. */
export function addDefinitionStatusErrors(errors: Findings, definition: KubeObject): void {
  addNamesErrors(errors, objectAt(definition, "status", "acceptedNames") ?? {}, "status.acceptedNames");
}

/** Upstream: ValidateCustomResourceDefinitionStoredVersions. */
function addStoredVersionErrors(errors: Findings, definition: JsonObject): void {
  const field = "status.storedVersions";
  const stored = textsAt(definition, "status", "storedVersions");
  if (stored.length === 0) {
    errors.push(fieldInvalid(field, go.nil("[]string"), "must have at least one stored version"));
    return;
  }
  const versions = listAt(definition, "spec", "versions");
  const names = new Set(versions.map((version) => textAt(version, "name")));
  for (const version of versions) {
    const name = textAt(version, "name");
    if (version["storage"] !== true || stored.includes(name)) continue;
    errors.push(fieldInvalid(field, go.stringSlice(stored), `must have the storage version ${name}`));
  }
  for (const [i, name] of stored.entries()) {
    if (names.has(name)) continue;
    const detail = `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`;
    errors.push(fieldInvalid(index(field, i), name, detail));
  }
}
