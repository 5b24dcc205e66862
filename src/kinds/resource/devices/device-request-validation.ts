import {
  type FieldError,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
  fieldTooLong,
} from "../../../apimachinery/errors/field.ts";
import { integerAt, listAt, objectAt, textAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { utf8Length } from "../../../apimachinery/utf8.ts";
import { child } from "../../../apimachinery/validation/field-path.ts";
import { dnsSubdomainMessages } from "../../../apimachinery/validation/names.ts";
import { boundedListErrors, duplicateErrors } from "./bounded-list-validation.ts";
import type { DeviceForm } from "./device-form.ts";
import { labelNameErrors } from "./device-name-validation.ts";

const maxSelectors = 32;
const maxSubrequests = 8;
const maxExpressionLength = 10 * 1024;
const allocationModes = ["All", "ExactCount"];
const eitherOr = "exactly one of `exactly` or `firstAvailable` is required";

/**
 * Validates a request for devices. In early versions it is an exact request itself, unless it has `firstAvailable`;
 * later ones have the field `exactly`.
 */
export function deviceRequestErrors(request: JsonObject, at: string, form: DeviceForm): FieldError[] {
  const errors = labelNameErrors(textAt(request, "name"), child(at, "name"));
  const subrequests = listAt(request, "firstAvailable");
  const exactly = objectAt(request, "exactly");
  if (form === "late" && subrequests.length === 0 && exactly === undefined) {
    return [...errors, fieldRequired(at, eitherOr)];
  }
  if (subrequests.length > 0 && exactly !== undefined) {
    return [...errors, fieldInvalid(at, null, `${eitherOr}, but multiple fields are set`)];
  }
  if (subrequests.length > 0)
    return [...errors, ...subrequestErrors(subrequests, child(at, "firstAvailable"))];
  if (exactly !== undefined) return [...errors, ...classRequestErrors(exactly, child(at, "exactly"))];
  return [...errors, ...classRequestErrors(request, at)];
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

/** Validates device selectors, except for the compilation of their expressions. */
export function selectorErrors(selectors: readonly JsonObject[], field: string): FieldError[] {
  return boundedListErrors(selectors, maxSelectors, field, (selector, at) => {
    const cel = objectAt(selector, "cel");
    if (cel === undefined) return [fieldRequired(child(at, "cel"))];
    if (utf8Length(textAt(cel, "expression")) <= maxExpressionLength) return [];
    return [fieldTooLong(child(at, "cel", "expression"), maxExpressionLength)];
  });
}

function subrequestErrors(subrequests: readonly JsonObject[], field: string): FieldError[] {
  const names = subrequests.map((subrequest) => textAt(subrequest, "name"));
  return [
    ...boundedListErrors(subrequests, maxSubrequests, field, (subrequest, at) => [
      ...labelNameErrors(textAt(subrequest, "name"), child(at, "name")),
      ...classRequestErrors(subrequest, at),
    ]),
    ...duplicateErrors(names, field, "name"),
  ];
}

function classRequestErrors(request: JsonObject, at: string): FieldError[] {
  const name = textAt(request, "deviceClassName");
  const field = child(at, "deviceClassName");
  return [
    ...(name === ""
      ? [fieldRequired(field)]
      : dnsSubdomainMessages(name).map((message) => fieldInvalid(field, name, message))),
    ...selectorErrors(listAt(request, "selectors"), child(at, "selectors")),
    ...countErrors(request, at),
  ];
}

function countErrors(request: JsonObject, at: string): FieldError[] {
  const mode = textAt(request, "allocationMode");
  const count = integerAt(request, "count");
  const field = child(at, "count");
  if (!allocationModes.includes(mode)) {
    return [fieldNotSupported(child(at, "allocationMode"), mode, allocationModes)];
  }
  if (mode === "ExactCount")
    return count > 0 ? [] : [fieldInvalid(field, count, "must be greater than zero")];
  const detail = `must not be specified when allocationMode is '${mode}'`;
  return Number(count) === 0 ? [] : [fieldInvalid(field, count, detail)];
}
