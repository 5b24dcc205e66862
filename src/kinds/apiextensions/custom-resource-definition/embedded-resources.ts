import { DecodeError } from "../../../apimachinery/decode-error.ts";
import { fieldInvalid, fieldRequired } from "../../../apimachinery/errors/field.ts";
import { parseGroupVersion } from "../../../apimachinery/group-version.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../apimachinery/json.ts";
import type { ObjectMeta } from "../../../apimachinery/object-meta.ts";
import { child, index, key } from "../../../apimachinery/validation/field-path.ts";
import { addAll, collectErrors, type Findings } from "../../../apimachinery/validation/findings.ts";
import { dns1035LabelMessages, pathSegmentName } from "../../../apimachinery/validation/names.ts";
import { addObjectMetaErrors } from "../../../apimachinery/validation/object-meta-validation.ts";
import type { StructSchema } from "../../../catalog/type-schema.ts";
import { builtInSchema } from "../../../schema/built-in-schema.ts";
import type { Structural } from "../../../schema/structural/structural-schema.ts";

/**
 * Validates the type and the metadata of resources within a value. Upstream: apiextensions-apiserver,
 * pkg/apiserver/schema/objectmeta/validation.go.
 */
export function addEmbeddedErrors(
  errors: Findings,
  schema: Structural,
  value: JsonValue,
  path: string,
  objectMeta: StructSchema,
): void {
  if (!schema.hasEmbeddedResources) return;
  if (Array.isArray(value)) {
    const { items } = schema;
    if (items === undefined) return;
    for (const [i, item] of value.entries())
      addEmbeddedErrors(errors, items, item, index(path, i), objectMeta);
    return;
  }
  if (!isJsonObject(value)) return;
  if (schema.isEmbeddedResource) addResourceErrors(errors, value, path, objectMeta);
  const { properties, additionalProperties: others } = schema;
  for (const [name, part] of Object.entries(value)) {
    const own = properties.get(name);
    if (own !== undefined) addEmbeddedErrors(errors, own, part, child(path, name), objectMeta);
    else if (typeof others === "object") addEmbeddedErrors(errors, others, part, key(path, name), objectMeta);
  }
}

function addResourceErrors(
  errors: Findings,
  resource: JsonObject,
  path: string,
  objectMeta: StructSchema,
): void {
  const { apiVersion, kind, metadata } = resource;
  if (apiVersion === undefined) errors.push(fieldRequired(child(path, "apiVersion"), ""));
  if (kind === undefined) errors.push(fieldRequired(child(path, "kind"), ""));
  if (apiVersion !== undefined) addVersionErrors(errors, apiVersion, child(path, "apiVersion"));
  if (kind !== undefined) addKindErrors(errors, kind, child(path, "kind"));
  if (metadata !== undefined) addMetadataErrors(errors, metadata, path, objectMeta);
}

function addVersionErrors(errors: Findings, apiVersion: JsonValue, path: string): void {
  if (typeof apiVersion !== "string") errors.push(fieldInvalid(path, apiVersion, "must be a string"));
  else if (apiVersion === "") errors.push(fieldInvalid(path, apiVersion, "must not be empty"));
  else if (parseGroupVersion(apiVersion) === undefined) {
    errors.push(fieldInvalid(path, apiVersion, `unexpected GroupVersion string: ${apiVersion}`));
  }
}

function addKindErrors(errors: Findings, kind: JsonValue, path: string): void {
  if (typeof kind !== "string") errors.push(fieldInvalid(path, kind, "must be a string"));
  else if (kind === "") errors.push(fieldInvalid(path, kind, "must not be empty"));
  else {
    const messages = dns1035LabelMessages(kind.toLowerCase());
    if (messages.length === 0) return;
    const detail = `may have mixed case, but should otherwise match: ${messages.join(",")}`;
    errors.push(fieldInvalid(path, kind, detail));
  }
}

function addMetadataErrors(
  errors: Findings,
  metadata: JsonValue,
  path: string,
  objectMeta: StructSchema,
): void {
  let decoded: JsonObject;
  try {
    decoded = builtInSchema(objectMeta).decode(metadata).object;
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    errors.push(fieldInvalid(child(path, "metadata"), metadata, error.message));
    return;
  }
  // Embedded objects need no name.
  const named: ObjectMeta = decoded["name"] ? decoded : { ...decoded, name: "fakename" };
  const rules = { namespaced: Boolean(decoded["namespace"]), validateName: pathSegmentName };
  const found = collectErrors((inner) => addObjectMetaErrors(inner, named, rules));
  addAll(
    errors,
    found.map((error) => ({ ...error, field: child(path, error.field) })),
  );
}
