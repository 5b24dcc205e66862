import { fieldInvalid } from "../../../apimachinery/errors/field.ts";
import { listAt, objectAt, structAt, textAt, textsAt } from "../../../apimachinery/fields.ts";
import { go } from "../../../apimachinery/go/go-value.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { Release } from "../../../apimachinery/release.ts";
import { index } from "../../../apimachinery/validation/field-path.ts";
import type { Findings } from "../../../apimachinery/validation/findings.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";
import type { StructSchema } from "../../../catalog/type-schema.ts";
import { addApprovalErrors } from "./api-approval.ts";
import { isConditionTrue } from "./conditions.ts";
import { hasRecognizedVersion } from "./conversion-validation.ts";
import { internalSpec } from "./internal-definition.ts";
import { addNamesErrors } from "./names-validation.ts";
import { expressionsOf } from "./rule-field-validation.ts";
import type { Tolerances } from "./schema-place.ts";
import { hasDefault, schemasOf } from "./schemas-within.ts";
import { addImmutableErrors, addSpecErrors } from "./spec-validation.ts";
import { tolerancesOf } from "./tolerances.ts";

/** The version in which a client writes a definition. */
type RequestVersion = "v1" | "v1beta1";

/** What the rules of a definition depend on besides the definition. */
export interface DefinitionRules {
  readonly requestVersion: RequestVersion;
  readonly gates: FeatureGates;
  /** The release whose environment compiles expressions. */
  readonly release: Release;
  /** See `SchemaRules`. */
  readonly objectMeta: StructSchema | undefined;
}

/** What v1beta1 tolerates in new definitions, for compatibility. */
const betaTolerances: Tolerances = new Set(["types", "schemas", "structure"]);

/** Validates a new definition. Upstream: ValidateCustomResourceDefinition. */
export function addDefinitionErrors(errors: Findings, definition: KubeObject, rules: DefinitionRules): void {
  const { requestVersion, gates } = rules;
  addSpecErrors(errors, internalSpec(definition), {
    tolerances: requestVersion === "v1" ? new Set() : betaTolerances,
    noDefaults: requestVersion === "v1" ? undefined : noBetaDefaults(gates),
    reviewVersions: "recognized",
    release: rules.release,
    storedExpressions: new Set(),
    objectMeta: rules.objectMeta,
  });
  addCommonErrors(errors, definition, undefined, rules);
}

/** Why a definition of v1beta1 may have no defaults. Upstream: allowDefaults. */
function noBetaDefaults(gates: FeatureGates): string {
  if (!gates.since("1.19")) return "";
  return "(cannot set default values in apiextensions.k8s.io/v1beta1 CRDs, must use apiextensions.k8s.io/v1)";
}

/** Validates a changed definition. Upstream: ValidateCustomResourceDefinitionUpdate. */
export function addDefinitionUpdateErrors(
  errors: Findings,
  definition: KubeObject,
  old: KubeObject,
  rules: DefinitionRules,
): void {
  const { requestVersion, gates } = rules;
  const spec = internalSpec(definition);
  const oldSpec = internalSpec(old);
  const reviewVersions = hasRecognizedVersion(structAt(oldSpec, "conversion")) ? "recognized" : "any";
  const storedExpressions = expressionsOf(oldSpec);
  const isBeta = requestVersion === "v1beta1";
  const tolerances = tolerancesOf(oldSpec);
  const hasDefaults = schemasOf(oldSpec).some(hasDefault);
  addSpecErrors(errors, spec, {
    tolerances: isBeta ? new Set([...tolerances, ...betaTolerances]) : tolerances,
    noDefaults: isBeta && !hasDefaults ? noBetaDefaults(gates) : undefined,
    reviewVersions,
    release: rules.release,
    storedExpressions,
    objectMeta: rules.objectMeta,
  });
  addImmutableErrors(errors, spec, oldSpec, { isEstablished: isConditionTrue(old, "Established") });
  addCommonErrors(errors, definition, old, rules);
}

function addCommonErrors(
  errors: Findings,
  definition: KubeObject,
  old: KubeObject | undefined,
  { requestVersion, gates }: DefinitionRules,
): void {
  addDefinitionStatusErrors(errors, definition);
  addStoredVersionErrors(errors, definition);
  if (requestVersion === "v1beta1") return;
  addApprovalErrors(errors, definition, old);
  const keepsUnknown = (object: KubeObject) => structAt(object, "spec")["preserveUnknownFields"] === true;
  if (!keepsUnknown(definition) || (old !== undefined && keepsUnknown(old))) return;
  const extension = gates.since("1.25")
    ? "x-kubernetes-preserve-unknown-fields"
    : "x-preserve-unknown-fields";
  const detail = `cannot set to true, set ${extension} to true in spec.versions[*].schema instead`;
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
