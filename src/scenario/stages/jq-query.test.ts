import { expect, test } from "vitest";
import type { JsonObject } from "../../apimachinery/json.ts";
import { parseJq } from "./jq-query.ts";

const document = {
  kind: "Pod",
  metadata: {
    annotations: { "example.com/delay": "3s" },
    ownerReferences: [{ kind: "Job" }, { kind: "Other" }],
  },
  status: {
    phase: "Running",
    conditions: [
      { type: "Ready", status: "True" },
      { type: "Initialized", status: "False" },
    ],
    ready: true,
    nothing: null,
  },
};

test.each<[query: string, values: readonly unknown[]]>([
  [".kind", ["Pod"]],
  [".", [document]],
  ['.metadata.annotations["example.com/delay"]', ["3s"]],
  ['.metadata.annotations."example.com/delay"', ["3s"]],
  [".metadata.ownerReferences.[].kind", ["Job", "Other"]],
  [".metadata.ownerReferences[].kind", ["Job", "Other"]],
  [".metadata.ownerReferences[-1].kind", ["Other"]],
  [".metadata.ownerReferences.[0].kind", ["Job"]],
  ['.status.conditions.[] | select( .type == "Ready" ) | .status', ["True"]],
  ['.status.conditions[] | select(.type != "Ready" and (.status == "True" | not)) | .type', ["Initialized"]],
  [
    '.status.conditions[] | select(.type == "Ready" or .type == "Initialized") | .type',
    ["Ready", "Initialized"],
  ],
  [".status.missing // .status.phase", ["Running"]],
  [".status.phase.deeper // 1", [1]],
  [".status.missing.deeper", []],
  [".status.nothing", []],
  [".status.constructor", []],
  // These fail, as in jq.
  [".status.phase[]", []],
  [".status.missing[]", []],
  [".status.missing[]?", []],
  [".metadata.ownerReferences.kind", []],
])("%s", (query, values) => {
  expect(parseJq(query)(document)).toEqual(values);
});

test.each([
  ["", "the end"],
  [".a | length", '"length"'],
  [".a,.b", '",.b"'],
  ["..", "the end"],
  [".a[", "the end"],
  [".[1:2]", '":2]"'],
  [".a + 1", '"+ 1"'],
  ["select .a", '".a"'],
  ["(.a", "the end"],
  ['."\\(1)"', '"\\"'],
])("%s is not supported, and the error says where", (query, place) => {
  expect(() => parseJq(query)).toThrow(/supported: paths/);
  expect(() => parseJq(query)).toThrow(place);
});

test("nested parentheses have a bound", () => {
  expect(() => parseJq("(".repeat(1000))).toThrow(/not supported/);
});

test("a long chain is followed to its end", () => {
  const deep = Array.from({ length: 900 }).reduce<JsonObject>((inner) => ({ a: inner }), { end: 1 });
  expect(parseJq(".a".repeat(900))(deep)).toEqual([{ end: 1 }]);
});
