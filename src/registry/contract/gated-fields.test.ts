import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../apimachinery/json.ts";
import { without } from "../../apimachinery/object-edits.ts";
import { type FeatureGates, featureGates } from "../../catalog/feature-gates.ts";
import { defaultStrategy } from "./default-strategy.ts";
import {
  type GatedFields,
  gatedField,
  gatedFieldsDropper,
  withGatedFields,
  withoutGatedFields,
} from "./gated-fields.ts";
import type { StrategyContext } from "./strategy.ts";

const gate = "SidecarContainers";
const off = featureGates("1.32", new Map([[gate, false]]));
const on = featureGates("1.32", new Map([[gate, true]]));
const field = gatedField(gate, "spec", "inner", "x");
const used = { spec: { inner: { x: 1, y: 2 } } };
const dropped = { spec: { inner: { y: 2 } } };
const ofName: GatedFields = {
  gate,
  drop: (object) => without(object, ["spec"]),
  isInUse: (old) => old["name"] === "used",
};

describe("the fields of a gate", () => {
  test.each<[string, FeatureGates, GatedFields, JsonObject | undefined, JsonObject]>([
    ["stay while it is on", on, field, undefined, used],
    ["are dropped from a new object while it is off", off, field, undefined, dropped],
    ["are dropped if the old object does not have them", off, field, { spec: { inner: {} } }, dropped],
    ["are dropped if the old object has nothing of their path", off, field, { spec: 1 }, dropped],
    ["stay if the old object has them", off, field, { spec: { inner: { x: 3 } } }, used],
    ["stay if the old object uses them in another way", off, ofName, { name: "used" }, used],
    ["are dropped if the old object has, but does not use them", off, ofName, used, {}],
  ])("%s", (_title, gates, fields, old, expected) => {
    expect(withoutGatedFields(used, old, gates, [fields])).toEqual(expected);
  });

  test("of several gates are independent of each other", () => {
    const fields = [gatedField("SidecarContainers", "spec", "a"), gatedField("StartupProbe", "spec", "b")];
    const object = { spec: { a: 1, b: 2 } };
    expect(withoutGatedFields(object, undefined, off, fields)).toEqual({ spec: { b: 2 } });
    const both = featureGates("1.17", new Map());
    expect(withoutGatedFields(object, { spec: { a: 1 } }, both, fields)).toEqual({ spec: { a: 1 } });
  });

  test.each([
    ["the gate", true, false, used],
    ["an alternative", false, true, used],
    ["neither", false, false, dropped],
  ])("with an alternative stay while %s is on", (_title, isOn, isOtherOn, expected) => {
    const other = "StartupProbe";
    const gates: FeatureGates = {
      ...off,
      isEnabled: (name) => (name === gate && isOn) || (name === other && isOtherOn),
    };
    expect(withoutGatedFields(used, undefined, gates, [{ ...field, alternative: other }])).toEqual(expected);
  });
});

/** These gates are on, and no other. */
const enabling = (...gates: readonly string[]): FeatureGates => ({
  ...off,
  isEnabled: (name) => gates.includes(name),
});

describe("the fields of a gate with further conditions", () => {
  test.each<[string, readonly string[], JsonObject]>([
    ["both", [gate, "Other"], used],
    ["the gate alone", [gate], dropped],
    ["the other alone", ["Other"], dropped],
    ["neither", [], dropped],
  ])("that requires another one stay while %s are on", (_title, on, expected) => {
    const fields = { ...field, requires: "Other" };
    expect(withoutGatedFields(used, undefined, enabling(...on), [fields])).toEqual(expected);
  });

  test("that are older than the gate are dropped by its first release alone", () => {
    for (const [since, expected] of [
      ["1.33", used],
      ["1.32", dropped],
      ["1.31", dropped],
    ] as const)
      expect(withoutGatedFields(used, undefined, off, [{ ...field, since }])).toEqual(expected);
  });

  test("are not dropped from the old object itself", () => {
    expect(withoutGatedFields(used, used, off, [field])).toBe(used);
    const ofOther = { ...field, isInUse: () => false };
    expect(withoutGatedFields(used, used, off, [ofOther])).toEqual(dropped);
    const more = { spec: { inner: { x: 1, y: 2, z: 3 } } };
    const fields = [{ ...gatedField(gate, "spec", "inner", "z"), isInUse: () => false }, field];
    expect(withoutGatedFields(more, more, off, fields)).toEqual(used);
  });

  test("leave an object as it is that does not have them", () => {
    const object = { spec: { inner: { y: 1 } } };
    expect(withoutGatedFields(object, undefined, off, [field])).toBe(object);
    expect(withoutGatedFields(object, used, off, [{ ...field, isInUse: () => false }])).toBe(object);
  });
});

describe("a dropper of the fields of gates", () => {
  test("drops what the gates of each write disable", () => {
    const drop = gatedFieldsDropper([field, gatedField("Other", "spec", "inner", "y")]);
    const both = enabling(gate, "Other");
    const rows: readonly [FeatureGates, JsonObject][] = [
      [both, used],
      [both, used],
      [enabling("Other"), dropped],
      [enabling(), { spec: { inner: {} } }],
      [both, used],
    ];
    for (const [gates, expected] of rows) expect(drop(used, undefined, gates)).toEqual(expected);
    expect(drop(used, { spec: { inner: { x: 3 } } }, enabling())).toEqual({ spec: { inner: { x: 1 } } });
  });

  test("asks the gates once for all writes with them", () => {
    const drop = gatedFieldsDropper([field]);
    let asked = 0;
    const counting: FeatureGates = {
      ...off,
      isEnabled: () => {
        asked += 1;
        return false;
      },
    };
    drop(used, undefined, counting);
    const first = asked;
    expect([drop(used, undefined, counting), first > 0, asked]).toEqual([dropped, true, first]);
  });
});

describe("a strategy with fields of gates", () => {
  const base = defaultStrategy({
    hasStatus: false,
    allowCreateOnUpdate: false,
    allowUnconditionalUpdate: true,
    deleteReturnsObject: false,
  });
  const context: StrategyContext = {
    user: { name: "", groups: [], uid: "", extra: {} },
    dryRun: false,
    now: 0,
    warn: () => {},
  };
  const thing = (fields: JsonObject) => ({
    apiVersion: "v1",
    kind: "Thing",
    metadata: { name: "a" },
    ...structuredClone(fields),
  });
  const status = gatedField(gate, "status", "x");

  test("is the same while every gate is on", () => {
    expect(withGatedFields(base, on, [field])).toBe(base);
  });

  test("drops them from the spec and the status of a new object", () => {
    const object = thing({ ...used, status: { x: 1, z: 1 }, data: { x: 1 } });
    const data = gatedField(gate, "data", "x");
    withGatedFields(base, off, [field, status, data]).prepareForCreate(object, context);
    expect(object).toEqual(thing({ ...dropped, status: { z: 1 }, data: { x: 1 } }));
  });

  test("drops them from a changed object unless the old one has them", () => {
    const strategy = withGatedFields(base, off, [field]);
    const [once, again] = [thing(used), thing(used)];
    strategy.prepareForUpdate(once, thing({ spec: {} }), context);
    strategy.prepareForUpdate(again, thing(used), context);
    expect([once, again]).toEqual([thing(dropped), thing(used)]);
  });
});
