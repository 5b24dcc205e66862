import { describe, expect, test } from "vitest";
import { featureGates } from "../../catalog/feature-gates.ts";
import { parseWriteQuery } from "./write-options.ts";

const gates = featureGates("1.32");

function parse(query: string, patchType?: "apply" | "other") {
  return parseWriteQuery(new URLSearchParams(query), gates, "PatchOptions", patchType);
}

/** The causes of the refusal as `field: message`. */
function refusals(query: string, patchType?: "apply" | "other"): readonly string[] {
  try {
    parse(query, patchType);
    return [];
  } catch (error) {
    expect(error).toMatchObject({
      status: { reason: "Invalid", details: { group: "meta.k8s.io", kind: "PatchOptions" } },
    });
    const { causes } = (error as { status: { details: { causes: { field: string; message: string }[] } } })
      .status.details;
    return causes.map(({ field, message }) => `${field}: ${message}`);
  }
}

test.each([
  [
    "",
    { dryRun: false, fieldManager: "", fieldValidation: "Warn", sentFieldValidation: "", force: undefined },
  ],
  [
    "dryRun=All&fieldManager=m&fieldValidation=Strict&force=true",
    {
      dryRun: true,
      fieldManager: "m",
      fieldValidation: "Strict",
      sentFieldValidation: "Strict",
      force: true,
    },
  ],
  [
    "fieldValidation=Ignore&force=false",
    {
      dryRun: false,
      fieldManager: "",
      fieldValidation: "Ignore",
      sentFieldValidation: "Ignore",
      force: false,
    },
  ],
  [
    "fieldValidation=Warn&dryRun=All&dryRun=All",
    {
      dryRun: true,
      fieldManager: "",
      fieldValidation: "Warn",
      sentFieldValidation: "Warn",
      force: undefined,
    },
  ],
])("the options of %j are %j", (query, expected) => expect(parse(query)).toEqual(expected));

test("each kind of options has its name", () => {
  for (const kind of ["CreateOptions", "UpdateOptions"] as const) {
    expect(() => parseWriteQuery(new URLSearchParams("dryRun=x"), gates, kind)).toThrow(
      `${kind}.meta.k8s.io "" is invalid`,
    );
  }
});

describe("the option force", () => {
  test("is for apply alone, which needs a manager", () => {
    expect(refusals("force=true&fieldManager=m", "apply")).toEqual([]);
    expect(refusals("force=true", "apply")).toEqual([
      "fieldManager: Required value: is required for apply patch",
    ]);
    expect(refusals("", "apply")).toEqual(["fieldManager: Required value: is required for apply patch"]);
    expect(refusals("", "other")).toEqual([]);
    for (const value of ["true", "false"])
      expect(refusals(`force=${value}`, "other")).toEqual([
        "force: Forbidden: may not be specified for non-apply patch",
      ]);
    expect(refusals("force=true")).toEqual([]);
  });
});

describe("the option dryRun", () => {
  test.each([
    ["dryRun=Some", '[]string{"Some"}'],
    ["dryRun=All&dryRun=", '[]string{"All", ""}'],
  ])("has one value: %s", (query, shown) => {
    expect(refusals(query)).toEqual([`dryRun: Unsupported value: ${shown}: supported values: "All"`]);
  });
});

test("field validation has three levels", () => {
  expect(refusals("fieldValidation=strict")).toEqual([
    'fieldValidation: Unsupported value: "strict": supported values: "", "Ignore", "Strict", "Warn"',
  ]);
  expect(refusals("fieldValidation=")).toEqual([]);
});

describe("the name of a field manager", () => {
  const manager = (name: string) => refusals(`fieldManager=${encodeURIComponent(name)}`);

  test("has at most 128 bytes", () => {
    expect(manager("m".repeat(128))).toEqual([]);
    const [tooLong, ...others] = manager("é".repeat(65));
    expect([tooLong, others]).toEqual([expect.stringMatching(/^fieldManager: Too long: .*128/), []]);
    expect(manager("é".repeat(64))).toEqual([]);
  });

  test.each([
    ["", 0],
    [" ~", 0],
    [`${" ".repeat(127)}~`, 0],
    ["m".repeat(129), 1],
    ["\x1f", 1],
    ["\x7f", 1],
    ["\t", 1],
    ["m\n", 1],
    ["é", 0],
    [`\n${"m".repeat(128)}`, 2],
  ])("%j has %d errors", (name, errors) => {
    expect(manager(name)).toHaveLength(errors);
  });

  test("has printable characters alone, and errors say where", () => {
    expect(manager("a é😀b")).toEqual([]);
    expect(manager("é\nb\u200b")).toEqual([
      'fieldManager: Invalid value: "é\\nb\\u200b": invalid character U+000A (at position 2)',
      'fieldManager: Invalid value: "é\\nb\\u200b": invalid character U+200B (at position 4)',
    ]);
  });
});

test("every error is reported", () => {
  const fields = refusals("fieldManager=%0A&dryRun=x&fieldValidation=x&force=1", "other").map(
    (text) => text.split(":")[0],
  );
  expect(fields).toEqual(["force", "fieldManager", "dryRun", "fieldValidation"]);
});

test("servers before 1.23 do not know field validation, and the gate turns it off", () => {
  const parsed = (release: "1.22" | "1.23" | "1.24", on?: boolean) => {
    const changed = new Map(on === undefined ? [] : [["ServerSideFieldValidation", on]]);
    const query = new URLSearchParams("fieldValidation=Strict");
    const { fieldValidation, sentFieldValidation } = parseWriteQuery(
      query,
      featureGates(release, changed),
      "CreateOptions",
    );
    return [fieldValidation, sentFieldValidation];
  };
  expect(parsed("1.22")).toEqual(["Ignore", ""]);
  expect(parsed("1.23", true)).toEqual(["Strict", "Strict"]);
  expect(parsed("1.24", false)).toEqual(["Ignore", "Strict"]);
  const unknown = new URLSearchParams("fieldValidation=x");
  expect(() => parseWriteQuery(unknown, featureGates("1.22"), "CreateOptions")).not.toThrow();
});
