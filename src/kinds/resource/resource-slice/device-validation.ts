import {
  type FieldError,
  fieldInvalid,
  fieldRequired,
  fieldTooLong,
} from "../../../apimachinery/errors/field.ts";
import { objectAt, textAt } from "../../../apimachinery/fields.ts";
import { typedValue } from "../../../apimachinery/go/go-value.ts";
import { isJsonObject, type JsonObject } from "../../../apimachinery/json.ts";
import { utf8Length } from "../../../apimachinery/utf8.ts";
import { child, key } from "../../../apimachinery/validation/field-path.ts";
import type { DeviceForm } from "../devices/device-form.ts";
import { attributeNameErrors, labelNameErrors } from "../devices/device-name-validation.ts";

const maxProperties = 32;
const maxValueLength = 64;
const number = "(0|[1-9]\\d*)";
const preRelease = "(0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*)";
const build = "[0-9a-zA-Z-]+";
const semanticVersion = new RegExp(
  `^${number}\\.${number}\\.${number}(-${preRelease}(\\.${preRelease})*)?(\\+${build}(\\.${build})*)?$`,
);
const valueFields = ["int", "bool", "string", "version"];

/** Validates a device of a slice. */
export function deviceErrors(device: JsonObject, at: string, form: DeviceForm): FieldError[] {
  const errors = labelNameErrors(textAt(device, "name"), child(at, "name"));
  if (form === "late") return [...errors, ...propertyErrors(device, at)];
  const basic = objectAt(device, "basic");
  const field = child(at, "basic");
  return [...errors, ...(basic === undefined ? [fieldRequired(field)] : propertyErrors(basic, field))];
}

function propertyErrors(device: JsonObject, at: string): FieldError[] {
  const attributes = objectAt(device, "attributes") ?? {};
  const capacity = objectAt(device, "capacity") ?? {};
  const errors = [
    ...Object.entries(attributes).flatMap(([name, attribute]) => {
      const field = child(at, "attributes");
      const value = isJsonObject(attribute) ? attribute : {};
      return [...attributeNameErrors(name, field), ...attributeErrors(value, key(field, name))];
    }),
    ...Object.keys(capacity).flatMap((name) => attributeNameErrors(name, child(at, "capacity"))),
  ];
  const count = Object.keys(attributes).length + Object.keys(capacity).length;
  if (count <= maxProperties) return errors;
  const detail = `the total number of attributes and capacities must not exceed ${maxProperties}`;
  return [...errors, fieldInvalid(at, count, detail)];
}

/** An attribute has exactly one value, of one of four types. */
function attributeErrors(attribute: JsonObject, at: string): FieldError[] {
  const errors = [
    ...lengthErrors(attribute, "string", at),
    ...versionErrors(attribute, at),
    ...lengthErrors(attribute, "version", at),
  ];
  const count = valueFields.filter((field) => attribute[field] !== undefined).length;
  if (count === 0) return [...errors, fieldRequired(at, "exactly one value must be specified")];
  if (count === 1) return errors;
  const shown = typedValue("resource.DeviceAttribute", attribute);
  return [...errors, fieldInvalid(at, shown, "exactly one field must be specified")];
}

function lengthErrors(attribute: JsonObject, name: string, at: string): FieldError[] {
  if (utf8Length(textAt(attribute, name)) <= maxValueLength) return [];
  return [fieldTooLong(child(at, name), maxValueLength)];
}

function versionErrors(attribute: JsonObject, at: string): FieldError[] {
  const { version } = attribute;
  if (typeof version !== "string" || semanticVersion.test(version)) return [];
  const detail = "must be a string compatible with semver.org spec 2.0.0";
  return [fieldInvalid(child(at, "version"), version, detail)];
}
