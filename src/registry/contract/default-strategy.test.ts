import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { MutableKubeObject } from "../../apimachinery/object-meta.ts";
import { changed, defaultStrategy, keepOld, withGeneration, withPreparation } from "./default-strategy.ts";
import type { StrategyContext } from "./strategy.ts";

const context: StrategyContext = {
  user: { name: "", groups: [], uid: "", extra: {} },
  dryRun: false,
  now: 0,
  warn: () => {},
};
const traits = {
  hasStatus: true,
  allowCreateOnUpdate: false,
  allowUnconditionalUpdate: true,
  deleteReturnsObject: false,
};

function thing(fields: JsonObject = {}): MutableKubeObject {
  return { apiVersion: "v1", kind: "Thing", metadata: { name: "a" }, ...fields };
}

describe("the strategy of most kinds", () => {
  test.each([
    [true, {}, { status: "old" }],
    [false, { status: "new" }, { status: "new" }],
  ])("with a status subresource (%j) decides over the status", (hasStatus, created, updated) => {
    const strategy = defaultStrategy({ ...traits, hasStatus });
    const object = thing({ status: "new" });
    strategy.prepareForCreate(object, context);
    expect(object).toEqual(thing(created));
    const change = thing({ status: "new" });
    strategy.prepareForUpdate(change, thing({ status: "old" }), context);
    expect(change).toEqual(thing(updated));
  });

  test.each(["allowCreateOnUpdate", "allowUnconditionalUpdate", "deleteReturnsObject"] as const)(
    "has %s of the catalog",
    (trait) => {
      expect(defaultStrategy({ ...traits, [trait]: true })[trait]).toBe(true);
      expect(defaultStrategy({ ...traits, [trait]: false })[trait]).toBe(false);
    },
  );

  test("neither warns nor finds errors, deletes at once and has no dependents", () => {
    const strategy = defaultStrategy(traits);
    const object = thing({ spec: {} });
    const errors: never[] = [];
    strategy.validate(errors, object);
    strategy.validateUpdate(errors, object, object);
    expect(errors).toEqual([]);
    expect([strategy.warningsOnCreate(object), strategy.warningsOnUpdate(object, object)]).toEqual([[], []]);
    expect(strategy.withStorageDefaults(object)).toBe(object);
    expect(strategy.gracePeriodSeconds(object, 30)).toBeUndefined();
    expect(strategy.hasOtherFinalizers(object)).toBe(false);
    expect(strategy.dependentKeys(object)).toEqual([]);
    strategy.beginWrite(object, undefined, context)();
    strategy.checkDeletion("a");
    expect(object).toEqual(thing({ spec: {} }));
    const { garbageCollectionPolicy, deletion, metadataChecks } = strategy;
    expect({ garbageCollectionPolicy, deletion, metadataChecks }).toEqual({
      garbageCollectionPolicy: "background",
      deletion: "generic",
      metadataChecks: { create: "core", update: "core" },
    });
    expect(strategy.validateName("A", "name")).not.toEqual([]);
    expect(strategy.validateName("a.b", "name")).toEqual([]);
  });
});

test("a preparation comes after that of the kind, and has the old object on update", () => {
  const seen: unknown[] = [];
  const strategy = withPreparation(defaultStrategy(traits), (object, old) => {
    seen.push([object["status"], old?.["status"]]);
  });
  strategy.prepareForCreate(thing({ status: "new" }), context);
  strategy.prepareForUpdate(thing({ status: "new" }), thing({ status: "old" }), context);
  expect(seen).toEqual([
    [undefined, undefined],
    ["old", "old"],
  ]);
});

test("the generation counts what the kind calls a change", () => {
  const { countsGeneration } = withGeneration(defaultStrategy(traits), changed("spec", "data"));
  const isCounted = (object: JsonObject, old: JsonObject) => countsGeneration?.(thing(object), thing(old));
  expect([
    isCounted({ spec: { a: 1 } }, { spec: { a: 1 } }),
    isCounted({ spec: { a: 1 } }, { spec: { a: 2 } }),
    isCounted({ data: 1 }, {}),
    isCounted({}, { data: 1 }),
    isCounted({ data: null }, {}),
    isCounted({}, { data: null }),
    isCounted({ status: 1 }, { status: 2 }),
  ]).toEqual([false, true, true, true, false, false, false]);
});

test.each<[JsonObject, JsonObject]>([
  [{ x: 1 }, { x: 1 }],
  [{ x: null }, { x: null }],
  [{}, {}],
])("a field of the old object %j is restored", (old, expected) => {
  const object = thing({ x: 2 });
  keepOld(object, thing(old), "x");
  expect(object).toEqual(thing(expected));
});
