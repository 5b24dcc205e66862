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

// Thousands of writes each.
vi.setConfig({ testTimeout: 60_000 });

/** An object of a random kind after a random history, and somebody who wants something of it. */
interface World {
  readonly type: ApplyType;
  readonly object: OwnedObject;
  readonly who: string;
  readonly what: JsonObject;
}

interface Step {
  readonly who: string;
  readonly what: JsonObject;
  readonly how: string;
}

const manager = fc.constantFrom("a", "b", "c");

const world: fc.Arbitrary<World> = widget.chain((kind) => {
  const step = fc.record({
    who: manager,
    what: kind.config,
    how: fc.constantFrom("apply", "force", "patch", "write"),
  });
  return fc
    .tuple(fc.array(step, { maxLength: 6 }), manager, kind.config)
    .map(([steps, who, what]) => ({ type: kind.type, object: after(kind, steps), who, what }));
});

/** An object after a history of writes, of which those that are in others' way are refused. */
function after({ kind }: Widget, steps: readonly Step[]): OwnedObject {
  const object = new OwnedObject(kind).apply("first", { always: "there" });
  for (const { who, what, how } of steps) {
    try {
      if (how === "patch") object.patch(who, what);
      else if (how === "write") object.write(who, { ...what, always: "there" });
      else object.apply(who, what, how === "force" ? "forced" : "careful");
    } catch (error) {
      if (!(error instanceof StatusError) || error.code !== 409) throw error;
    }
  }
  return object;
}

interface Owned {
  readonly who: string;
  readonly applied: boolean;
  readonly set: FieldSet;
}

function setsOf(object: OwnedObject): readonly Owned[] {
  return object.entries.map(({ manager: who, operation, fieldsV1 = null }) => ({
    who: String(who),
    applied: operation === "Apply",
    set: fieldSetOfFieldsV1(fieldsV1),
  }));
}

const ownedBy = (object: OwnedObject, name: string): FieldSet | undefined =>
  setsOf(object).find(({ who, applied }) => applied && who === name)?.set;

function always(property: (world: World) => void): void {
  fc.assert(fc.property(world, property), { numRuns: 80 });
}

describe("whatever was written to an object before", () => {
  test("applying a configuration twice is as good as once", () => {
    always(({ object, who, what }) => {
      const { live } = object.apply(who, what, "forced");
      expect(object.apply(who, what).live).toEqual(live);
    });
  });

  test("applying what a manager owns changes nothing", () => {
    always(({ type, object }) => {
      const { live } = object;
      for (const { who, applied, set } of setsOf(object)) {
        if (applied) object.apply(who, extractItems(type, live, leavesOf(set)));
      }
      expect(Object.keys(object.live).toSorted()).toEqual(Object.keys(live).toSorted());
      expect({ ...object.live, metadata: undefined }).toEqual({ ...live, metadata: undefined });
    });
  });

  test("nobody is in the way of what others own as it is", () => {
    always(({ type, object }) => {
      const { live } = object;
      for (const [i, { set }] of setsOf(object).entries()) {
        const { live: now } = object.apply(`stranger ${i}`, extractItems(type, live, leavesOf(set)));
        expect({ ...now, metadata: undefined }).toEqual({ ...live, metadata: undefined });
      }
    });
  });

  test("what was taken by force belongs to nobody else", () => {
    always(({ type, object, what }) => {
      const before = object.live;
      object.apply("taker", what, "forced");
      const same = fieldSetOf(type, extractItems(type, before, fieldSetOf(type, what)));
      // Of what it owns now, what it did not find as it wanted it.
      const changed = difference(leavesOf(ownedBy(object, "taker") ?? {}), leavesOf(same));
      for (const { who, set } of setsOf(object)) {
        if (who !== "taker") expect(intersection(set, changed)).toEqual({});
      }
    });
  });

  test("nobody owns what is not there", () => {
    always(({ type, object }) => {
      const { ".": _self, ...present } = addedNode(type, object.live);
      for (const { set } of setsOf(object)) expect(isSubset(set, present)).toBe(true);
    });
  });

  test("an applied configuration is there, and owned", () => {
    always(({ type, object, who, what }) => {
      object.apply(who, what, "forced");
      const own = fieldSetOf(type, what);
      expect(isSubset(own, ownedBy(object, who) ?? {})).toBe(true);
      const { ".": _self, ...present } = addedNode(type, object.live);
      expect(isSubset(own, present)).toBe(true);
    });
  });

  test("a manager that applies nothing owns nothing, and other appliers keep what they own", () => {
    always(({ object, who }) => {
      const others = setsOf(object).filter(({ applied, who: other }) => applied && other !== who);
      object.apply(who, {});
      expect(setsOf(object).filter(({ applied }) => applied)).toEqual(others);
    });
  });

  test("sets are in the form of the wire", () => {
    always(({ object }) => {
      for (const { set } of setsOf(object)) {
        expect(encodeJson(fieldSetOfFieldsV1(jsonCopy(set)))).toBe(encodeJson(set));
      }
    });
  });
});
