import {
  fieldDuplicate,
  fieldForbidden,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
} from "../../../apimachinery/errors/field.ts";
import { integerAt, listAt, structAt, textAt, textsAt } from "../../../apimachinery/fields.ts";
import { goJsonText } from "../../../apimachinery/go/go-json.ts";
import { goQuote } from "../../../apimachinery/go/go-quote.ts";
import { type GoValue, go } from "../../../apimachinery/go/go-value.ts";
import { type JsonObject, jsonEqual } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { index } from "../../../apimachinery/validation/field-path.ts";
import type { Findings } from "../../../apimachinery/validation/findings.ts";
import { repeats } from "../../../apimachinery/validation/repeats.ts";
import { certificateProblem } from "../validation/certificate-problem.ts";
import { addSignerNameErrors } from "../validation/signer-name-validation.ts";
import { certificateRequestProblem } from "./certificate-request-problem.ts";
import {
  addConditionErrors,
  hasBothDecisions,
  hasDuplicateTypes,
  hasEmptyType,
} from "./condition-validation.ts";
import { keyUsages } from "./key-usages.ts";

const legacySigner = "kubernetes.io/legacy-unknown";
const minExpirationSeconds = 600;
const conditionsPath = "status.conditions";
const certificatePath = "status.certificate";

/** Validates a new request of v1beta1, which accepts more than v1. */
export function addBetaRequestErrors(errors: Findings, object: KubeObject): void {
  const spec = structAt(object, "spec");
  addEncodingErrors(errors, textAt(spec, "request"));
  if (textsAt(spec, "usages").length === 0) errors.push(fieldRequired("spec.usages"));
  addSignerNameErrors(errors, textAt(spec, "signerName"), "spec.signerName");
  addExpirationErrors(errors, spec);
}

/**
 * Validates a request. An error that the old request has too is accepted. Upstream:
 * pkg/apis/certificates/validation/validation.go, validateCertificateSigningRequest.
 */
export function addRequestErrors(errors: Findings, object: KubeObject, old: KubeObject | undefined): void {
  const spec = structAt(object, "spec");
  const before = old && structAt(old, "spec");
  addEncodingErrors(errors, textAt(spec, "request"));
  addUsageErrors(errors, textsAt(spec, "usages"), before && textsAt(before, "usages"));
  addSignerErrors(errors, textAt(spec, "signerName"), before && textAt(before, "signerName"));
  addExpirationErrors(errors, spec);
  addConditionErrors(errors, listAt(object, "status", "conditions"), conditionsPath, {
    allowsBothDecisions: old !== undefined && hasBothDecisions(conditionsIn(old)),
    allowsDuplicates: old !== undefined && hasDuplicateTypes(conditionsIn(old)),
    allowsEmptyType: old !== undefined && hasEmptyType(conditionsIn(old)),
  });
  addCertificateErrors(errors, object, old);
}

/** The endpoint of an update, which decides on the fields that it may change. */
export type RequestEndpoint = "object" | "status" | "approval";

/** Validates a changed request. Upstream: validateCertificateSigningRequestUpdate. */
export function addRequestUpdateErrors(
  errors: Findings,
  object: KubeObject,
  old: KubeObject,
  endpoint: RequestEndpoint,
): void {
  addRequestErrors(errors, object, old);
  for (const type of ["Approved", "Denied", "Failed"]) {
    if (countOf(object, type) >= countOf(old, type)) continue;
    errors.push(
      fieldForbidden(conditionsPath, `updates may not remove a condition of type ${goQuote(type)}`),
    );
  }
  if (endpoint !== "approval") {
    for (const type of ["Approved", "Denied"]) addDecisionErrors(errors, object, old, type);
  }
  addCertificateChangeErrors(errors, object, old, endpoint);
}

function conditionsIn(object: KubeObject): readonly JsonObject[] {
  return listAt(object, "status", "conditions");
}

