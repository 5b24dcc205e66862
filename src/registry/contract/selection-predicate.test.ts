import { describe, expect, test } from "vitest";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { parseFieldSelector } from "../../apimachinery/selectors/field-selector.ts";
import { parseLabelSelector } from "../../apimachinery/selectors/label-selector.ts";
import { everything, labelsOf, selectionPredicate } from "./selection-predicate.ts";

const fieldOf = ({ metadata: { name, namespace } }: KubeObject, field: string) =>
  (field === "metadata.name" ? name : namespace) ?? "";

function predicateOf(labels: string, fields: string) {
  return selectionPredicate(
    parseLabelSelector(labels, () => true),
    parseFieldSelector(fields),
    fieldOf,
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
  ])("%j and %j selects objects, with known labels or without", (labels, fields, expected) => {
    const { matches, selects } = predicateOf(labels, fields);
    expect(objects.map((value) => matches(value))).toEqual(expected);
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

test("everything is selected without a requirement", () => {
  const value = thing("a");
  expect(everything).toMatchObject({ isEmpty: true, name: undefined, namespace: undefined });
  expect([everything.matches(value), everything.selects({ value, labels: {} })]).toEqual([true, true]);
});
