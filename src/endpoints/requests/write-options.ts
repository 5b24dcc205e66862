import { badRequest, invalid } from "../../apimachinery/errors/errors.ts";
import {
  fieldCauses,
  fieldForbidden,
  fieldNotSupported,
  fieldRequired,
} from "../../apimachinery/errors/field.ts";
import { go } from "../../apimachinery/go/go-value.ts";
import type { Findings } from "../../apimachinery/validation/findings.ts";
import { addFieldManagerErrors } from "../../apimachinery/validation/managed-fields-validation.ts";
import type { FeatureGates } from "../../catalog/feature-gates.ts";
import type { FieldValidation } from "../../patch/field-validation.ts";
import type { QueryParameters } from "../../request/query-parameters.ts";
import { optionalBoolean, textValue } from "../../request/query-values.ts";
import { internalTypes, metaV1 } from "../../schema/internal-types.ts";

/** The query of a create, an update or a patch, decoded and validated. */
export interface WriteQuery {
  readonly dryRun: boolean;
  readonly fieldManager: string;
  readonly fieldValidation: FieldValidation;
  /** As sent, without the default. */
  readonly sentFieldValidation: string;
  readonly force: boolean | undefined;
}

const fieldValidations = ["", "Ignore", "Strict", "Warn"];

/**
 * Decodes and validates the options of a write.
 * @throws {StatusError} invalid, which names the options' kind.
 */
export function parseWriteQuery(
  query: QueryParameters,
  { since, isEnabled }: FeatureGates,
  kind: "CreateOptions" | "UpdateOptions" | "PatchOptions",
  patchType: "apply" | "other" | undefined = undefined,
): WriteQuery {
  checkDryRun(query, isEnabled);
  const dryRun = query.getAll("dryRun");
  const fieldManager = textValue(query, "fieldManager");
  // Servers before 1.23 do not know the parameter.
  const fieldValidation = since("1.23") ? textValue(query, "fieldValidation") : "";
  const force = optionalBoolean(query, "force");
  const errors: Findings = [];
  addForceErrors(errors, force, fieldManager, patchType);
  addFieldManagerErrors(errors, fieldManager, "fieldManager");
  addDryRunErrors(errors, dryRun);
  addFieldValidationErrors(errors, fieldValidation);
  if (errors.length > 0) {
    throw invalid(
      { group: "meta.k8s.io", kind },
      "",
      fieldCauses(errors, since, internalTypes(since, metaV1)),
    );
  }
  return {
    dryRun: dryRun.length > 0,
    fieldManager,
    fieldValidation: isEnabled("ServerSideFieldValidation") ? orWarn(fieldValidation) : "Ignore",
    sentFieldValidation: fieldValidation,
    force,
  };
}

/** @throws {StatusError} badRequest if the query has `dryRun` and the server does not */
export function checkDryRun(query: QueryParameters, isEnabled: FeatureGates["isEnabled"]): void {
  if (query.has("dryRun") && !isEnabled("DryRun")) throw badRequest("the dryRun feature is disabled");
}

function orWarn(fieldValidation: string): FieldValidation {
  return isFieldValidation(fieldValidation) ? fieldValidation : "Warn";
}

function isFieldValidation(text: string): text is FieldValidation {
  return text === "Ignore" || text === "Warn" || text === "Strict";
}

function addForceErrors(
  errors: Findings,
  force: boolean | undefined,
  fieldManager: string,
  patchType: "apply" | "other" | undefined,
): void {
  if (patchType === "apply") {
    if (fieldManager === "") errors.push(fieldRequired("fieldManager", "is required for apply patch"));
    return;
  }
  if (patchType === undefined || force === undefined) return;
  errors.push(fieldForbidden("force", "may not be specified for non-apply patch"));
}

/** Validates `dryRun`, whose only value is All. */
export function addDryRunErrors(errors: Findings, dryRun: readonly string[]): void {
  if (dryRun.every((value) => value === "All")) return;
  errors.push(fieldNotSupported("dryRun", go.stringSlice(dryRun), ["All"]));
}

function addFieldValidationErrors(errors: Findings, fieldValidation: string): void {
  if (fieldValidations.includes(fieldValidation)) return;
  errors.push(fieldNotSupported("fieldValidation", fieldValidation, fieldValidations));
}
