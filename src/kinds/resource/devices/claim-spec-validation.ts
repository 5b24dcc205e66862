import { type FieldError, fieldInvalid, fieldRequired } from "../../../apimachinery/errors/field.ts";
import { listAt, structAt, textAt, textsAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { child } from "../../../apimachinery/validation/field-path.ts";
import { boundedListErrors, duplicateErrors } from "./bounded-list-validation.ts";
import { type ConfigurationAge, deviceConfigurationErrors } from "./device-configuration-validation.ts";
import type { DeviceForm } from "./device-form.ts";
import { labelNameErrors, qualifiedAttributeErrors } from "./device-name-validation.ts";
import { deviceRequestErrors, requestNames } from "./device-request-validation.ts";

const maxRequests = 32;
const maxConstraints = 32;
const maxConfigurations = 32;

/** Validates the spec of a claim. Upstream: pkg/apis/resource/validation/validation.go, validateResourceClaimSpec. */
export function claimSpecErrors(
  spec: JsonObject,
  field: string,
  form: DeviceForm,
  age: ConfigurationAge,
): FieldError[] {
  const devices = structAt(spec, "devices");
  const at = child(field, "devices");
  const requests = listAt(devices, "requests");
  const names = requestNames(requests);
  const requestsField = child(at, "requests");
  return [
    ...boundedListErrors(requests, maxRequests, requestsField, (request, where) =>
      deviceRequestErrors(request, where, form),
    ),
    ...duplicateErrors(
      requests.map((request) => textAt(request, "name")),
      requestsField,
      "name",
    ),
    ...boundedListErrors(
      listAt(devices, "constraints"),
      maxConstraints,
      child(at, "constraints"),
      (constraint, where) => constraintErrors(constraint, where, names),
    ),
    ...boundedListErrors(
      listAt(devices, "config"),
      maxConfigurations,
      child(at, "config"),
      (config, where) => [
        ...requestReferenceErrors(config, where, names),
        ...deviceConfigurationErrors(config, where, age),
      ],
    ),
  ];
}

/** Validates the requests that a constraint or a configuration refers to; none means all. */
export function requestReferenceErrors(
  owner: JsonObject,
  at: string,
  names: ReadonlySet<string>,
): FieldError[] {
  const field = child(at, "requests");
  const requests = textsAt(owner, "requests");
  return [
    ...boundedListErrors(requests, maxRequests, field, (name, where) =>
      requestNameErrors(name, where, names),
    ),
    ...duplicateErrors(requests, field, ""),
  ];
}

/** Validates a reference to a request of the claim. */
export function requestNameErrors(name: string, field: string, names: ReadonlySet<string>): FieldError[] {
  const errors = name.split("/").flatMap((part) => labelNameErrors(part, field));
  if (names.has(name)) return errors;
  return [...errors, fieldInvalid(field, name, "must be the name of a request in the claim")];
}

function constraintErrors(constraint: JsonObject, at: string, names: ReadonlySet<string>): FieldError[] {
  const errors = requestReferenceErrors(constraint, at, names);
  const attribute = constraint["matchAttribute"];
  const field = child(at, "matchAttribute");
  if (typeof attribute === "string") return [...errors, ...qualifiedAttributeErrors(attribute, field)];
  return constraint["distinctAttribute"] === undefined ? [...errors, fieldRequired(field)] : errors;
}
