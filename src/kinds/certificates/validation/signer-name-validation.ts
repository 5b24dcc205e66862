import {
  type FieldError,
  fieldInvalid,
  fieldRequired,
  fieldTooLong,
} from "../../../apimachinery/errors/field.ts";
import { type Wording, worded } from "../../../apimachinery/errors/wording.ts";
import { goQuote } from "../../../apimachinery/go/go-quote.ts";
import { utf8Length } from "../../../apimachinery/utf8.ts";
import { dnsLabelMessages, dnsSubdomainMessages } from "../../../apimachinery/validation/names.ts";

const maxDomainLength = 253;
const maxNameLength = 571;

/**
 * Validates the name of a signer, `<domain>/<path>`. Only the first invalid label is reported. Upstream:
 * ValidateSignerName.
 */
export function signerNameErrors(name: string, field: string): FieldError[] {
  if (name === "") return [fieldRequired(field)];
  const segments = name.split("/");
  const [domain = "", path = ""] = segments;
  if (segments.length !== 2) {
    const detail = "must be a fully qualified domain and path of the form 'example.com/signer-name'";
    return [fieldInvalid(field, name, detail)];
  }
  const errors = utf8Length(domain) > maxDomainLength ? [fieldTooLong(field, maxDomainLength)] : [];
  const labels = domain.split(".");
  const domainErrors = firstLabelErrors(labels, domain, dnsLabelMessages, field);
  if (domainErrors.length > 0) return [...errors, ...domainErrors];
  if (labels.length < 2) {
    const detail = "should be a domain with at least two segments separated by dots";
    return [...errors, fieldInvalid(field, domain, detail)];
  }
  errors.push(...firstLabelErrors(path.split("."), path, dnsSubdomainMessages, field));
  if (errors.length === 0 && utf8Length(name) > maxNameLength)
    errors.push(fieldTooLong(field, maxNameLength));
  return errors;
}

function firstLabelErrors(
  labels: readonly string[],
  segment: string,
  messagesOf: (label: string) => readonly Wording[],
  field: string,
): FieldError[] {
  const label = labels.find((candidate) => messagesOf(candidate).length > 0);
  if (label === undefined) return [];
  return messagesOf(label).map((message) =>
    fieldInvalid(field, segment, worded`validating label ${goQuote(label)}: ${message}`),
  );
}