function ofType(object: KubeObject, type: string): readonly JsonObject[] {
  return conditionsIn(object).filter((condition) => textAt(condition, "type") === type);
}

function countOf(object: KubeObject, type: string): number {
  return ofType(object, type).length;
}

function addDecisionErrors(errors: Findings, object: KubeObject, old: KubeObject, type: string): void {
  const [now, before] = [ofType(object, type), ofType(old, type)];
  if (now.length < before.length || jsonEqual([...now], [...before])) return;
  if (now.length > before.length) {
    errors.push(fieldForbidden(conditionsPath, `updates may not add a condition of type ${goQuote(type)}`));
    return;
  }
  const rule = `updates may not modify a condition of type ${goQuote(type)}`;
  errors.push(
    fieldForbidden(conditionsPath, `${rule}\n- ${JSON.stringify(before)}\n+ ${JSON.stringify(now)}\n`),
  );
}

function addCertificateChangeErrors(
  errors: Findings,
  object: KubeObject,
  old: KubeObject,
  endpoint: RequestEndpoint,
): void {
  const before = textAt(old, "status", "certificate");
  if (textAt(object, "status", "certificate") === before) return;
  if (endpoint !== "status") {
    errors.push(fieldForbidden(certificatePath, "updates may not set certificate content"));
    return;
  }
  if (before === "") return;
  errors.push(fieldForbidden(certificatePath, "updates may not modify existing certificate content"));
}

function addEncodingErrors(errors: Findings, request: string): void {
  const problem = certificateRequestProblem(request);
  if (problem === undefined) return;
  errors.push(fieldInvalid("spec.request", goBytes(request), problem));
}

function goBytes(base64: string): GoValue {
  if (base64 === "") return go.nil("[]byte");
  const bytes = Array.from(atob(base64), (character) => `0x${character.charCodeAt(0).toString(16)}`);
  return go.raw(`[]byte{${bytes.join(", ")}}`, goJsonText(base64));
}

function addUsageErrors(errors: Findings, usages: readonly string[], old: readonly string[] = []): void {
  const field = "spec.usages";
  if (usages.length === 0) errors.push(fieldRequired(field));
  if (old.every((usage) => keyUsages.includes(usage))) {
    for (const [i, usage] of usages.entries()) {
      if (!keyUsages.includes(usage)) errors.push(fieldNotSupported(index(field, i), usage, keyUsages));
    }
  }
  if (new Set(old).size < old.length) return;
  const isRepeated = repeats(usages);
  for (const [i, usage] of usages.entries()) {
    if (isRepeated[i]) errors.push(fieldDuplicate(index(field, i), usage));
  }
}

function addSignerErrors(errors: Findings, signer: string, old: string | undefined): void {
  if (signer !== legacySigner || old === legacySigner) {
    addSignerNameErrors(errors, signer, "spec.signerName");
    return;
  }
  const detail = "the legacy signerName is not allowed via this API version";
  errors.push(fieldInvalid("spec.signerName", signer, detail));
}

function addExpirationErrors(errors: Findings, spec: JsonObject): void {
  if (spec["expirationSeconds"] === undefined) return;
  const seconds = integerAt(spec, "expirationSeconds");
  if (seconds >= minExpirationSeconds) return;
  const detail = "may not specify a duration less than 600 seconds (10 minutes)";
  errors.push(fieldInvalid("spec.expirationSeconds", seconds, detail));
}

function addCertificateErrors(errors: Findings, object: KubeObject, old: KubeObject | undefined): void {
  const certificate = textAt(object, "status", "certificate");
  if (old !== undefined) {
    const before = textAt(old, "status", "certificate");
    if (before === certificate || certificateProblem(before) !== undefined) return;
  }
  const problem = certificateProblem(certificate);
  if (problem !== undefined) errors.push(fieldInvalid(certificatePath, "<certificate data>", problem));
}
