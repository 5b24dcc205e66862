import type { Wording } from "../errors/wording.ts";
import type { Since } from "../release.ts";
import { formatError, tooLong, VALID } from "./format-messages.ts";

const LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const SUBDOMAIN = `${LABEL}(\\.${LABEL})*`;
const LABEL_1035 = "[a-z]([-a-z0-9]*[a-z0-9])?";

const LABEL_RULE = formatError(
  "label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
  LABEL,
  ["my-name", "123-abc"],
);
const SUBDOMAIN_RULE = formatError(
  "subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
  SUBDOMAIN,
  ["example.com"],
);
const LABEL_MESSAGE = dns1123Message(LABEL_RULE);
const SUBDOMAIN_MESSAGE = dns1123Message(SUBDOMAIN_RULE);
const DOTS_MESSAGE: Wording = (since) => (since("1.27") ? "must not contain dots" : LABEL_MESSAGE(since));
const LABEL_1035_MESSAGE = formatError(
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
  LABEL_1035,
  ["my-name", "abc-123"],
);
const WILDCARD_MESSAGE = formatError(
  "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character",
  `\\*\\.${SUBDOMAIN}`,
  ["*.example.com"],
);

const LABEL_MAX = 63;
const SUBDOMAIN_MAX = 253;

const HYPHEN = 0x2d;
const DOT = 0x2e;

/** Validates a DNS label (RFC 1123). As in all functions for formats, no message means that the text is valid. */
export function dnsLabelMessages(text: string): readonly Wording[] {
  const errors = tooLong(text, LABEL_MAX);
  if (isLabel(text)) return errors;
  return [...errors, isSubdomain(text) ? DOTS_MESSAGE : LABEL_MESSAGE];
}

/** Validates a DNS subdomain (RFC 1123). */
export function dnsSubdomainMessages(text: string): readonly Wording[] {
  const errors = tooLong(text, SUBDOMAIN_MAX);
  return isSubdomain(text) ? errors : [...errors, SUBDOMAIN_MESSAGE];
}

/** Validates a DNS label (RFC 1035), which starts with a letter. */
export function dns1035LabelMessages(text: string): readonly string[] {
  const errors = tooLong(text, LABEL_MAX);
  return isLabel(text) && !startsWithDigit(text) ? errors : [...errors, LABEL_1035_MESSAGE];
}

/** Validates a subdomain that starts with `*.`. */
export function wildcardSubdomainMessages(text: string): readonly string[] {
  const errors = tooLong(text, SUBDOMAIN_MAX);
  const isWildcard = text.startsWith("*.") && isSubdomain(text.slice(2));
  return isWildcard ? errors : [...errors, WILDCARD_MESSAGE];
}

/** Which of its two names an object is validated by: a generateName may end with a dash. */
export type NameForm = "name" | "generateName";

/** Validates the name of an object, or its generateName. */
export type NameValidator = (name: string, form: NameForm) => readonly Wording[];

/** The rule for the names of most kinds. */
export const dnsSubdomainName: NameValidator = (name, form) => dnsSubdomainMessages(masked(name, form));

/** The rule for names that become part of host names, such as those of namespaces. */
export const dnsLabelName: NameValidator = (name, form) => dnsLabelMessages(masked(name, form));

/** The rule for the names of services, which become part of environment variables. */
export const dns1035LabelName: NameValidator = (name, form) => dns1035LabelMessages(masked(name, form));

/** The rule for names that only have to be a path segment of a URL: roles, bindings, and every name in storage. */
export const pathSegmentName = (name: string, form: NameForm): readonly string[] => {
  if (form === "name" && (name === "." || name === "..")) return [`may not be '${name}'`];
  const hasSlash = name.includes("/");
  const hasPercent = name.includes("%");
  if (!hasSlash && !hasPercent) return VALID;
  const errors: string[] = [];
  if (hasSlash) errors.push("may not contain '/'");
  if (hasPercent) errors.push("may not contain '%'");
  return errors;
};

function masked(name: string, form: NameForm): string {
  return form === "generateName" ? maskTrailingDash(name) : name;
}

/**
 * Replaces the dash at the end of a generateName, where a name cannot have one: the generated suffix does not start
 * with a dash.
 */
export function maskTrailingDash(prefix: string): string {
  return prefix.length > 1 && prefix.endsWith("-") ? `${prefix.slice(0, -2)}a` : prefix;
}

function dns1123Message(rule: string): (since: Since) => string {
  return (since) => `${since("1.20") ? "a lowercase RFC 1123" : "a DNS-1123"} ${rule}`;
}

function isLabel(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code >= 0x61 && code <= 0x7a) continue;
    if (!isDigit(code) && (code !== HYPHEN || i === 0)) return false;
  }
  return text.length > 0 && text.charCodeAt(text.length - 1) !== HYPHEN;
}

/**
 * Labels separated by dots. A dot or a hyphen cannot be at the start or after a dot, and a dot cannot follow a
 * hyphen.
 */
function isSubdomain(text: string): boolean {
  let previous = DOT;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const isLetter = code >= 0x61 && code <= 0x7a;
    if (code === DOT) {
      if (previous === DOT || previous === HYPHEN) return false;
    } else if (code === HYPHEN) {
      if (previous === DOT) return false;
    } else if (!isLetter && !isDigit(code)) {
      return false;
    }
    previous = code;
  }
  return previous !== DOT && previous !== HYPHEN;
}

function startsWithDigit(text: string): boolean {
  return text.charCodeAt(0) < 0x61;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}
