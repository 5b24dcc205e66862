import { fieldForbidden } from "../../../apimachinery/errors/field.ts";
import { type JsonObject, jsonEqual } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { key } from "../../../apimachinery/validation/field-path.ts";
import { addInvalid, type Findings } from "../../../apimachinery/validation/findings.ts";
import { configKeyMessages } from "../../../apimachinery/validation/value-formats.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";
import { withPreparation } from "../../../registry/contract/default-strategy.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";

/** The maximum size of the data of a ConfigMap or Secret in bytes. Upstream: `MaxSecretSize`. */
export const maxDataSize: number = 1024 * 1024;

/** Drops `immutable` while its gate is off, unless the old object has it. */
export function withImmutability(base: Strategy, gates: FeatureGates): Strategy {
  if (gates.isEnabled("ImmutableEphemeralVolumes")) return base;
  return withPreparation(base, (object, old) => {
    if (old?.["immutable"] === undefined) delete object["immutable"];
  });
}

/** Validates a key of data, which becomes a file name. */
export function addDataKeyErrors(errors: Findings, name: string, field: string): void {
  addInvalid(errors, key(field, name), name, configKeyMessages(name));
}

/** The number of bytes that a base64 text encodes. */
export function base64Size(text: string): number {
  const padding = text.endsWith("==") ? 2 : Number(text.endsWith("="));
  return (text.length / 4) * 3 - padding;
}

/** Rejects changes to the data of an immutable object. */
export function addImmutabilityErrors(
  errors: Findings,
  object: KubeObject,
  old: KubeObject,
  fields: readonly string[],
): void {
  if (old["immutable"] !== true) return;
  const detail = "field is immutable when `immutable` is set";
  const changed = fields.filter((field) => !jsonEqual(object[field], old[field]));
  const released = object["immutable"] === true ? [] : ["immutable"];
  for (const field of [...released, ...changed]) errors.push(fieldForbidden(field, detail));
}

/** The bytes of a base64 text, as a text with one character per byte. */
export function binaryText(data: JsonObject, name: string): string {
  const value = data[name];
  return typeof value === "string" ? atob(value) : "";
}
