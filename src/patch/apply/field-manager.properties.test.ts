import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { OwnedObject } from "../../../test/arbitraries/owned-object.ts";
import { type Widget, widget } from "../../../test/arbitraries/random-widget.ts";
import { StatusError } from "../../apimachinery/errors/errors.ts";
import { type JsonObject, jsonCopy } from "../../apimachinery/json.ts";
import { encodeJson } from "../../codec/json/json.ts";
import type { ApplyType } from "./apply-type.ts";
import { type FieldSet, leavesOf } from "./field-set.ts";
import { difference, intersection, isSubset } from "./field-set-algebra.ts";
import { addedNode, fieldSetOf } from "./field-set-of.ts";
import { fieldSetOfFieldsV1 } from "./fields-v1.ts";
import { extractItems } from "./remove.ts";

// Each test makes thousands of writes.
vi.setConfig({ testTimeout: 60_000 });

/** An object of a random kind after a random history, and a configuration to apply to it. */
interface World {
  readonly type: ApplyType;
  readonly object: OwnedObject;
  readonly manager: string;
  readonly config: JsonObject;
}

interface Step {
  readonly manager: string;
  readonly config: JsonObject;
  readonly operation: string;
}

const managers = fc.constantFrom("a", "b", "c");

const world: fc.Arbitrary<World> = widget.chain((kind) => {
  const step = fc.record({
    manager: managers,
    config: kind.config,
    operation: fc.constantFrom("apply", "force", "patch", "write"),
  });
  return fc
    .tuple(fc.array(step, { maxLength: 6 }), managers, kind.config)
    .map(([steps, manager, config]) => ({ type: kind.type, object: after(kind, steps), manager, config }));
});

/** An object after a history of writes. Writes that conflict are refused. */
function after({ kind }: Widget, steps: readonly Step[]): OwnedObject {
  const object = new OwnedObject(kind).apply("first", { always: "there" });
  for (const { manager, config, operation } of steps) {
    try {
      if (operation === "patch") object.patch(manager, config);
      else if (operation === "write") object.write(manager, { ...config, always: "there" });
      else object.apply(manager, config, operation === "force" ? "forced" : "careful");
    } catch (error) {
      if (!(error instanceof StatusError) || error.code !== 409) throw error;
    }
  }
  return object;
}

interface Owned {
  readonly manager: string;
  readonly applied: boolean;
  readonly set: FieldSet;
}

function setsOf(object: OwnedObject): readonly Owned[] {
  return object.entries.map(({ manager, operation, fieldsV1 = null }) => ({
    manager: String(manager),
    applied: operation === "Apply",
    set: fieldSetOfFieldsV1(fieldsV1),
  }));
}

const ownedBy = (object: OwnedObject, name: string): FieldSet | undefined =>
  setsOf(object).find(({ manager, applied }) => applied && manager === name)?.set;

function always(property: (world: World) => void): void {
  fc.assert(fc.property(world, property), { numRuns: 80 });
}

describe("after any history of writes", () => {
  test("applying a configuration twice has the same result as once", () => {
    always(({ object, manager, config }) => {
      const { live } = object.apply(manager, config, "forced");
      expect(object.apply(manager, config).live).toEqual(live);
    });
  });

  test("applying what a manager owns changes nothing", () => {
    always(({ type, object }) => {
      const { live } = object;
      for (const { manager, applied, set } of setsOf(object)) {
        if (applied) object.apply(manager, extractItems(type, live, leavesOf(set)));
      }
      expect(Object.keys(object.live).toSorted()).toEqual(Object.keys(live).toSorted());
      expect({ ...object.live, metadata: undefined }).toEqual({ ...live, metadata: undefined });
    });
  });

  test("applying what other managers own, with the same values, never conflicts", () => {
    always(({ type, object }) => {
      const { live } = object;
      for (const [i, { set }] of setsOf(object).entries()) {
        const { live: now } = object.apply(`stranger ${i}`, extractItems(type, live, leavesOf(set)));
        expect({ ...now, metadata: undefined }).toEqual({ ...live, metadata: undefined });
      }
    });
  });

  test("fields taken by force have no other owner", () => {
    always(({ type, object, config }) => {
      const before = object.live;
      object.apply("taker", config, "forced");
      const same = fieldSetOf(type, extractItems(type, before, fieldSetOf(type, config)));
      // The fields that it owns now and that had another value before.
      const changed = difference(leavesOf(ownedBy(object, "taker") ?? {}), leavesOf(same));
      for (const { manager, set } of setsOf(object)) {
        if (manager !== "taker") expect(intersection(set, changed)).toEqual({});
      }
    });
  });

  test("every owned field exists", () => {
    always(({ type, object }) => {
      const { ".": _self, ...present } = addedNode(type, object.live);
      for (const { set } of setsOf(object)) expect(isSubset(set, present)).toBe(true);
    });
  });

  test("the object contains an applied configuration, and its manager owns it", () => {
    always(({ type, object, manager, config }) => {
      object.apply(manager, config, "forced");
      const own = fieldSetOf(type, config);
      expect(isSubset(own, ownedBy(object, manager) ?? {})).toBe(true);
      const { ".": _self, ...present } = addedNode(type, object.live);
      expect(isSubset(own, present)).toBe(true);
    });
  });

  test("a manager that applies nothing owns nothing, and other appliers keep their fields", () => {
    always(({ object, manager }) => {
      const others = setsOf(object).filter(({ applied, manager: other }) => applied && other !== manager);
      object.apply(manager, {});
      expect(setsOf(object).filter(({ applied }) => applied)).toEqual(others);
    });
  });

  test("sets have the form of FieldsV1", () => {
    always(({ object }) => {
      for (const { set } of setsOf(object)) {
        expect(encodeJson(fieldSetOfFieldsV1(jsonCopy(set)))).toBe(encodeJson(set));
      }
    });
  });
});
