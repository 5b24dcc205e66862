import { describe, expect, test } from "vitest";
import { type FieldSelectorRules, fieldSelectorsOf } from "./field-selectors.ts";

const object = {
  apiVersion: "example.com/v1",
  kind: "Thing",
  metadata: { name: "a" },
  spec: { on: false, count: 0, text: "", none: null, name: "spec" },
  status: { name: "status" },
};

describe("the value of a field", () => {
  test.each<[string, FieldSelectorRules, string, string]>([
    ["is at its path", {}, "metadata.name", "a"],
    ["is the text of a boolean", {}, "spec.on", "false"],
    ["is the text of a number", {}, "spec.count", "0"],
    ["is empty without a value", {}, "spec.missing", ""],
    ["is empty for null", {}, "spec.none", ""],
    ["is empty within a value that is no object", {}, "spec.count.more", ""],
    ["is empty within a missing object", {}, "other.field.more", ""],
    ["does not come from a prototype", {}, "spec.constructor", ""],
    ["does not come from an object of a prototype", {}, "spec.constructor.name", ""],
    ["is at the path of the kind", { paths: { name: "spec.name" } }, "name", "spec"],
    [
      "is at the first path with a value",
      { paths: { name: ["spec.text", "status.name"] } },
      "name",
      "status",
    ],
    ["is at the first path", { paths: { name: ["spec.name", "status.name"] } }, "name", "spec"],
    ["is empty without a value at any path", { paths: { name: ["spec.none", "spec.text"] } }, "name", ""],
    ["is the zero value of its type", { zeroValues: { "spec.missing": "false" } }, "spec.missing", "false"],
    ["is not the zero value if it is set", { zeroValues: { "spec.count": "1" } }, "spec.count", "0"],
    [
      "is the zero value at the path of the kind",
      { paths: { missing: "spec.missing" }, zeroValues: { "spec.missing": "0" } },
      "missing",
      "0",
    ],
  ])("%s", (_title, rules, field, expected) => {
    expect(fieldSelectorsOf(rules, []).valueOf(object, field)).toBe(expected);
  });
});

describe("the label of a field", () => {
  const metadata = ["metadata.name", "metadata.namespace"];

  test("is the field itself, or that for which it stands", () => {
    const { convert } = fieldSelectorsOf({ aliases: { host: "spec.nodeName" } }, metadata);
    expect(convert("metadata.name", "a")).toEqual(["metadata.name", "a"]);
    expect(convert("host", "a")).toEqual(["spec.nodeName", "a"]);
  });

  test.each<[string, FieldSelectorRules, readonly string[], string]>([
    [
      "of a kind with metadata fields",
      {},
      metadata,
      '"x" is not a known field selector: only "metadata.name", "metadata.namespace"',
    ],
    ["of a kind with other fields", {}, [...metadata, "spec.on"], "field label not supported: x"],
    ["of a kind with its own message", { unsupported: (field) => `no ${field}` }, metadata, "no x"],
  ])("%s is refused if it is unknown", (_title, rules, supported, message) => {
    const { convert } = fieldSelectorsOf(rules, supported);
    expect(() => convert("x", "")).toThrow(expect.objectContaining({ code: 400, message }));
  });
});
