import {
  type FieldError,
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
import { certificateProblem } from "../validation/certificate-problem.ts";
import { signerNameErrors } from "../validation/signer-name-validation.ts";
import { certificateRequestProblem } from "./certificate-request-problem.ts";
import {
  conditionErrors,
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
export function betaRequestErrors(object: KubeObject): FieldError[] {
  const spec = structAt(object, "spec");
  return [
    ...encodingErrors(textAt(spec, "request")),
    ...(textsAt(spec, "usages").length === 0 ? [fieldRequired("spec.usages")] : []),
    ...signerNameErrors(textAt(spec, "signerName"), "spec.signerName"),
    ...expirationErrors(spec),
  ];
}

/**
 * Validates a request. An error that the old request has too is accepted. Upstream:
 * pkg/apis/certificates/validation/validation.go, validateCertificateSigningRequest.
 */
export function requestErrors(object: KubeObject, old: KubeObject | undefined): FieldError[] {
  const spec = structAt(object, "spec");
  const before = old && structAt(old, "spec");
  return [
    ...encodingErrors(textAt(spec, "request")),
    ...usageErrors(textsAt(spec, "usages"), before && textsAt(before, "usages")),
    ...signerErrors(textAt(spec, "signerName"), before && textAt(before, "signerName")),
    ...expirationErrors(spec),
    ...conditionErrors(listAt(object, "status", "conditions"), conditionsPath, {
      allowsBothDecisions: old !== undefined && hasBothDecisions(conditionsIn(old)),
      allowsDuplicates: old !== undefined && hasDuplicateTypes(conditionsIn(old)),
      allowsEmptyType: old !== undefined && hasEmptyType(conditionsIn(old)),
    }),
    ...certificateErrors(object, old),
  ];
}

/** The endpoint of an update, which decides on the fields that it may change. */
export type RequestEndpoint = "object" | "status" | "approval";

/** Validates a changed request. Upstream: validateCertificateSigningRequestUpdate. */
export function requestUpdateErrors(
  object: KubeObject,
  old: KubeObject,
  endpoint: RequestEndpoint,
): FieldError[] {
  const errors = requestErrors(object, old);
  for (const type of ["Approved", "Denied", "Failed"]) {
    if (countOf(object, type) >= countOf(old, type)) continue;
    errors.push(
      fieldForbidden(conditionsPath, `updates may not remove a condition of type ${goQuote(type)}`),
    );
  }
  if (endpoint !== "approval") {
    for (const type of ["Approved", "Denied"]) errors.push(...decisionErrors(object, old, type));
  }
  return [...errors, ...certificateChangeErrors(object, old, endpoint)];
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

function decisionErrors(object: KubeObject, old: KubeObject, type: string): FieldError[] {
  const [now, before] = [ofType(object, type), ofType(old, type)];
  if (now.length < before.length || jsonEqual([...now], [...before])) return [];
  if (now.length > before.length) {
    return [fieldForbidden(conditionsPath, `updates may not add a condition of type ${goQuote(type)}`)];
  }
  const rule = `updates may not modify a condition of type ${goQuote(type)}`;
  return [fieldForbidden(conditionsPath, `${rule}\n- ${JSON.stringify(before)}\n+ ${JSON.stringify(now)}\n`)];
}

function certificateChangeErrors(
  object: KubeObject,
  old: KubeObject,
  endpoint: RequestEndpoint,
): FieldError[] {
  const before = textAt(old, "status", "certificate");
  if (textAt(object, "status", "certificate") === before) return [];
  if (endpoint !== "status")
    return [fieldForbidden(certificatePath, "updates may not set certificate content")];
  if (before === "") return [];
  return [fieldForbidden(certificatePath, "updates may not modify existing certificate content")];
}

function encodingErrors(request: string): FieldError[] {
  const problem = certificateRequestProblem(request);
  if (problem === undefined) return [];
  return [fieldInvalid("spec.request", goBytes(request), problem)];
}

function goBytes(base64: string): GoValue {
  if (base64 === "") return go.nil("[]byte");
  const bytes = Array.from(atob(base64), (character) => `0x${character.charCodeAt(0).toString(16)}`);
  return go.raw(`[]byte{${bytes.join(", ")}}`, goJsonText(base64));
}

function usageErrors(usages: readonly string[], old: readonly string[] = []): FieldError[] {
  const field = "spec.usages";
  const errors = usages.length === 0 ? [fieldRequired(field)] : [];
  if (old.every((usage) => keyUsages.includes(usage))) {
    for (const [i, usage] of usages.entries()) {
      if (!keyUsages.includes(usage)) errors.push(fieldNotSupported(index(field, i), usage, keyUsages));
    }
  }
  if (new Set(old).size < old.length) return errors;
  for (const [i, usage] of usages.entries()) {
    if (usages.indexOf(usage) < i) errors.push(fieldDuplicate(index(field, i), usage));
  }
  return errors;
}

function signerErrors(signer: string, old: string | undefined): FieldError[] {
  if (signer !== legacySigner || old === legacySigner) return signerNameErrors(signer, "spec.signerName");
  const detail = "the legacy signerName is not allowed via this API version";
  return [fieldInvalid("spec.signerName", signer, detail)];
}

function expirationErrors(spec: JsonObject): FieldError[] {
  if (spec["expirationSeconds"] === undefined) return [];
  const seconds = integerAt(spec, "expirationSeconds");
  if (seconds >= minExpirationSeconds) return [];
  const detail = "may not specify a duration less than 600 seconds (10 minutes)";
  return [fieldInvalid("spec.expirationSeconds", seconds, detail)];
}

function certificateErrors(object: KubeObject, old: KubeObject | undefined): FieldError[] {
  const certificate = textAt(object, "status", "certificate");
  if (old !== undefined) {
    const before = textAt(old, "status", "certificate");
    if (before === certificate || certificateProblem(before) !== undefined) return [];
  }
  const problem = certificateProblem(certificate);
  return problem === undefined ? [] : [fieldInvalid(certificatePath, "<certificate data>", problem)];
}
