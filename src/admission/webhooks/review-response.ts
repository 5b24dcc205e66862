import { bytesOfBase64 } from "../../apimachinery/base64.ts";
import { StatusError } from "../../apimachinery/errors/errors.ts";
import { messageOf } from "../../apimachinery/errors/message-of.ts";
import { integerAt, objectAt, structAt, textAt, textsAt } from "../../apimachinery/fields.ts";
import { goQuote } from "../../apimachinery/go/go-quote.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../apimachinery/json.ts";
import type { Status } from "../../apimachinery/status.ts";

/** The decision in the answer of a webhook. */
export interface ReviewResponse {
  readonly isAllowed: boolean;
  /** The JSON patch; empty without one. */
  readonly patch: Uint8Array;
  readonly patchType: string;
  readonly status: JsonObject | undefined;
  readonly warnings: readonly string[];
  readonly auditAnnotations: JsonObject;
}

/** The answer of a webhook is not one that upstream accepts. */
export class InvalidResponse extends Error {
  override readonly name = "InvalidResponse";
}

type ReviewVersion = "v1" | "v1beta1";

/**
 * Checks the answer to a review. Upstream: apiserver, plugin/webhook/request/admissionreview.go, VerifyAdmissionResponse; v1beta1
 * checks neither the uid nor the type of the patch.
 * @throws {InvalidResponse}
 */
export function checkedResponse(
  review: JsonObject,
  uid: string,
  version: ReviewVersion,
  type: "mutating" | "validating",
): ReviewResponse {
  const response = objectAt(review, "response");
  if (response === undefined) throw new InvalidResponse("webhook response was absent");
  const patch = bytesOfBase64(textAt(response, "patch"));
  if (version === "v1") checkVersion1(review, response, patch, uid, type);
  const isPatched = type === "mutating" && patch.length > 0;
  // The older version has patches of one type only.
  const patchType = version === "v1" ? textAt(response, "patchType") : "JSONPatch";
  return {
    isAllowed: response["allowed"] === true,
    patch: isPatched ? patch : new Uint8Array(),
    patchType,
    status: objectAt(response, "status"),
    warnings: textsAt(response, "warnings"),
    auditAnnotations: structAt(response, "auditAnnotations"),
  };
}

function checkVersion1(
  review: JsonObject,
  response: JsonObject,
  patch: Uint8Array,
  uid: string,
  type: "mutating" | "validating",
): void {
  const answered = textAt(response, "uid");
  if (answered !== uid) {
    throw new InvalidResponse(`expected response.uid=${goQuote(uid)}, got ${goQuote(answered)}`);
  }
  const expected = "admission.k8s.io/v1, Kind=AdmissionReview";
  const actual = `${textAt(review, "apiVersion") || "/"}, Kind=${textAt(review, "kind")}`;
  if (actual !== expected) {
    throw new InvalidResponse(`expected webhook response of ${expected}, got ${actual}`);
  }
  const hasType = typeof response["patchType"] === "string";
  if (type === "validating") checkUnpatched(patch, hasType);
  else checkPatch(patch, hasType, textAt(response, "patchType"));
}

function checkUnpatched(patch: Uint8Array, hasType: boolean): void {
  if (patch.length > 0) throw new InvalidResponse("validating webhook may not return response.patch");
  if (hasType) throw new InvalidResponse("validating webhook may not return response.patchType");
}

function checkPatch(patch: Uint8Array, hasType: boolean, patchType: string): void {
  if (patch.length > 0 && !hasType) {
    throw new InvalidResponse("webhook returned response.patch but not response.patchType");
  }
  if (patch.length === 0 && hasType) {
    throw new InvalidResponse("webhook returned response.patchType but not response.patch");
  }
  if (hasType && patchType === "") {
    throw new InvalidResponse(`webhook returned invalid response.patchType of ${goQuote(patchType)}`);
  }
}

/**
 * The refusal that a webhook wants. Upstream: apiserver, plugin/webhook/errors/statuserror.go; it breaks off the connection for a code
 * that HTTP does not have.
 */
export function denial(webhook: string, result: JsonObject = {}): StatusError {
  const deniedBy = `admission webhook ${goQuote(webhook)} denied the request`;
  const reason = textAt(result, "reason");
  const explanation = textAt(result, "message") || reason;
  const { details } = result;
  const given = Number(integerAt(result, "code"));
  const status: JsonObject = {
    kind: "Status",
    apiVersion: "v1",
    metadata: structAt(result, "metadata"),
    status: "Failure",
    message: explanation === "" ? `${deniedBy} without explanation` : `${deniedBy}: ${explanation}`,
    ...(reason !== "" && { reason }),
    ...(isJsonObject(details) && { details }),
    code: given >= 400 && given < 1000 ? given : fallbackCode(given),
  };
  // A webhook may give any reason; those of upstream are what the type lists.
  return new StatusError(status as Status);
}

function fallbackCode(given: number): number {
  return given < 400 ? 400 : 500;
}

/** The types of the fields of a response in Go. */
const fieldTypes: {
  readonly [field: string]: readonly [check: (value: JsonValue) => boolean, type: string];
} = {
  uid: [isText, "types.UID"],
  allowed: [(value) => typeof value === "boolean", "bool"],
  status: [isJsonObject, "v1.Status"],
  patch: [isText, "[]uint8"],
  patchType: [isText, "PATCHTYPE"],
  auditAnnotations: [isJsonObject, "map[string]string"],
  warnings: [Array.isArray, "[]string"],
};

function isText(value: JsonValue): boolean {
  return typeof value === "string";
}

/** Why Go's decoder does not accept the response of a review; undefined if it does. */
export function decodeProblem(review: JsonObject, version: ReviewVersion): string | undefined {
  const { response } = review;
  if (response === undefined || response === null) return undefined;
  if (!isJsonObject(response)) {
    return mismatch(response, "AdmissionReview.response", `${version}.AdmissionResponse`);
  }
  for (const [field, [isValid, goType]] of Object.entries(fieldTypes)) {
    const value = response[field];
    if (value === undefined || value === null || isValid(value)) continue;
    const type = goType === "PATCHTYPE" ? `${version}.PatchType` : goType;
    return mismatch(value, `AdmissionResponse.response.${field}`, type);
  }
  return elementProblem(response) ?? base64Problem(textAt(response, "patch"));
}

function elementProblem(response: JsonObject): string | undefined {
  const annotations = Object.values(structAt(response, "auditAnnotations"));
  const warnings = Array.isArray(response["warnings"]) ? response["warnings"] : [];
  const wrong = annotations.find((value) => !isText(value) && value !== null);
  if (wrong !== undefined) return mismatch(wrong, "AdmissionResponse.response.auditAnnotations", "string");
  const other = warnings.find((value) => !isText(value) && value !== null);
  return other === undefined ? undefined : mismatch(other, "AdmissionResponse.response.warnings", "string");
}

function base64Problem(text: string): string | undefined {
  try {
    bytesOfBase64(text);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

function mismatch(value: JsonValue, field: string, type: string): string {
  return `json: cannot unmarshal ${jsonType(value)} into Go struct field ${field} of type ${type}`;
}

function jsonType(value: JsonValue): string {
  if (Array.isArray(value)) return "array";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "bigint") return "number";
  return typeof value;
}
