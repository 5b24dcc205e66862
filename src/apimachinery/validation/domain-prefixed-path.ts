import { fieldInvalid, fieldRequired } from "../errors/field.ts";
import { addInvalid, type Findings } from "./findings.ts";
import { formatError } from "./format-messages.ts";
import { dnsSubdomainMessages } from "./names.ts";

const pathFormat = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";
const pathCharacters = new RegExp(`^${pathFormat}$`);

/** Validates the name of a controller, which has a domain as its prefix: `acme.io/foo`. */
export function addDomainPrefixedPathErrors(errors: Findings, text: string, field: string): void {
  if (text === "") {
    errors.push(fieldRequired(field));
    return;
  }
  const slash = text.indexOf("/");
  const host = text.slice(0, slash);
  const path = text.slice(slash + 1);
  if (slash < 1 || path === "") {
    errors.push(fieldInvalid(field, text, 'must be a domain-prefixed path (such as "acme.io/foo")'));
    return;
  }
  addInvalid(errors, field, host, dnsSubdomainMessages(host));
  if (!pathCharacters.test(path)) {
    errors.push(fieldInvalid(field, path, formatError("Invalid path", pathFormat, [])));
  }
}
