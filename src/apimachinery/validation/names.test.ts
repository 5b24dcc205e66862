import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { messagesIn } from "../../../test/field-errors.ts";
import { StepCounter } from "../../../test/steps.ts";
import type { Wording } from "../errors/wording.ts";
import {
  dns1035LabelMessages,
  dns1035LabelName,
  dnsLabelMessages,
  dnsLabelName,
  dnsSubdomainMessages,
  dnsSubdomainName,
  maskTrailingDash,
  type NameForm,
  pathSegmentName,
  wildcardSubdomainMessages,
} from "./names.ts";

const label =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const subdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const label1035 =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";
const wildcard =
  "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character (e.g. '*.example.com', regex used for validation is '\\*\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

type Check = (text: string) => readonly Wording[];

describe("a name", () => {
  test.each<[string, Check, string, readonly string[]]>([
    ["label", dnsLabelMessages, "web-0", []],
    ["label", dnsLabelMessages, "0", []],
    ["label", dnsLabelMessages, "", [label]],
    ["label", dnsLabelMessages, "-web", [label]],
    ["label", dnsLabelMessages, "web-", [label]],
    ["label", dnsLabelMessages, "Web", [label]],
    ["label", dnsLabelMessages, "a.b", ["must not contain dots"]],
    ["label", dnsLabelMessages, "a".repeat(63), []],
    ["label", dnsLabelMessages, "a".repeat(64), ["must be no more than 63 characters"]],
    ["label", dnsLabelMessages, "é".repeat(32), ["must be no more than 63 characters", label]],
    ["subdomain", dnsSubdomainMessages, "a.b-c.d", []],
    ["subdomain", dnsSubdomainMessages, "", [subdomain]],
    ["subdomain", dnsSubdomainMessages, "a..b", [subdomain]],
    ["subdomain", dnsSubdomainMessages, "a.-b", [subdomain]],
    ["subdomain", dnsSubdomainMessages, "a-.b", [subdomain]],
    ["subdomain", dnsSubdomainMessages, "a.", [subdomain]],
    ["subdomain", dnsSubdomainMessages, "a\n", [subdomain]],
    ["subdomain", dnsSubdomainMessages, "a".repeat(254), ["must be no more than 253 characters"]],
    ["1035 label", dns1035LabelMessages, "a0", []],
    ["1035 label", dns1035LabelMessages, "0a", [label1035]],
    ["1035 label", dns1035LabelMessages, "a.b", [label1035]],
    ["wildcard", wildcardSubdomainMessages, "*.a.b", []],
    ["wildcard", wildcardSubdomainMessages, "*", [wildcard]],
    ["wildcard", wildcardSubdomainMessages, "*.*.a", [wildcard]],
    ["wildcard", wildcardSubdomainMessages, "a.b", [wildcard]],
  ])("as a %s: %#", (_title, check, text, expected) => {
    expect(messagesIn("1.33", check(text))).toEqual(expected);
  });

  test("is valid exactly if the regular expression matches", () => {
    const regex = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
    const text = fc.string({ unit: fc.constantFrom("a", "z", "0", "9", "-", ".", "A", "_", "é", "\n") });
    fc.assert(
      fc.property(text, (value) => {
        expect(dnsSubdomainMessages(value).length === 0).toBe(regex.test(value));
        const isLabel = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(value);
        expect(dnsLabelMessages(value).length === 0).toBe(isLabel);
        const is1035Label = /^[a-z]([-a-z0-9]*[a-z0-9])?$/.test(value);
        expect(dns1035LabelMessages(value).length === 0).toBe(is1035Label);
      }),
      { numRuns: 1000 },
    );
  });

  test("is checked in linear time", () => {
    const check = (size: number) => dnsSubdomainMessages(`${"a-".repeat(size)}!`);
    expect(check(1_000_000)).toHaveLength(2);
    using counter = new StepCounter();
    expect(counter.growthOf(check, 5_000)).toBeLessThan(2.5);
  });
});

describe("a generateName", () => {
  test.each([
    ["web-", "wea"],
    ["-", "-"],
    ["web", "web"],
    ["", ""],
  ])("%j is validated as %j", (prefix, expected) => {
    expect(maskTrailingDash(prefix)).toBe(expected);
  });

  test("may end in a dash", () => {
    for (const validate of [dnsSubdomainName, dnsLabelName, dns1035LabelName]) {
      expect(validate("web-", "generateName")).toEqual([]);
      expect(validate("web-", "name")).toHaveLength(1);
    }
  });
});

describe("a path segment", () => {
  test.each<[string, NameForm, readonly string[]]>([
    ["system:node", "name", []],
    [".", "name", ["may not be '.'"]],
    ["..", "name", ["may not be '..'"]],
    [".", "generateName", []],
    ["a/b", "name", ["may not contain '/'"]],
    ["a/b%", "generateName", ["may not contain '/'", "may not contain '%'"]],
  ])("%j as a %s", (name, form, expected) => {
    expect(pathSegmentName(name, form)).toEqual(expected);
  });
});
