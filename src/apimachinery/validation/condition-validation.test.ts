import { expect, test } from "vitest";
import { fieldErrorLines } from "../../../test/field-errors.ts";
import type { JsonObject } from "../json.ts";
import { addConditionErrors } from "./condition-validation.ts";
import { collectErrors } from "./findings.ts";

const good = {
  type: "Ready",
  status: "True",
  reason: "Because",
  message: "",
  lastTransitionTime: "2020-01-01T00:00:00Z",
};

const name =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const reason =
  "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName',  or 'ReasonA,ReasonB',  or 'ReasonA:ReasonB', regex used for validation is '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?')";

test.each<[title: string, condition: JsonObject, findings: readonly string[]]>([
  ["a complete condition", good, []],
  [
    "an empty condition",
    {},
    [
      'c[0].type: Invalid value: "": name part must be non-empty',
      `c[0].type: Invalid value: "": ${name}`,
      'c[0].status: Unsupported value: "": supported values: "False", "True", "Unknown"',
      "c[0].lastTransitionTime: Required value: must be set",
      "c[0].reason: Required value: must be set",
    ],
  ],
  [
    "an old generation below zero",
    { ...good, observedGeneration: -1 },
    ["c[0].observedGeneration: Invalid value: -1: must be greater than or equal to zero"],
  ],
  ["a reason in words", { ...good, reason: "no idea" }, [`c[0].reason: Invalid value: "no idea": ${reason}`]],
  [
    "a reason of a page",
    { ...good, reason: "x".repeat(1025) },
    ["c[0].reason: Too long: may not be more than 1024 bytes"],
  ],
  [
    "a message of a book",
    { ...good, message: "x".repeat(32_769) },
    ["c[0].message: Too long: may not be more than 32768 bytes"],
  ],
])("%s", (_title, condition, findings) => {
  expect(fieldErrorLines(collectErrors((errors) => addConditionErrors(errors, [condition], "c")))).toEqual(
    findings,
  );
});

test("a condition type must be unique", () => {
  const findings = fieldErrorLines(collectErrors((errors) => addConditionErrors(errors, [good, good], "c")));
  expect(findings).toEqual(['c[1].type: Duplicate value: "Ready"']);
});
