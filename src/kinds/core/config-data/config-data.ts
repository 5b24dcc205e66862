import { type FieldError, fieldForbidden, fieldInvalid } from "../../../apimachinery/errors/field.ts";
import { type JsonObject, jsonEqual } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { key } from "../../../apimachinery/validation/field-path.ts";
import { configKeyMessages } from "../../../apimachinery/validation/value-formats.ts";

/** How much a ConfigMap or Secret may hold. */
export const maxDataSize: number = 1024 * 1024;

/** What is wrong with a key of data, which becomes the name of a file. */
export function dataKeyErrors(name: string, field: string): FieldError[] {
  return configKeyMessages(name).map((message) => fieldInvalid(key(field, name), name, message));
}

/** How many bytes a base64 text stands for. */
export function base64Size(text: string): number {
  const padding = text.endsWith("==") ? 2 : Number(text.endsWith("="));
  return (text.length / 4) * 3 - padding;
}

/** What has changed of an object that was declared immutable. */
export function immutabilityErrors(
  object: KubeObject,
  old: KubeObject,
  fields: readonly string[],
): FieldError[] {
  if (old["immutable"] !== true) return [];
  const detail = "field is immutable when `immutable` is set";
  const changed = fields.filter((field) => !jsonEqual(object[field], old[field]));
  const released = object["immutable"] === true ? [] : ["immutable"];
  return [...released, ...changed].map((field) => fieldForbidden(field, detail));
}

/** The bytes of a base64 text as a text of one character a byte. */
export function binaryText(data: JsonObject, name: string): string {
  const value = data[name];
  return typeof value === "string" ? atob(value) : "";
}
