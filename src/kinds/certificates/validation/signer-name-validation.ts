import { fieldInvalid, fieldRequired, fieldTooLong } from "../../../apimachinery/errors/field.ts";
import { type Wording, worded } from "../../../apimachinery/errors/wording.ts";
import { goQuote } from "../../../apimachinery/go/go-quote.ts";
import { utf8Length } from "../../../apimachinery/utf8.ts";
import { addAll, type Findings } from "../../../apimachinery/validation/findings.ts";
import { dnsLabelMessages, dnsSubdomainMessages } from "../../../apimachinery/validation/names.ts";

const maxDomainLength = 253;
const maxNameLength = 571;

/**
 * Validates the name of a signer, `<domain>/<path>`. Only the first invalid label is reported. Upstream:
 * ValidateSignerName.
 */
export function addSignerNameErrors(errors: Findings, name: string, field: string): void {
  if (name === "") {
    errors.push(fieldRequired(field));
    return;
  }
  const segments = name.split("/");
  const [domain = "", path = ""] = segments;
  if (segments.length !== 2) {
    const detail = "must be a fully qualified domain and path of the form 'example.com/signer-name'";
    errors.push(fieldInvalid(field, name, detail));
    return;
  }
  const before = errors.length;
  if (utf8Length(domain) > maxDomainLength) errors.push(fieldTooLong(field, maxDomainLength));
  const labels = domain.split(".");
  const domainErrors: Findings = [];
  addFirstLabelErrors(domainErrors, labels, domain, dnsLabelMessages, field);
  if (domainErrors.length > 0) {
    addAll(errors, domainErrors);
    return;
  }
  if (labels.length < 2) {
    const detail = "should be a domain with at least two segments separated by dots";
    errors.push(fieldInvalid(field, domain, detail));
    return;
  }
  addFirstLabelErrors(errors, path.split("."), path, dnsSubdomainMessages, field);
  if (errors.length === before && utf8Length(name) > maxNameLength) {
    errors.push(fieldTooLong(field, maxNameLength));
  }
}

function addFirstLabelErrors(
  errors: Findings,
  labels: readonly string[],
  segment: string,
  messagesOf: (label: string) => readonly Wording[],
  field: string,
): void {
  const label = labels.find((candidate) => messagesOf(candidate).length > 0);
  if (label === undefined) return;
  for (const message of messagesOf(label)) {
    errors.push(fieldInvalid(field, segment, worded`validating label ${goQuote(label)}: ${message}`));
  }
}
