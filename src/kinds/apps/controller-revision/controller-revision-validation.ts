import { fieldInvalid, fieldRequired } from "../../../apimachinery/errors/field.ts";
import { go } from "../../../apimachinery/go/go-value.ts";
import { isJsonObject, type JsonValue, jsonEqual } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { Findings } from "../../../apimachinery/validation/findings.ts";
import { dnsSubdomainName } from "../../../apimachinery/validation/names.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";
import { encodeJson } from "../../../codec/json/json.ts";
import { addMetadataErrors } from "../../../registry/contract/metadata-errors.ts";
import { addNonnegativeFields } from "../../workload/number-fields.ts";

const metadataRules = { namespaced: true, validateName: dnsSubdomainName };

/**
 * Adds the errors in a new ControllerRevision.
 * Upstream: pkg/apis/apps/validation/validation.go, ValidateControllerRevisionCreate.
 */
export function addNewControllerRevisionErrors(
  errors: Findings,
  revision: KubeObject,
  { since }: FeatureGates,
): void {
  addControllerRevisionErrors(errors, revision);
  const data = revision["data"];
  if (!since("1.31") || isUnset(data) || isJsonObject(data)) return;
  errors.push(fieldRequired("data", "data must be a valid JSON object"));
}

/**
 * Adds the errors in a ControllerRevision.
 * Upstream: pkg/apis/apps/validation/validation.go, ValidateControllerRevision.
 */
function addControllerRevisionErrors(errors: Findings, revision: KubeObject): void {
  addNonnegativeFields(errors, revision, "", ["revision"]);
  if (isUnset(revision["data"])) errors.push(fieldRequired("data", "data is mandatory"));
}

/** Adds the errors of an update. Upstream: pkg/apis/apps/validation/validation.go, ValidateControllerRevisionUpdate. */
export function addControllerRevisionUpdateErrors(
  errors: Findings,
  revision: KubeObject,
  old: KubeObject,
): void {
  addMetadataErrors(errors, revision, metadataRules);
  addControllerRevisionErrors(errors, revision);
  const { data } = revision;
  if (!jsonEqual(data ?? null, old["data"] ?? null)) {
    errors.push(fieldInvalid("data", rawExtension(data), "field is immutable"));
  }
}

function isUnset(data: JsonValue | undefined): boolean {
  return data === undefined || data === null;
}

/** The data as Go prints a RawExtension with `%#v`. */
function rawExtension(data: JsonValue | undefined): ReturnType<typeof go.raw> {
  const text = `runtime.RawExtension{Raw:${bytes(data)}, Object:runtime.Object(nil)}`;
  return go.raw(text, encodeJson(data ?? null));
}

function bytes(data: JsonValue | undefined): string {
  if (isUnset(data)) return "[]uint8(nil)";
  const encoded = new TextEncoder().encode(encodeJson(data ?? null));
  return `[]uint8{${Array.from(encoded, (byte) => `0x${byte.toString(16)}`).join(", ")}}`;
}
