import { describe, expect, test } from "vitest";
import { messagesIn } from "../../../test/field-errors.ts";
import type { Wording } from "../errors/wording.ts";
import { labelValueMessages, qualifiedNameMessages } from "./qualified-names.ts";
import {
  cidrMessages,
  configKeyMessages,
  envVarNameMessages,
  httpHeaderNameMessages,
  ipMessages,
  percentMessages,
  portNameMessages,
  portNumberMessages,
  relaxedEnvVarNameMessages,
} from "./value-formats.ts";

const nameRule =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const subdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const labelValue =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
const configKey =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";
const envVarName =
  "a valid environment variable name must consist of alphabetic characters, digits, '_', '-', or '.', and must not start with a digit (e.g. 'my.env-name',  or 'MY_ENV.NAME',  or 'MyEnvName1', regex used for validation is '[-._a-zA-Z][-._a-zA-Z0-9]*')";
const relaxedEnvVarName =
  "a valid environment variable name must consist only of printable ASCII characters other than '='";
const percent =
  "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";
const charset = "must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)";
const letter = "must contain at least one letter (a-z)";

type Check = (text: string) => readonly Wording[];

describe("a value", () => {
  test.each<[string, Check, string, readonly string[]]>([
    ["qualified name", qualifiedNameMessages, "app.kubernetes.io/Name_1", []],
    ["qualified name", qualifiedNameMessages, "a", []],
    ["qualified name", qualifiedNameMessages, "", ["name part must be non-empty", `name part ${nameRule}`]],
    ["qualified name", qualifiedNameMessages, "-a", [`name part ${nameRule}`]],
    [
      "qualified name",
      qualifiedNameMessages,
      "a".repeat(64),
      ["name part must be no more than 63 characters"],
    ],
    ["qualified name", qualifiedNameMessages, "/a", ["prefix part must be non-empty"]],
    ["qualified name", qualifiedNameMessages, "A/-", [`prefix part ${subdomain}`, `name part ${nameRule}`]],
    [
      "qualified name",
      qualifiedNameMessages,
      "a/b/c",
      [
        `a qualified name ${nameRule} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
      ],
    ],
    ["label value", labelValueMessages, "", []],
    ["label value", labelValueMessages, "A_b.c-1", []],
    ["label value", labelValueMessages, "a b", [labelValue]],
    ["label value", labelValueMessages, "a".repeat(64), ["must be no more than 63 characters"]],
    ["label value", labelValueMessages, "_".repeat(64), ["must be no more than 63 characters", labelValue]],
    ["port name", portNameMessages, "http-1", []],
    ["port name", portNameMessages, "", [charset, letter]],
    [
      "port name",
      portNameMessages,
      "-1--2-",
      [letter, "must not contain consecutive hyphens", "must not begin or end with a hyphen"],
    ],
    ["port name", portNameMessages, "a".repeat(16), ["must be no more than 15 characters"]],
    ["port name", portNameMessages, "HTTP", [charset, letter]],
    ["config key", configKeyMessages, "a.b_C-1", []],
    ["config key", configKeyMessages, "", [configKey]],
    ["config key", configKeyMessages, ".", ["must not be '.'"]],
    ["config key", configKeyMessages, "..", ["must not be '..'"]],
    ["config key", configKeyMessages, "..a", ["must not start with '..'"]],
    ["config key", configKeyMessages, "a".repeat(254), ["must be no more than 253 characters"]],
    ["environment variable", relaxedEnvVarNameMessages, "1 ~", []],
    ["environment variable", relaxedEnvVarNameMessages, "", ["environment variable name must be non-empty"]],
    ["environment variable", relaxedEnvVarNameMessages, "a=b", [relaxedEnvVarName]],
    ["environment variable", relaxedEnvVarNameMessages, "é", [relaxedEnvVarName]],
    ["strict environment variable", envVarNameMessages, "A_1", []],
    ["strict environment variable", envVarNameMessages, "1A", [envVarName]],
    ["strict environment variable", envVarNameMessages, "..", ["must not be '..'"]],
    ["percent", percentMessages, "25%", []],
    ["percent", percentMessages, "a%", [percent]],
    ["header name", httpHeaderNameMessages, "X-A1", []],
    ["address", ipMessages, "1.2.3.4", []],
    ["address", ipMessages, "1.2.3", ["must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"]],
    ["network", cidrMessages, "10.0.0.0/8", []],
    [
      "network",
      cidrMessages,
      "10.0.0.0",
      ["must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)"],
    ],
  ])("as a %s: %#", (_title, check, text, expected) => {
    expect(messagesIn("1.33", check(text))).toEqual(expected);
  });

  test("as a port is between 1 and 65535", () => {
    expect([1, 65535].flatMap(portNumberMessages)).toEqual([]);
    expect([0, 65536].map(portNumberMessages)).toEqual([
      ["must be between 1 and 65535, inclusive"],
      ["must be between 1 and 65535, inclusive"],
    ]);
  });
});
