import {
  fieldForbidden,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
} from "../../../apimachinery/errors/field.ts";
import { textsAt } from "../../../apimachinery/fields.ts";
import { go } from "../../../apimachinery/go/go-value.ts";
import { getKey, isJsonObject, type JsonObject, type JsonValue } from "../../../apimachinery/json.ts";
import { child, key } from "../../../apimachinery/validation/field-path.ts";
import type { Findings } from "../../../apimachinery/validation/findings.ts";
import type { SchemaPlace } from "./schema-place.ts";

const listTypes = ["atomic", "set", "map"];
const mapKeys = "x-kubernetes-list-map-keys";

/** Adds what is wrong with the topology of a list. */
export function addListTypeErrors(
  errors: Findings,
  schema: JsonObject,
  { path, tolerances }: Pick<SchemaPlace, "path" | "tolerances">,
): void {
  const listType = schema["x-kubernetes-list-type"];
  const keys = textsAt(schema, mapKeys);
  addArrayErrors(errors, schema, path);
  if (listType === "set" && schema["type"] === "array" && !tolerances.has("sets")) {
    addSetItemErrors(errors, schema["items"], path);
  }
  if (listType !== undefined && !listTypes.includes(String(listType))) {
    errors.push(fieldNotSupported(child(path, "x-kubernetes-list-type"), listType, listTypes));
  }
  if (keys.length > 0 && listType !== "map") {
    const detail = `must be map if ${mapKeys} is non-empty`;
    const field = child(path, "x-kubernetes-list-type");
    errors.push(
      listType === undefined ? fieldRequired(field, detail) : fieldInvalid(field, listType, detail),
    );
  }
  if (listType === "map") addMapErrors(errors, schema, keys, path);
  if (!tolerances.has("mapKeys")) addKeyErrors(errors, schema, keys, path);
}

function addArrayErrors(errors: Findings, schema: JsonObject, path: string): void {
  const { type } = schema;
  if (schema["x-kubernetes-list-type"] === undefined || type === "array") return;
  const detail = "must be array if x-kubernetes-list-type is specified";
  const field = child(path, "type");
  errors.push(
    type === undefined || type === "" ? fieldRequired(field, detail) : fieldInvalid(field, type, detail),
  );
}

/** Upstream shows the list type of the items in both errors. */
function addSetItemErrors(errors: Findings, items: JsonValue | undefined, path: string): void {
  if (!isJsonObject(items)) return;
  const shown = items["x-kubernetes-list-type"] ?? undefined;
  const detail = "must be atomic as item of a list with x-kubernetes-list-type=set";
  const at = child(path, "items");
  if (items["type"] === "array" && shown !== undefined && shown !== "atomic") {
    errors.push(fieldInvalid(child(at, "x-kubernetes-list-type"), shown, detail));
  }
  if (items["type"] === "object" && items["x-kubernetes-map-type"] !== "atomic") {
    errors.push(fieldInvalid(child(at, "x-kubernetes-map-type"), shown, detail));
  }
}

function addMapErrors(errors: Findings, schema: JsonObject, keys: readonly string[], path: string): void {
  const { items } = schema;
  const at = child(path, "items");
  if (keys.length === 0) {
    errors.push(fieldRequired(child(path, mapKeys), "must not be empty if x-kubernetes-list-type is map"));
  }
  if (items === undefined) {
    errors.push(fieldRequired(at, "must have a schema if x-kubernetes-list-type is map"));
  }
  if (!isJsonObject(items)) return;
  if (items["type"] !== "object") {
    const detail = "must be object if parent array's x-kubernetes-list-type is map";
    errors.push(fieldInvalid(child(at, "type"), items["type"] ?? "", detail));
    return;
  }
  const seen = new Set<string>();
  for (const name of keys) {
    const property = propertyOf(items, name);
    const field = child(path, mapKeys);
    if (property === undefined) {
      errors.push(fieldInvalid(field, go.stringSlice(keys), "entries must all be names of item properties"));
    } else if (property["type"] === "array" || property["type"] === "object") {
      const detail = "must be a scalar type if parent array's x-kubernetes-list-type is map";
      errors.push(fieldInvalid(child(key(child(at, "properties"), name), "type"), "object", detail));
    }
    if (seen.has(name))
      errors.push(fieldInvalid(field, go.stringSlice(keys), "must not contain duplicate entries"));
    seen.add(name);
  }
}

function propertyOf(items: JsonObject, name: string): JsonObject | undefined {
  const properties = items["properties"];
  const property = isJsonObject(properties) ? getKey(properties, name) : undefined;
  return isJsonObject(property) ? property : undefined;
}

/** Upstream: validateMapListKeysMapSet. */
function addKeyErrors(errors: Findings, schema: JsonObject, keys: readonly string[], path: string): void {
  const listType = schema["x-kubernetes-list-type"];
  const { items } = schema;
  if (!isJsonObject(items) || (listType !== "set" && listType !== "map")) return;
  const at = child(path, "items");
  if (items["nullable"] === true) {
    const detail = `cannot be nullable when x-kubernetes-list-type is ${listType}`;
    errors.push(fieldForbidden(child(at, "nullable"), detail));
  }
  if (listType === "set") return;
  const required = new Set(textsAt(items, "required"));
  for (const name of keys) {
    const property = propertyOf(items, name);
    if (property === undefined) continue;
    const field = key(child(at, "properties"), name);
    const mapKey = `this property is in ${mapKeys}, so it`;
    if (!required.has(name) && property["default"] === undefined) {
      errors.push(
        fieldRequired(child(field, "default"), `${mapKey} must have a default or be a required property`),
      );
    }
    if (property["nullable"] === true) {
      errors.push(fieldForbidden(child(field, "nullable"), `${mapKey} cannot be nullable`));
    }
  }
}

/** Whether a list type is stated that new definitions must not have. */
export function hasListTypeErrors(schema: JsonObject, kind: "sets" | "mapKeys"): boolean {
  const errors: Findings = [];
  if (kind === "mapKeys") addKeyErrors(errors, schema, textsAt(schema, mapKeys), "");
  else if (schema["x-kubernetes-list-type"] === "set") addSetItemErrors(errors, schema["items"], "");
  return errors.length > 0;
}
