import { type FieldError, fieldInvalid, fieldRequired } from "../errors/field.ts";
import { formatError } from "./format-messages.ts";
import { dnsSubdomainMessages } from "./names.ts";

const pathFormat = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";
const pathCharacters = new RegExp(`^${pathFormat}$`);

/** Validates the name of a controller, which has a domain as its prefix: `acme.io/foo`. */
export function domainPrefixedPathErrors(text: string, field: string): FieldError[] {
  if (text === "") return [fieldRequired(field)];
  const slash = text.indexOf("/");
  const host = text.slice(0, slash);
  const path = text.slice(slash + 1);
  if (slash < 1 || path === "") {
    return [fieldInvalid(field, text, 'must be a domain-prefixed path (such as "acme.io/foo")')];
  }
  const errors = dnsSubdomainMessages(host).map((message) => fieldInvalid(field, host, message));
  if (!pathCharacters.test(path)) {
    errors.push(fieldInvalid(field, path, formatError("Invalid path", pathFormat, [])));
  }
  return errors;
}
