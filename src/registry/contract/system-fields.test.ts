import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { MutableKubeObject } from "../../apimachinery/object-meta.ts";
import { featureGates } from "../../catalog/feature-gates.ts";
import {
  fillSystemFields,
  generatedName,
  stampRevision,
  wipeClusterName,
  wipeSystemFields,
} from "./system-fields.ts";

const identifiers = { uid: () => "u", suffix: (length: number) => "x".repeat(length), number: () => 0 };

function thing(metadata: JsonObject): MutableKubeObject {
  return { apiVersion: "v1", kind: "Thing", metadata: { ...metadata } };
}

test("the fields that only the server sets are removed, then filled", () => {
  const object = thing({
    name: "a",
    uid: "sent",
    deletionTimestamp: "2020-01-01T00:00:00Z",
    deletionGracePeriodSeconds: 0,
    selfLink: "/",
    creationTimestamp: "2020-01-01T00:00:00Z",
    generation: 3,
  });
  wipeSystemFields(object);
  expect(object.metadata).toEqual({ name: "a", creationTimestamp: null, generation: 3 });
  fillSystemFields(object, Date.UTC(2024, 1, 29), identifiers);
  expect(object.metadata).toEqual({
    name: "a",
    creationTimestamp: "2024-02-29T00:00:00Z",
    generation: 3,
    uid: "u",
  });
});

describe("the name of the cluster", () => {
  const warning =
    "metadata.clusterName was specified. This field is not preserved and will be removed from the schema in 1.25";

  test.each([
    ["1.24", "c", {}, [warning]],
    ["1.23", "c", {}, []],
    ["1.24", "", { clusterName: "" }, []],
  ] as const)("in release %s is not kept: %j", (release, clusterName, kept, expected) => {
    const warnings: string[] = [];
    const user = { name: "", uid: "", groups: [], extra: {} };
    const object = thing({ clusterName });
    const warn = (text: string) => warnings.push(text);
    wipeClusterName(object, featureGates(release), { user, dryRun: false, now: 0, warn });
    expect([object.metadata, warnings]).toEqual([kept, expected]);
  });
});

test.each([
  ["a-", "a-xxxxx"],
  ["a".repeat(58), `${"a".repeat(58)}xxxxx`],
  ["a".repeat(59), `${"a".repeat(58)}xxxxx`],
])("a name that is generated from %j has the length of a label at most", (generateName, name) => {
  expect(generatedName(generateName, identifiers)).toBe(name);
});

describe("the revision of a commit", () => {
  test("is set in an object that is not shared yet", () => {
    const object = thing({ name: "a" });
    expect(stampRevision(object, 7)).toBe(object);
    expect(object.metadata.resourceVersion).toBe("7");
  });

  test.each([
    ["frozen", (object: MutableKubeObject) => Object.freeze(object)],
    ["with frozen metadata", (object: MutableKubeObject) => Object.freeze(object.metadata)],
  ])("is set in a copy of an object that is %s", (_title, freeze) => {
    const object = thing({ name: "a", resourceVersion: "1" });
    freeze(object);
    const stamped = stampRevision(object, 7);
    expect(stamped).toEqual(thing({ name: "a", resourceVersion: "7" }));
    expect(object.metadata.resourceVersion).toBe("1");
  });
});
