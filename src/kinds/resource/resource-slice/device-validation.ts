import { fieldInvalid, fieldRequired, fieldTooLong } from "../../../apimachinery/errors/field.ts";
import { objectAt, textAt } from "../../../apimachinery/fields.ts";
import { typedValue } from "../../../apimachinery/go/go-value.ts";
import { isJsonObject, type JsonObject } from "../../../apimachinery/json.ts";
import { utf8Length } from "../../../apimachinery/utf8.ts";
import { child, key } from "../../../apimachinery/validation/field-path.ts";
import type { Findings } from "../../../apimachinery/validation/findings.ts";
import type { DeviceForm } from "../devices/device-form.ts";
import { addAttributeNameErrors, addLabelNameErrors } from "../devices/device-name-validation.ts";
import { semanticVersion } from "../devices/semantic-version-form.ts";

const maxProperties = 32;
const maxValueLength = 64;
const valueFields = ["int", "bool", "string", "version", "bools", "ints", "strings", "versions"];

/** Validates a device of a slice. */
export function addDeviceErrors(errors: Findings, device: JsonObject, at: string, form: DeviceForm): void {
  addLabelNameErrors(errors, textAt(device, "name"), child(at, "name"));
  if (form === "late") {
    addPropertyErrors(errors, device, at);
    return;
  }
  const basic = objectAt(device, "basic");
  const field = child(at, "basic");
  if (basic === undefined) errors.push(fieldRequired(field));
  else addPropertyErrors(errors, basic, field);
}

function addPropertyErrors(errors: Findings, device: JsonObject, at: string): void {
  const attributes = objectAt(device, "attributes") ?? {};
  const capacity = objectAt(device, "capacity") ?? {};
  for (const [name, attribute] of Object.entries(attributes)) {
    const field = child(at, "attributes");
    const value = isJsonObject(attribute) ? attribute : {};
    addAttributeNameErrors(errors, name, field);
    addAttributeErrors(errors, value, key(field, name));
  }
  for (const name of Object.keys(capacity)) addAttributeNameErrors(errors, name, child(at, "capacity"));
  const count = Object.keys(attributes).length + Object.keys(capacity).length;
  if (count <= maxProperties) return;
  const detail = `the total number of attributes and capacities must not exceed ${maxProperties}`;
  errors.push(fieldInvalid(at, count, detail));
}

/** An attribute has exactly one value or list of values, of one of four types. */
function addAttributeErrors(errors: Findings, attribute: JsonObject, at: string): void {
  addLengthErrors(errors, attribute, "string", at);
  addVersionErrors(errors, attribute, at);
  addLengthErrors(errors, attribute, "version", at);
  const count = valueFields.filter((field) => attribute[field] !== undefined).length;
  if (count === 0) {
    errors.push(fieldRequired(at, "exactly one value must be specified"));
    return;
  }
  if (count === 1) return;
  const shown = typedValue("resource.DeviceAttribute", attribute);
  errors.push(fieldInvalid(at, shown, "exactly one field must be specified"));
}

function addLengthErrors(errors: Findings, attribute: JsonObject, name: string, at: string): void {
  if (utf8Length(textAt(attribute, name)) <= maxValueLength) return;
  errors.push(fieldTooLong(child(at, name), maxValueLength));
}

function addVersionErrors(errors: Findings, attribute: JsonObject, at: string): void {
  const { version } = attribute;
  if (typeof version !== "string" || semanticVersion.test(version)) return;
  const detail = "must be a string compatible with semver.org spec 2.0.0";
  errors.push(fieldInvalid(child(at, "version"), version, detail));
}
