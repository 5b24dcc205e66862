import type { Wording } from "../errors/wording.ts";
import { parseCidr, parseIp } from "../ip.ts";
import { formatError, inclusiveRange, tooLong, VALID } from "./format-messages.ts";

const CONFIG_KEY_MESSAGE = formatError(
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
  "[-._a-zA-Z0-9]+",
  ["key.name", "KEY_NAME", "key-name"],
);
const ENV_VAR_NAME_MESSAGE = formatError(
  "a valid environment variable name must consist of alphabetic characters, digits, '_', '-', or '.', and must not start with a digit",
  "[-._a-zA-Z][-._a-zA-Z0-9]*",
  ["my.env-name", "MY_ENV.NAME", "MyEnvName1"],
);
const RELAXED_ENV_VAR_NAME_MESSAGE =
  "a valid environment variable name must consist only of printable ASCII characters other than '='";
const PERCENT_MESSAGE = formatError(
  "a valid percent string must be a numeric string followed by an ending '%'",
  "[0-9]+%",
  ["1%", "93%"],
);
const HTTP_HEADER_NAME_MESSAGE = formatError(
  "a valid HTTP header must consist of alphanumeric characters or '-'",
  "[-A-Za-z0-9]+",
  ["X-Header-Name"],
);

const NO_LETTER_MESSAGE: Wording = (since) =>
  `must contain at least one letter ${since("1.25") ? "(a-z)" : "or number (a-z, 0-9)"}`;
const IP_MESSAGE: Wording = (since) =>
  `must be a valid IP address, (e.g. 10.9.8.7${since("1.20") ? " or 2001:db8::ffff" : ""})`;

/** Validates a port number. */
export function portNumberMessages(port: number): readonly string[] {
  return port >= 1 && port <= 65535 ? VALID : [inclusiveRange(1, 65535)];
}

/** Validates a port name (RFC 6335, lower case only). */
export function portNameMessages(text: string): readonly Wording[] {
  const errors: Wording[] = [...tooLong(text, 15)];
  if (!/^[-a-z0-9]+$/.test(text)) {
    errors.push("must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)");
  }
  if (!/[a-z]/.test(text)) errors.push(NO_LETTER_MESSAGE);
  if (text.includes("--")) errors.push("must not contain consecutive hyphens");
  if (text.startsWith("-") || text.endsWith("-")) errors.push("must not begin or end with a hyphen");
  return errors;
}

/** Validates a key in the data of a ConfigMap or Secret. */
export function configKeyMessages(text: string): readonly string[] {
  const errors = [...tooLong(text, 253)];
  if (!/^[-._a-zA-Z0-9]+$/.test(text)) errors.push(CONFIG_KEY_MESSAGE);
  return [...errors, ...parentDirectoryErrors(text)];
}

/** Validates the name of an environment variable by the relaxed rule, which applies since 1.30. */
export function relaxedEnvVarNameMessages(text: string): readonly string[] {
  if (text === "") return ["environment variable name must be non-empty"];
  return /^[ -<>-~]+$/.test(text) ? VALID : [RELAXED_ENV_VAR_NAME_MESSAGE];
}

/** Validates the name of an environment variable by the strict rule. */
export function envVarNameMessages(text: string): readonly string[] {
  const isName = /^[-._a-zA-Z][-._a-zA-Z0-9]*$/.test(text);
  return [...(isName ? VALID : [ENV_VAR_NAME_MESSAGE]), ...parentDirectoryErrors(text)];
}

/** Validates a percentage such as `25%`. */
export function percentMessages(text: string): readonly string[] {
  return /^[0-9]+%$/.test(text) ? VALID : [PERCENT_MESSAGE];
}

/** Validates the name of an HTTP header. */
export function httpHeaderNameMessages(text: string): readonly string[] {
  return /^[-A-Za-z0-9]+$/.test(text) ? VALID : [HTTP_HEADER_NAME_MESSAGE];
}

/** Validates an IP address. Leading zeros are accepted. */
export function ipMessages(text: string): readonly Wording[] {
  return parseIp(text) ? VALID : [IP_MESSAGE];
}

/** Validates an address with a prefix length. */
export function cidrMessages(text: string): readonly string[] {
  return parseCidr(text) ? VALID : ["must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)"];
}

/** A key becomes a file name in a volume, so it must not be a path to a parent directory. */
function parentDirectoryErrors(text: string): readonly string[] {
  if (text === "." || text === "..") return [`must not be '${text}'`];
  return text.startsWith("..") ? ["must not start with '..'"] : VALID;
}
