import { fieldInvalid, fieldRequired } from "../../../apimachinery/errors/field.ts";
import type { Wording } from "../../../apimachinery/errors/wording.ts";
import { listAt, structAt, textAt, textsAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { child } from "../../../apimachinery/validation/field-path.ts";
import type { Findings } from "../../../apimachinery/validation/findings.ts";
import { addBoundedListErrors, addDuplicateErrors } from "./bounded-list-validation.ts";
import { addDeviceConfigurationErrors } from "./device-configuration-validation.ts";
import { addLabelNameErrors, addQualifiedAttributeErrors } from "./device-name-validation.ts";
import { addDeviceRequestErrors, requestNames } from "./device-request-validation.ts";
import type { DeviceRules } from "./device-rules.ts";

const maxRequests = 32;
const maxConstraints = 32;
const maxConfigurations = 32;

const unknownRequest: Wording = (since) =>
  `must be the name of a request in the claim${since("1.33") ? " or the name of a request and a subrequest separated by '/'" : ""}`;

/** Validates the spec of a claim. Upstream: pkg/apis/resource/validation/validation.go, validateResourceClaimSpec. */
export function addClaimSpecErrors(
  errors: Findings,
  spec: JsonObject,
  field: string,
  rules: DeviceRules,
): void {
  const devices = structAt(spec, "devices");
  const at = child(field, "devices");
  const requests = listAt(devices, "requests");
  const names = requestNames(requests);
  const requestsField = child(at, "requests");
  addBoundedListErrors(errors, requests, maxRequests, requestsField, (errors, request, where) =>
    addDeviceRequestErrors(errors, request, where, rules),
  );
  addDuplicateErrors(
    errors,
    requests.map((request) => textAt(request, "name")),
    requestsField,
    "name",
  );
  addBoundedListErrors(
    errors,
    listAt(devices, "constraints"),
    maxConstraints,
    child(at, "constraints"),
    (errors, constraint, where) => addConstraintErrors(errors, constraint, where, names),
  );
  addBoundedListErrors(
    errors,
    listAt(devices, "config"),
    maxConfigurations,
    child(at, "config"),
    (errors, config, where) => {
      addRequestReferenceErrors(errors, config, where, names);
      addDeviceConfigurationErrors(errors, config, where, rules.age);
    },
  );
}

/** Validates the requests that a constraint or a configuration refers to; none means all. */
export function addRequestReferenceErrors(
  errors: Findings,
  owner: JsonObject,
  at: string,
  names: ReadonlySet<string>,
): void {
  const field = child(at, "requests");
  const requests = textsAt(owner, "requests");
  addBoundedListErrors(errors, requests, maxRequests, field, (errors, name, where) =>
    addRequestNameErrors(errors, name, where, names),
  );
  addDuplicateErrors(errors, requests, field, "");
}

/** Validates a reference to a request of the claim. */
export function addRequestNameErrors(
  errors: Findings,
  name: string,
  field: string,
  names: ReadonlySet<string>,
): void {
  for (const part of name.split("/")) addLabelNameErrors(errors, part, field);
  if (names.has(name)) return;
  errors.push(fieldInvalid(field, name, unknownRequest));
}

function addConstraintErrors(
  errors: Findings,
  constraint: JsonObject,
  at: string,
  names: ReadonlySet<string>,
): void {
  addRequestReferenceErrors(errors, constraint, at, names);
  const attribute = constraint["matchAttribute"];
  const field = child(at, "matchAttribute");
  if (typeof attribute === "string") addQualifiedAttributeErrors(errors, attribute, field);
  else if (constraint["distinctAttribute"] === undefined) errors.push(fieldRequired(field));
}
