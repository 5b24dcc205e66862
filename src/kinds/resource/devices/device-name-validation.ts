import {
  type FieldError,
  fieldInvalid,
  fieldRequired,
  fieldTooLong,
  fieldTypeInvalid,
} from "../../../apimachinery/errors/field.ts";
import { utf8Length } from "../../../apimachinery/utf8.ts";
import { child } from "../../../apimachinery/validation/field-path.ts";
import { formatError } from "../../../apimachinery/validation/format-messages.ts";
import { dnsLabelMessages, dnsSubdomainMessages } from "../../../apimachinery/validation/names.ts";
import { addDriverName } from "../../pod-spec/validation/volume-sources.ts";

const maxPoolNameLength = 253;
const maxIdentifierLength = 32;
const identifierFormat = "[A-Za-z_][A-Za-z0-9_]*";
const identifier = new RegExp(`^${identifierFormat}$`);
const identifierMessage = formatError(
  "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_'",
  identifierFormat,
  ["my_name", "MY_NAME", "MyName"],
);

/** Validates the name of a driver by the rule for CSI drivers. */
export function driverNameErrors(name: string, field: string): FieldError[] {
  const errors: FieldError[] = [];
  addDriverName(errors, name, field);
  return errors;
}

/** Validates the name of a pool: subdomains, separated by slashes. */
export function poolNameErrors(name: string, field: string): FieldError[] {
  if (name === "") return [fieldRequired(field)];
  const errors = utf8Length(name) > maxPoolNameLength ? [fieldTooLong(field, maxPoolNameLength)] : [];
  const parts = name.split("/");
  return [
    ...errors,
    ...parts.flatMap((part) =>
      dnsSubdomainMessages(part).map((message) => fieldInvalid(field, part, message)),
    ),
  ];
}

/** Validates the name of a device or of a request: a DNS label. */
export function labelNameErrors(name: string, field: string): FieldError[] {
  return dnsLabelMessages(name).map((message) => fieldInvalid(field, name, message));
}

/** Validates the name of an attribute: a C identifier with an optional domain as its prefix. */
export function attributeNameErrors(name: string, field: string): FieldError[] {
  if (name === "") return [fieldRequired(field, "name required")];
  const [domain = "", id, ...rest] = name.split("/");
  if (id === undefined) return identifierErrors(name, field);
  // As upstream, a name with more than one slash is not validated.
  if (rest.length > 0) return [];
  return [
    ...(domain === ""
      ? [fieldRequired(field, "the prefix must not be empty")]
      : driverNameErrors(domain, field)),
    ...(id === "" ? [fieldRequired(field, "the name must not be empty")] : identifierErrors(id, field)),
  ];
}

/** Validates the name of an attribute that requires a domain. */
export function qualifiedAttributeErrors(name: string, field: string): FieldError[] {
  const errors = attributeNameErrors(name, field);
  if (name.includes("/")) return errors;
  return [...errors, fieldRequired(child(field, "domain"), "must include a prefix")];
}

function identifierErrors(id: string, field: string): FieldError[] {
  const errors = utf8Length(id) > maxIdentifierLength ? [fieldTooLong(field, maxIdentifierLength)] : [];
  return identifier.test(id) ? errors : [...errors, fieldTypeInvalid(field, id, identifierMessage)];
}
