import {
  fieldForbidden,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
} from "../../../apimachinery/errors/field.ts";
import { joinedWording, type Wording, worded } from "../../../apimachinery/errors/wording.ts";
import { objectAt, textAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { addLabelSelectorErrors } from "../../../apimachinery/selectors/label-selector-object.ts";
import { child } from "../../../apimachinery/validation/field-path.ts";
import { addInvalid, type Findings } from "../../../apimachinery/validation/findings.ts";
import {
  dns1035LabelMessages,
  dnsSubdomainMessages,
  pathSegmentName,
} from "../../../apimachinery/validation/names.ts";

const notFoundActions = ["Deny", "Allow"];
const eitherOr = "name and selector are mutually exclusive";

/** Validates the paramKind of a policy. Upstream: validateParamKind. */
export function addParamKindErrors(errors: Findings, paramKind: JsonObject, field: string): void {
  addApiVersionErrors(errors, textAt(paramKind, "apiVersion"), child(field, "apiVersion"));
  addKindErrors(errors, textAt(paramKind, "kind"), child(field, "kind"));
}

function addApiVersionErrors(errors: Findings, apiVersion: string, field: string): void {
  if (apiVersion === "") {
    errors.push(fieldRequired(field));
    return;
  }
  const parts = apiVersion.split("/");
  if (parts.length > 2) {
    errors.push(fieldInvalid(field, apiVersion, `unexpected GroupVersion string: ${apiVersion}`));
    return;
  }
  const version = parts.at(-1) ?? "";
  const group = parts.length === 2 ? (parts[0] ?? "") : "";
  if (group !== "") addJoined(errors, dnsSubdomainMessages(group), field, group);
  if (version === "") errors.push(fieldInvalid(field, apiVersion, "version must be specified"));
  else addJoined(errors, dns1035LabelMessages(version), field, version);
}

function addKindErrors(errors: Findings, kind: string, field: string): void {
  if (kind === "") {
    errors.push(fieldRequired(field));
    return;
  }
  const messages = dns1035LabelMessages(kind.toLowerCase());
  addJoined(errors, messages, field, kind, "may have mixed case, but should otherwise match: ");
}

/** Adds all messages as one error. */
function addJoined(
  errors: Findings,
  messages: readonly Wording[],
  field: string,
  value: string,
  before = "",
): void {
  if (messages.length !== 0) {
    errors.push(fieldInvalid(field, value, worded`${before}${joinedWording(messages, ",")}`));
  }
}

/** Validates the paramRef of a binding, which has a name or a selector. Upstream: validateParamRef. */
export function addParamRefErrors(errors: Findings, ref: JsonObject, field: string): void {
  const name = textAt(ref, "name");
  const selector = objectAt(ref, "selector");
  const hasBoth = name !== "" && selector !== undefined;
  const messages = name === "" ? [] : pathSegmentName(name, "name");
  addInvalid(errors, child(field, "name"), name, messages);
  if (hasBoth) errors.push(fieldForbidden(child(field, "name"), eitherOr));
  addLabelSelectorErrors(errors, selector, child(field, "selector"));
  if (hasBoth) errors.push(fieldForbidden(child(field, "selector"), eitherOr));
  if (name === "" && selector === undefined) {
    errors.push(fieldRequired(field, "one of name or selector must be specified"));
  }
  addNotFoundErrors(errors, textAt(ref, "parameterNotFoundAction"), child(field, "parameterNotFoundAction"));
}

function addNotFoundErrors(errors: Findings, action: string, field: string): void {
  if (action === "") errors.push(fieldRequired(field));
  else if (!notFoundActions.includes(action)) errors.push(fieldNotSupported(field, action, notFoundActions));
}
