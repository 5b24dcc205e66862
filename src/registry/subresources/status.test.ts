import { describe, expect, test } from "vitest";
import { fieldInvalid } from "../../apimachinery/errors/field.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { MutableKubeObject } from "../../apimachinery/object-meta.ts";
import type { Findings } from "../../apimachinery/validation/findings.ts";
import { defaultStrategy } from "../contract/default-strategy.ts";
import type { MetadataCheck, Strategy, StrategyContext } from "../contract/strategy.ts";
import { statusStrategy } from "./status.ts";
import { statusOnlyStrategy } from "./status-metadata.ts";

const traits = { hasStatus: true, allowUnconditionalUpdate: true, deleteReturnsObject: false };
const allocated: string[] = [];
const base: Strategy = {
  ...defaultStrategy({ ...traits, allowCreateOnUpdate: true }),
  beginWrite: () => {
    allocated.push("begun");
    return () => allocated.push("finished");
  },
  validateUpdate: (errors) => errors.push(fieldInvalid("spec", 1, "")),
  warningsOnUpdate: () => ["spec"],
};
const user = { name: "", uid: "", groups: [], extra: {} };
const context: StrategyContext = { user, dryRun: false, now: 0, warn: () => {} };

function thing(metadata: JsonObject, fields: JsonObject): MutableKubeObject {
  return { apiVersion: "g/v1", kind: "Thing", metadata: { ...metadata }, ...fields };
}

function updated(strategy: Strategy, object: MutableKubeObject, old: MutableKubeObject): MutableKubeObject {
  strategy.prepareForUpdate(object, old, context);
  return object;
}

describe("an update of the status", () => {
  test("changes the status and metadata, and keeps every other field", () => {
    const sent = thing({ labels: { a: "new" } }, { spec: 1, added: 1, status: 1 });
    const old = thing(
      { labels: { a: "old" } },
      { spec: 2, dropped: 2, status: 2, apiVersion: "g/v2", kind: "Former" },
    );
    expect(updated(statusStrategy(base), sent, old)).toEqual(
      thing({ labels: { a: "new" } }, { spec: 2, dropped: 2, status: 1 }),
    );
  });

  test("creates, allocates and warns of nothing, and ignores what is wrong elsewhere", () => {
    const { allowCreateOnUpdate, beginWrite, validateUpdate, warningsOnUpdate } = statusStrategy(base);
    const object = thing({}, {});
    const errors: Findings = [];
    validateUpdate(errors, object, object);
    beginWrite(object, object, context)();
    expect([allowCreateOnUpdate, allocated, errors, warningsOnUpdate(object, object)]).toEqual([
      false,
      [],
      [],
      [],
    ]);
  });

  test.each<[MetadataCheck, MetadataCheck]>([
    ["own", "core"],
    ["core", "core"],
    ["library", "library"],
  ])("of a kind with the metadata check %s has the check %s", (update, expected) => {
    const { metadataChecks } = statusStrategy({ ...base, metadataChecks: { create: "library", update } });
    expect(metadataChecks).toEqual({ create: "library", update: expected });
  });
});

test("a kind whose status alone changes keeps its metadata", () => {
  const kept = {
    labels: { a: "old" },
    annotations: { a: "old" },
    finalizers: ["old"],
    ownerReferences: [],
    deletionTimestamp: "2024-01-01T00:00:00Z",
    generation: 1,
  };
  const strategy = statusOnlyStrategy(base);
  const change = () =>
    thing(
      { labels: { a: "new" }, annotations: {}, finalizers: [], generation: 2, managedFields: [1] },
      { spec: 1, status: 1 },
    );
  expect(updated(strategy, change(), thing(kept, { spec: 2, status: 2 }))).toStrictEqual(
    thing({ ...kept, managedFields: [1] }, { spec: 2, status: 1 }),
  );
  expect(updated(strategy, change(), thing({}, { status: 2 }))).toStrictEqual(
    thing({ managedFields: [1] }, { status: 1 }),
  );
});
