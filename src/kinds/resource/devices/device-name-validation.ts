import { fieldRequired, fieldTooLong, fieldTypeInvalid } from "../../../apimachinery/errors/field.ts";
import { utf8Length } from "../../../apimachinery/utf8.ts";
import { child } from "../../../apimachinery/validation/field-path.ts";
import { addInvalid, type Findings } from "../../../apimachinery/validation/findings.ts";
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
export function addDriverNameErrors(errors: Findings, name: string, field: string): void {
  addDriverName(errors, name, field);
}

/** Validates the name of a pool: subdomains, separated by slashes. */
export function addPoolNameErrors(errors: Findings, name: string, field: string): void {
  if (name === "") {
    errors.push(fieldRequired(field));
    return;
  }
  if (utf8Length(name) > maxPoolNameLength) errors.push(fieldTooLong(field, maxPoolNameLength));
  const parts = name.split("/");
  for (const part of parts) addInvalid(errors, field, part, dnsSubdomainMessages(part));
}

/** Validates the name of a device or of a request: a DNS label. */
export function addLabelNameErrors(errors: Findings, name: string, field: string): void {
  addInvalid(errors, field, name, dnsLabelMessages(name));
}

/** Validates the name of an attribute: a C identifier with an optional domain as its prefix. */
export function addAttributeNameErrors(errors: Findings, name: string, field: string): void {
  if (name === "") {
    errors.push(fieldRequired(field, "name required"));
    return;
  }
  const [domain = "", id, ...rest] = name.split("/");
  if (id === undefined) {
    addIdentifierErrors(errors, name, field);
    return;
  }
  // As upstream, a name with more than one slash is not validated.
  if (rest.length > 0) return;
  if (domain === "") errors.push(fieldRequired(field, "the prefix must not be empty"));
  else addDriverNameErrors(errors, domain, field);
  if (id === "") errors.push(fieldRequired(field, "the name must not be empty"));
  else addIdentifierErrors(errors, id, field);
}

/** Validates the name of an attribute that requires a domain. */
export function addQualifiedAttributeErrors(errors: Findings, name: string, field: string): void {
  addAttributeNameErrors(errors, name, field);
  if (name.includes("/")) return;
  errors.push(fieldRequired(child(field, "domain"), "must include a prefix"));
}

function addIdentifierErrors(errors: Findings, id: string, field: string): void {
  if (utf8Length(id) > maxIdentifierLength) errors.push(fieldTooLong(field, maxIdentifierLength));
  if (!identifier.test(id)) errors.push(fieldTypeInvalid(field, id, identifierMessage));
}
