import { describe, expect, test } from "vitest";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { parseFieldSelector } from "../../apimachinery/selectors/field-selector.ts";
import { parseLabelSelector } from "../../apimachinery/selectors/label-selector.ts";
import { everything, labelsOf, selectionOf, selectionPredicate } from "./selection-predicate.ts";

const fieldOf = ({ metadata: { name, namespace } }: KubeObject, field: string) =>
  (field === "metadata.name" ? name : namespace) ?? "";

function predicateOf(labels: string, fields: string) {
  return selectionPredicate(
    parseLabelSelector(labels, () => true),
    parseFieldSelector(fields),
    fieldOf,
    "v1, Kind=Thing",
  );
}

function thing(name: string, labels?: Record<string, string>): KubeObject {
  return { apiVersion: "v1", kind: "Thing", metadata: { name, namespace: "n", ...(labels && { labels }) } };
}

describe("a selector of labels and fields", () => {
  const objects = [thing("a"), thing("a", { app: "x" }), thing("b", { app: "x" })];

  test.each<[string, string, readonly boolean[]]>([
    ["", "", [true, true, true]],
    ["app=x", "", [false, true, true]],
    ["", "metadata.name=a", [true, true, false]],
    ["app=x", "metadata.name=a", [false, true, false]],
  ])("%j and %j selects objects", (labels, fields, expected) => {
    const { selects } = predicateOf(labels, fields);
    expect(objects.map((value) => selects({ value, labels: labelsOf(value) }))).toEqual(expected);
  });

  test.each([
    ["", "", true, undefined, undefined],
    ["app=x", "", false, undefined, undefined],
    ["", "metadata.name=a", false, "a", undefined],
    ["", "metadata.namespace=n", false, undefined, "n"],
    ["", "metadata.name!=a", false, undefined, undefined],
  ])("%j and %j says what it requires", (labels, fields, isEmpty, name, namespace) => {
    expect(predicateOf(labels, fields)).toMatchObject({ isEmpty, name, namespace });
  });
});

describe("a pin", () => {
  const labeled = { value: thing("a", { app: "x" }), labels: { app: "x" } };

  test.each([
    ["app=x", "", "label app", "x", "x"],
    ["app==x,other!=y", "", "label app", "x", "x"],
    ["app in (x)", "", "label app", "x", "x"],
    ["missing=", "", "label missing", "", undefined],
    ["toString=x", "", "label toString", "x", undefined],
    ["app=x", "metadata.name=a", "v1, Kind=Thing metadata.name", "a", "a"],
  ])("of %j and %j has the field and its value, and reads it", (labels, fields, field, value, read) => {
    const { pin } = predicateOf(labels, fields);
    expect(pin).toMatchObject({ field, value });
    expect(pin?.read(labeled)).toBe(read);
  });

  test.each([
    ["app in (x,y)", ""],
    ["app", "metadata.name!=a"],
    ["app notin (x)", ""],
    // Objects without a field have the empty value, too.
    ["", "metadata.name="],
  ])("is not in %j and %j", (labels, fields) => {
    expect(predicateOf(labels, fields).pin).toBeUndefined();
  });
});

test("different selectors have different keys", () => {
  const selectors = [
    ["app=x", ""],
    ["app!=x", ""],
    ["", "metadata.name=a"],
    ["app=x", "metadata.name=a"],
  ] as const;
  expect(new Set(selectors.map(([labels, fields]) => predicateOf(labels, fields).key)).size).toBe(
    selectors.length,
  );
  expect(predicateOf("b,a", "").key).toBe(predicateOf("a,b", "").key);
});

test("everything is selected without a requirement", () => {
  expect(everything).toMatchObject({ isEmpty: true, name: undefined, namespace: undefined });
  expect(everything.selects({ value: thing("a"), labels: {} })).toBe(true);
});

test("a store knows the key and the name of what selects some objects", () => {
  const predicate = predicateOf("app=x", "metadata.name=a");
  expect(selectionOf(predicate)).toEqual({ key: predicate.key, name: "a" });
  expect(selectionOf({ ...predicate, key: "" })).toBeUndefined();
  expect([selectionOf(predicateOf("", "")), selectionOf(everything)]).toEqual([undefined, undefined]);
  expect(everything.isEmpty).toBe(true);
});
