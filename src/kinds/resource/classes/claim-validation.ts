import { fieldNotSupported } from "../../../apimachinery/errors/field.ts";
import { objectAt, textAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { child } from "../../../apimachinery/validation/field-path.ts";
import { addSubdomain, type Findings } from "../../../apimachinery/validation/findings.ts";
import { addParametersReference } from "./class-reference-validation.ts";

const modes = ["Immediate", "WaitForFirstConsumer"];

/** Validates the spec of a claim that names a class, until 1.30. Upstream: validateResourceClaimSpec of 1.27. */
export function addClassClaimSpecErrors(errors: Findings, spec: JsonObject, field: string): void {
  addSubdomain(errors, textAt(spec, "resourceClassName"), child(field, "resourceClassName"));
  addParametersReference(errors, objectAt(spec, "parametersRef"), child(field, "parametersRef"));
  const mode = textAt(spec, "allocationMode");
  if (!modes.includes(mode)) errors.push(fieldNotSupported(child(field, "allocationMode"), mode, modes));
}
