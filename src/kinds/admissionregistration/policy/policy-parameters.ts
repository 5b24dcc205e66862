import {
  type FieldError,
  fieldForbidden,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
} from "../../../apimachinery/errors/field.ts";
import { joinedWording, type Wording, worded } from "../../../apimachinery/errors/wording.ts";
import { objectAt, textAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { labelSelectorErrors } from "../../../apimachinery/selectors/label-selector-object.ts";
import { child } from "../../../apimachinery/validation/field-path.ts";
import {
  dns1035LabelMessages,
  dnsSubdomainMessages,
  pathSegmentName,
} from "../../../apimachinery/validation/names.ts";

const notFoundActions = ["Deny", "Allow"];
const eitherOr = "name and selector are mutually exclusive";

/** Validates the paramKind of a policy. Upstream: validateParamKind. */
export function paramKindErrors(paramKind: JsonObject, field: string): FieldError[] {
  return [
    ...apiVersionErrors(textAt(paramKind, "apiVersion"), child(field, "apiVersion")),
    ...kindErrors(textAt(paramKind, "kind"), child(field, "kind")),
  ];
}

function apiVersionErrors(apiVersion: string, field: string): FieldError[] {
  if (apiVersion === "") return [fieldRequired(field)];
  const parts = apiVersion.split("/");
  if (parts.length > 2) {
    return [fieldInvalid(field, apiVersion, `unexpected GroupVersion string: ${apiVersion}`)];
  }
  const version = parts.at(-1) ?? "";
  const group = parts.length === 2 ? (parts[0] ?? "") : "";
  const errors = group === "" ? [] : joined(dnsSubdomainMessages(group), field, group);
  if (version === "") return [...errors, fieldInvalid(field, apiVersion, "version must be specified")];
  return [...errors, ...joined(dns1035LabelMessages(version), field, version)];
}

function kindErrors(kind: string, field: string): FieldError[] {
  if (kind === "") return [fieldRequired(field)];
  const messages = dns1035LabelMessages(kind.toLowerCase());
  return joined(messages, field, kind, "may have mixed case, but should otherwise match: ");
}

/** All messages as one error. */
function joined(messages: readonly Wording[], field: string, value: string, before = ""): FieldError[] {
  return messages.length === 0
    ? []
    : [fieldInvalid(field, value, worded`${before}${joinedWording(messages, ",")}`)];
}

/** Validates the paramRef of a binding, which has a name or a selector. Upstream: validateParamRef. */
export function paramRefErrors(ref: JsonObject, field: string): FieldError[] {
  const name = textAt(ref, "name");
  const selector = objectAt(ref, "selector");
  const hasBoth = name !== "" && selector !== undefined;
  const messages = name === "" ? [] : pathSegmentName(name, false);
  return [
    ...messages.map((message) => fieldInvalid(child(field, "name"), name, message)),
    ...(hasBoth ? [fieldForbidden(child(field, "name"), eitherOr)] : []),
    ...labelSelectorErrors(selector, child(field, "selector")),
    ...(hasBoth ? [fieldForbidden(child(field, "selector"), eitherOr)] : []),
    ...(name === "" && selector === undefined
      ? [fieldRequired(field, "one of name or selector must be specified")]
      : []),
    ...notFoundErrors(textAt(ref, "parameterNotFoundAction"), child(field, "parameterNotFoundAction")),
  ];
}

function notFoundErrors(action: string, field: string): FieldError[] {
  if (action === "") return [fieldRequired(field)];
  return notFoundActions.includes(action) ? [] : [fieldNotSupported(field, action, notFoundActions)];
}
