import { fieldInvalid, fieldRequired, fieldTooLong } from "../../../apimachinery/errors/field.ts";
import { objectAt, textAt } from "../../../apimachinery/fields.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../apimachinery/json.ts";
import { utf8Length } from "../../../apimachinery/utf8.ts";
import { child } from "../../../apimachinery/validation/field-path.ts";
import type { Findings } from "../../../apimachinery/validation/findings.ts";
import { encodeJson } from "../../../codec/json/json.ts";
import { addDriverNameErrors } from "./device-name-validation.ts";

const maxParametersLength = 10 * 1024;

/** Whether a configuration is new; a stored one may exceed the maximum length. */
export type ConfigurationAge = "new" | "stored";

/** Validates the configuration of a device: its driver and the parameters for it. */
export function addDeviceConfigurationErrors(
  errors: Findings,
  config: JsonObject,
  field: string,
  age: ConfigurationAge,
): void {
  const opaque = objectAt(config, "opaque");
  const at = child(field, "opaque");
  if (opaque === undefined) errors.push(fieldRequired(at));
  else {
    addDriverNameErrors(errors, textAt(opaque, "driver"), child(at, "driver"));
    addRawObjectErrors(errors, opaque["parameters"], child(at, "parameters"), age);
  }
}

/** Validates a raw JSON object. */
export function addRawObjectErrors(
  errors: Findings,
  value: JsonValue | undefined,
  field: string,
  age: ConfigurationAge,
): void {
  if (value === undefined || value === null) errors.push(fieldRequired(field));
  else if (age === "new" && utf8Length(encodeJson(value)) > maxParametersLength) {
    errors.push(fieldTooLong(field, maxParametersLength));
  } else if (!isJsonObject(value)) {
    errors.push(fieldInvalid(field, "<value omitted>", "must be a valid JSON object"));
  }
}
