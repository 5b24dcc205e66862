import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { queriesOf } from "../../../test/conformance/golden-queries.ts";
import {
  fieldLabelNotSupported,
  fieldLabelNotSupportedFor,
  fieldLabels,
  metadataFieldLabels,
} from "./field-labels.ts";
import {
  convertFieldSelector,
  escapeFieldValue,
  type FieldLabelConversion,
  type FieldRequirement,
  fieldSelector,
  parseFieldSelector,
} from "./field-selector.ts";

function messageOf(
  text: string,
  convert: FieldLabelConversion = (field, value) => [field, value],
): string | undefined {
  try {
    convertFieldSelector(parseFieldSelector(text), convert);
    return undefined;
  } catch (error) {
    expect(error).toMatchObject({ name: "StatusError", code: 400, status: { reason: "BadRequest" } });
    return error instanceof Error ? error.message : undefined;
  }
}

describe("a field selector from a recorded request", () => {
  test.each(queriesOf("fieldSelector"))("%j", (text, message) => {
    expect(messageOf(text, metadataFieldLabels)).toBe(message);
  });
});

describe("a field selector is parsed", () => {
  test.each([
    ["", ""],
    [",,", ""],
    ["=", ""],
    ["b=1,a=2", "a=2,b=1"],
    ["a==b", "a=b"],
    ["a!=b", "a!=b"],
    ["a!==b", undefined],
    ["a=", "a="],
    ["!=a", "!=a"],
    ["a=b\\,c\\=d\\\\e", "a=b\\,c\\=d\\\\e"],
    ["a = b", "a = b"],
    ["a\\=b", "a\\=b"],
    ["a\\", undefined],
    ["a=\\", undefined],
    ["a=😀", "a=😀"],
  ])("%j: %j", (text, expected) => {
    if (expected === undefined) expect(messageOf(text)).toBeDefined();
    else expect(parseFieldSelector(text).text).toBe(expected);
  });
});

describe("a field selector matches", () => {
  const fields: { readonly [field: string]: string } = { "metadata.name": "web", "status.phase": "Running" };
  test.each([
    ["", true],
    ["metadata.name=web", true],
    ["metadata.name=db", false],
    ["metadata.name!=web", false],
    ["metadata.name!=db,status.phase=Running", true],
    ["metadata.name=web,status.phase!=Running", false],
    ["spec.nodeName=", true],
    ["spec.nodeName!=", false],
  ])("%s: %s", (text, expected) => {
    expect(parseFieldSelector(text).matches((field) => fields[field] ?? "")).toBe(expected);
  });

  test("requires an exact match only for equality", () => {
    const selector = parseFieldSelector("metadata.name=web,metadata.namespace!=a,spec.nodeName=");
    expect(selector.requiresExactMatch("metadata.name")).toBe("web");
    expect(selector.requiresExactMatch("metadata.namespace")).toBeUndefined();
    expect(selector.requiresExactMatch("spec.nodeName")).toBe("");
    expect(selector.requiresExactMatch("other")).toBeUndefined();
  });
});

test("any field selector survives formatting and parsing", () => {
  const requirement: fc.Arbitrary<FieldRequirement> = fc.record({
    field: fc.constantFrom("metadata.name", "spec.nodeName"),
    operator: fc.constantFrom("=", "!="),
    value: fc.string({ unit: fc.constantFrom("a", "\\", ",", "=", "!", " ", "😀") }),
  });
  fc.assert(
    fc.property(fc.array(requirement), (requirements) => {
      const parsed = parseFieldSelector(fieldSelector(requirements).text);
      expect(new Set(parsed.requirements.map((one) => JSON.stringify(one)))).toEqual(
        new Set(requirements.map((one) => JSON.stringify(one))),
      );
      for (const { value } of requirements) {
        expect(parseFieldSelector(`a=${escapeFieldValue(value)}`).requiresExactMatch("a")).toBe(value);
      }
    }),
  );
});

describe("a kind", () => {
  const pods = fieldLabels(
    ["metadata.name", "spec.nodeName"],
    fieldLabelNotSupported,
    new Map([["spec.host", "spec.nodeName"]]),
  );
  const jobs = fieldLabels(["metadata.name"], fieldLabelNotSupportedFor("Job"));

  test.each<[string, FieldLabelConversion, string, string | undefined]>([
    ["offers what it lists", pods, "spec.nodeName=a", undefined],
    ["refuses in the words of most", pods, "spec.foo=a", "field label not supported: spec.foo"],
    ["refuses in the words of Job", jobs, "spec.foo=a", 'field label "spec.foo" not supported for Job'],
    [
      "refuses in the words of kinds without fields",
      metadataFieldLabels,
      "spec.foo=a",
      '"spec.foo" is not a known field selector: only "metadata.name", "metadata.namespace"',
    ],
  ])("%s", (_title, convert, text, message) => {
    expect(messageOf(text, convert)).toBe(message);
  });

  test("supports aliases of fields", () => {
    const selector = convertFieldSelector(parseFieldSelector("spec.host=n1"), pods);
    expect(selector.requiresExactMatch("spec.nodeName")).toBe("n1");
  });
});
