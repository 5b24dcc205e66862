import {
  type FieldError,
  fieldInvalid,
  fieldRequired,
  fieldTooLong,
} from "../../../apimachinery/errors/field.ts";
import { objectAt, textAt } from "../../../apimachinery/fields.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../apimachinery/json.ts";
import { utf8Length } from "../../../apimachinery/utf8.ts";
import { child } from "../../../apimachinery/validation/field-path.ts";
import { encodeJson } from "../../../codec/json/json.ts";
import { driverNameErrors } from "./device-name-validation.ts";

const maxParametersLength = 10 * 1024;

/** Whether a configuration is new; a stored one may exceed the maximum length. */
export type ConfigurationAge = "new" | "stored";

/** Validates the configuration of a device: its driver and the parameters for it. */
export function deviceConfigurationErrors(
  config: JsonObject,
  field: string,
  age: ConfigurationAge,
): FieldError[] {
  const opaque = objectAt(config, "opaque");
  const at = child(field, "opaque");
  if (opaque === undefined) return [fieldRequired(at)];
  return [
    ...driverNameErrors(textAt(opaque, "driver"), child(at, "driver")),
    ...rawObjectErrors(opaque["parameters"], child(at, "parameters"), age),
  ];
}

/** Validates a raw JSON object. */
export function rawObjectErrors(
  value: JsonValue | undefined,
  field: string,
  age: ConfigurationAge,
): FieldError[] {
  if (value === undefined || value === null) return [fieldRequired(field)];
  if (age === "new" && utf8Length(encodeJson(value)) > maxParametersLength) {
    return [fieldTooLong(field, maxParametersLength)];
  }
  return isJsonObject(value) ? [] : [fieldInvalid(field, "<value omitted>", "must be a valid JSON object")];
}
