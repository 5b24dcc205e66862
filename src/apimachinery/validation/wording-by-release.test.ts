import { expect, test } from "vitest";
import { internalTypes, metaV1 } from "../../schema/internal-types.ts";
import {
  aggregateMessage,
  type FieldError,
  fieldCauses,
  fieldInvalid,
  fieldTooLong,
} from "../errors/field.ts";
import type { Wording } from "../errors/wording.ts";
import { go } from "../go/go-value.ts";
import { type Release, sinceOf } from "../release.ts";
import { addConditionErrors } from "./condition-validation.ts";
import { collectErrors } from "./findings.ts";
import { dnsLabelMessages, dnsSubdomainMessages } from "./names.ts";
import { addOwnerReferenceErrors } from "./owner-reference-validation.ts";
import { qualifiedNameMessages } from "./qualified-names.ts";
import { ipMessages, portNameMessages } from "./value-formats.ts";

const owner = { apiVersion: "v1", kind: "", name: "n", uid: "u" };
const controllers = ["a", "b"].map((name) => ({
  ...owner,
  kind: "Pod",
  name,
  controller: true,
}));
const references =
  'v1.OwnerReference{APIVersion:"v1", Kind:"Pod", Name:"a", UID:"u", Controller:(*bool)(0xc000000000), BlockOwnerDeletion:(*bool)(nil)}';

const unreasoned = { type: "Ready", status: "True", lastTransitionTime: "2001-01-01T00:00:00Z", reason: "" };

function said(value: string, messages: readonly Wording[]): readonly FieldError[] {
  return messages.map((message) => fieldInvalid("f", value, message));
}

test.each<[release: Release, errors: readonly FieldError[], words: string]>([
  ["1.16", [fieldTooLong("f", 9)], "f: Too long: must have at most 9 characters"],
  ["1.17", [fieldTooLong("f", 9)], "f: Too long: must have at most 9 bytes"],
  ["1.31", [fieldTooLong("f", 9)], "f: Too long: must have at most 9 bytes"],
  ["1.32", [fieldTooLong("f", 9)], "f: Too long: may not be more than 9 bytes"],
  ["1.31", [fieldTooLong("f", -1)], "f: Too long: value is too long"],
  [
    "1.19",
    said("A", dnsSubdomainMessages("A")),
    "f: Invalid value: \"A\": a DNS-1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
  ],
  [
    "1.19",
    said("a.b", dnsLabelMessages("a.b")),
    "f: Invalid value: \"a.b\": a DNS-1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
  ],
  [
    "1.19",
    said("A/b", qualifiedNameMessages("A/b")),
    "f: Invalid value: \"A/b\": prefix part a DNS-1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
  ],
  [
    "1.26",
    said("a.b", dnsLabelMessages("a.b")),
    "f: Invalid value: \"a.b\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
  ],
  ["1.27", said("a.b", dnsLabelMessages("a.b")), 'f: Invalid value: "a.b": must not contain dots'],
  ["1.19", said("x", ipMessages("x")), 'f: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7)'],
  [
    "1.20",
    said("x", ipMessages("x")),
    'f: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
  ],
  [
    "1.24",
    said("1", portNameMessages("1")),
    'f: Invalid value: "1": must contain at least one letter or number (a-z, 0-9)',
  ],
  ["1.25", said("1", portNameMessages("1")), 'f: Invalid value: "1": must contain at least one letter (a-z)'],
  [
    "1.33",
    collectErrors((errors) => addOwnerReferenceErrors(errors, [owner], "o.ownerReferences")),
    'o.ownerReferences.kind: Invalid value: "": kind must not be empty',
  ],
  [
    "1.34",
    collectErrors((errors) => addOwnerReferenceErrors(errors, [owner], "o.ownerReferences")),
    'o.ownerReferences.kind: Invalid value: "": must not be empty',
  ],
  [
    "1.25",
    collectErrors((errors) => addOwnerReferenceErrors(errors, controllers, "o")),
    `o: Invalid value: []v1.OwnerReference{${references}, ${references.replace('"a"', '"b"')}}: Only one reference can have Controller set to true. Found "true" in references for a and b`,
  ],
  [
    "1.34",
    collectErrors((errors) => addOwnerReferenceErrors(errors, controllers, "o")),
    'o: Invalid value: [{"apiVersion":"v1","kind":"Pod","name":"a","uid":"u","controller":true},{"apiVersion":"v1","kind":"Pod","name":"b","uid":"u","controller":true}]: Only one reference can have Controller set to true. Found "true" in references for Pod/a and Pod/b',
  ],
  [
    "1.33",
    collectErrors((errors) => addConditionErrors(errors, [unreasoned], "c.conditions")),
    "c.conditions[0].reason: Required value: must be set",
  ],
  [
    "1.34",
    collectErrors((errors) => addConditionErrors(errors, [unreasoned], "c.conditions")),
    "c.conditions[0].reason: Required value",
  ],
  ["1.33", [fieldInvalid("f", null, "d")], 'f: Invalid value: "null": d'],
  ["1.34", [fieldInvalid("f", null, "d")], "f: Invalid value: null: d"],
  [
    "1.33",
    [fieldInvalid("f", go.stringMap({ a: "b" }), "d")],
    'f: Invalid value: map[string]string{"a":"b"}: d',
  ],
  ["1.34", [fieldInvalid("f", go.stringMap({ a: "b" }), "d")], 'f: Invalid value: {"a":"b"}: d'],
])("%s has the wording %#", (release, errors, words) => {
  const since = sinceOf(release);
  expect(aggregateMessage(fieldCauses(errors, since, internalTypes(since, metaV1)))).toBe(words);
});
