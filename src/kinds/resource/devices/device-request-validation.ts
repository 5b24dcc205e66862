import { fieldInvalid, fieldNotSupported, fieldRequired } from "../../../apimachinery/errors/field.ts";
import { integerAt, listAt, objectAt, textAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { child } from "../../../apimachinery/validation/field-path.ts";
import { addInvalid, type Findings } from "../../../apimachinery/validation/findings.ts";
import { dnsSubdomainMessages } from "../../../apimachinery/validation/names.ts";
import { addBoundedListErrors, addDuplicateErrors } from "./bounded-list-validation.ts";
import { addLabelNameErrors } from "./device-name-validation.ts";
import type { DeviceRules } from "./device-rules.ts";
import { addSelectorErrors } from "./device-selector-validation.ts";

const maxSubrequests = 8;
const allocationModes = ["All", "ExactCount"];
const eitherOr = "exactly one of `exactly` or `firstAvailable` is required";

/**
 * Validates a request for devices. In early versions it is an exact request itself, unless it has `firstAvailable`;
 * later ones have the field `exactly`.
 */
export function addDeviceRequestErrors(
  errors: Findings,
  request: JsonObject,
  at: string,
  rules: DeviceRules,
): void {
  addLabelNameErrors(errors, textAt(request, "name"), child(at, "name"));
  const subrequests = listAt(request, "firstAvailable");
  const exactly = objectAt(request, "exactly");
  if (rules.form === "late" && subrequests.length === 0 && exactly === undefined) {
    errors.push(fieldRequired(at, eitherOr));
  } else if (subrequests.length > 0 && exactly !== undefined) {
    errors.push(fieldInvalid(at, null, `${eitherOr}, but multiple fields are set`));
  } else if (subrequests.length > 0) {
    addSubrequestErrors(errors, subrequests, child(at, "firstAvailable"), rules);
  } else if (exactly !== undefined) addClassRequestErrors(errors, exactly, child(at, "exactly"), rules);
  else addClassRequestErrors(errors, request, at, rules);
}

/** The names of requests, and those of subrequests in the form `<request>/<subrequest>`. */
export function requestNames(requests: readonly JsonObject[]): ReadonlySet<string> {
  return new Set(
    requests.flatMap((request) => {
      const name = textAt(request, "name");
      return [name, ...listAt(request, "firstAvailable").map((sub) => `${name}/${textAt(sub, "name")}`)];
    }),
  );
}

function addSubrequestErrors(
  errors: Findings,
  subrequests: readonly JsonObject[],
  field: string,
  rules: DeviceRules,
): void {
  const names = subrequests.map((subrequest) => textAt(subrequest, "name"));
  addBoundedListErrors(errors, subrequests, maxSubrequests, field, (errors, subrequest, at) => {
    addLabelNameErrors(errors, textAt(subrequest, "name"), child(at, "name"));
    addClassRequestErrors(errors, subrequest, at, rules);
  });
  addDuplicateErrors(errors, names, field, "name");
}

function addClassRequestErrors(errors: Findings, request: JsonObject, at: string, rules: DeviceRules): void {
  const name = textAt(request, "deviceClassName");
  const field = child(at, "deviceClassName");
  if (name === "") errors.push(fieldRequired(field));
  else addInvalid(errors, field, name, dnsSubdomainMessages(name));
  addSelectorErrors(errors, listAt(request, "selectors"), child(at, "selectors"), rules);
  addCountErrors(errors, request, at);
}

function addCountErrors(errors: Findings, request: JsonObject, at: string): void {
  const mode = textAt(request, "allocationMode");
  const count = integerAt(request, "count");
  const field = child(at, "count");
  if (!allocationModes.includes(mode)) {
    errors.push(fieldNotSupported(child(at, "allocationMode"), mode, allocationModes));
    return;
  }
  if (mode === "ExactCount") {
    if (count <= 0) errors.push(fieldInvalid(field, count, "must be greater than zero"));
    return;
  }
  const detail = `must not be specified when allocationMode is '${mode}'`;
  if (Number(count) !== 0) errors.push(fieldInvalid(field, count, detail));
}
