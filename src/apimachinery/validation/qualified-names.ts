import { type Wording, worded } from "../errors/wording.ts";
import { exceeds, formatError, tooLong, VALID } from "./format-messages.ts";
import { dnsSubdomainMessages } from "./names.ts";

const QUALIFIED_NAME_RULE = formatError(
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]",
  ["MyName", "my.name", "123-abc"],
);
const LABEL_VALUE_MESSAGE = formatError(
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  "(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?",
  ["MyValue", "my_value", "12345"],
);
const TOO_MANY_PARTS = `a qualified name ${QUALIFIED_NAME_RULE} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`;

const NAME_MAX = 63;
const ALPHANUMERIC = /^[A-Za-z0-9]$/;
const NAME_CHARACTERS = /^[-A-Za-z0-9_.]+$/;

/** Validates a name with an optional DNS subdomain as its prefix: the keys of labels and annotations, finalizers. */
export function qualifiedNameMessages(text: string): readonly Wording[] {
  const slash = text.indexOf("/");
  if (slash < 0) return namePartErrors(text);
  if (text.indexOf("/", slash + 1) >= 0) return [TOO_MANY_PARTS];
  const prefixErrors = prefixPartErrors(text.slice(0, slash));
  const nameErrors = namePartErrors(text.slice(slash + 1));
  return prefixErrors.length === 0 ? nameErrors : [...prefixErrors, ...nameErrors];
}

/** Validates the value of a label, which may be empty. */
export function labelValueMessages(text: string): readonly string[] {
  const errors = tooLong(text, NAME_MAX);
  return text === "" || isName(text) ? errors : [...errors, LABEL_VALUE_MESSAGE];
}

function prefixPartErrors(prefix: string): readonly Wording[] {
  if (prefix === "") return ["prefix part must be non-empty"];
  return dnsSubdomainMessages(prefix).map((message) => worded`prefix part ${message}`);
}

function namePartErrors(name: string): readonly string[] {
  if (name === "") return ["name part must be non-empty", `name part ${QUALIFIED_NAME_RULE}`];
  if (isName(name) && name.length <= NAME_MAX) return VALID;
  const errors: string[] = [];
  if (exceeds(name, NAME_MAX)) errors.push(`name part must be no more than ${NAME_MAX} characters`);
  if (!isName(name)) errors.push(`name part ${QUALIFIED_NAME_RULE}`);
  return errors;
}

function isName(text: string): boolean {
  return (
    NAME_CHARACTERS.test(text) &&
    ALPHANUMERIC.test(text.charAt(0)) &&
    ALPHANUMERIC.test(text.charAt(text.length - 1))
  );
}
