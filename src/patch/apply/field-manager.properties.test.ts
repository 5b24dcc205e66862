import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { OwnedObject, type TestKind } from "../../../test/arbitraries/owned-object.ts";
import { StatusError } from "../../apimachinery/errors.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { KubeObject, MutableKubeObject } from "../../apimachinery/object-meta.ts";
import { catalogOf } from "../../catalog/catalog.ts";
import type { StructSchema } from "../../schema/structural-schema.ts";
import { customKind } from "./apply-kind.ts";
import { type FieldSet, leavesOf } from "./field-set.ts";
import { difference, intersection, isSubset } from "./field-set-algebra.ts";
import { addedNode, fieldSetOf } from "./field-set-of.ts";
import { fieldSetOfFieldsV1 } from "./fields-v1.ts";
import { extractItems } from "./remove.ts";

const text = { type: "string" };
const tags = { type: "array", items: text, "x-kubernetes-list-type": "set" };
const item = {
  type: "object",
  properties: { name: text, port: { type: "integer", default: 80 }, value: text, tags },
};
const openApiSchema: JsonObject = {
  type: "object",
  properties: {
    scalar: text,
    map: { type: "object", additionalProperties: text },
    atomicMap: { type: "object", additionalProperties: text, "x-kubernetes-map-type": "atomic" },
    struct: { type: "object", properties: { a: text, list: { type: "array", items: item } } },
    tags,
    keyed: {
      type: "array",
      items: item,
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["name", "port"],
    },
    any: { "x-kubernetes-preserve-unknown-fields": true },
  },
};

const gvk = { group: "example.com", version: "v1", kind: "Widget" };
const kind = customKind({ openApiSchema, preserveUnknownFields: false, objectMeta: objectMetaSchema() }, gvk);
const { type } = kind;

function objectMetaSchema(): StructSchema {
  const schema = catalogOf({ release: "1.32" }).type({ group: "meta", version: "v1" }, "ObjectMeta");
  if (schema?.type !== "struct") throw new Error("there is no ObjectMeta");
  return schema;
}

const widgets: TestKind = {
  gvk,
  kindOf: (apiVersion) => (apiVersion === "example.com/v1" ? kind : undefined),
  convert: () => undefined,
  // Configurations have all that an object has to have.
  complete: (config) => ({ ...config }) as MutableKubeObject,
  store: (object) => object as KubeObject,
};

const word = fc.constantFrom("x", "y", "z<&>", "");
const words = fc.uniqueArray(word, { maxLength: 3 });
const filledWords = fc.uniqueArray(word, { minLength: 1, maxLength: 3 });
const entries = fc.dictionary(fc.constantFrom("a", "b", "c"), word, { minKeys: 1, maxKeys: 3 });
const record = <T>(fields: { [K in keyof T]: fc.Arbitrary<T[K]> }) => fc.record(fields, { requiredKeys: [] });
const listItem = fc
  .tuple(word, fc.constantFrom(80, 81, 443), record({ value: word, tags: filledWords }))
  .map(([name, port, more]) => ({ name, port, ...more }));
const keyed = fc.uniqueArray(listItem, {
  minLength: 1,
  maxLength: 4,
  selector: ({ name, port }) => `${name} ${port}`,
});

/** Configurations without empty maps and lists, which say nothing that could be read back. */
const config: fc.Arbitrary<JsonObject> = record({
  scalar: word,
  map: entries,
  atomicMap: entries,
  struct: fc.tuple(word, fc.array(listItem, { maxLength: 2 })).map(([a, list]) => ({ a, list })),
  tags: filledWords,
  keyed,
  any: fc.oneof(word, entries, words),
});

const manager = fc.constantFrom("a", "b", "c");
const step = fc.record({ manager, config, how: fc.constantFrom("apply", "force", "write") });

/** An object after a history of writes, of which those that are in others' way are refused. */
function after(steps: readonly { manager: string; config: JsonObject; how: string }[]): OwnedObject {
  const object = new OwnedObject(widgets).apply("first", { scalar: "first" });
  for (const { manager: who, config: what, how } of steps) {
    try {
      if (how === "write") object.patch(who, what);
      else object.apply(who, what, how === "force" ? "forced" : "careful");
    } catch (error) {
      if (!(error instanceof StatusError) || error.code !== 409) throw error;
    }
  }
  return object;
}

const history = fc.array(step, { maxLength: 6 }).map(after);

function setsOf(
  object: OwnedObject,
): readonly { readonly who: string; readonly applied: boolean; readonly set: FieldSet }[] {
  return object.entries.map(({ manager: who, operation, fieldsV1 = null }) => ({
    who: String(who),
    applied: operation === "Apply",
    set: fieldSetOfFieldsV1(fieldsV1),
  }));
}

const ownedBy = (object: OwnedObject, name: string): FieldSet | undefined =>
  setsOf(object).find(({ who, applied }) => applied && who === name)?.set;

describe("whatever was written to an object before", () => {
  test("applying a configuration twice is as good as once", () => {
    fc.assert(
      fc.property(history, manager, config, (object, who, what) => {
        const { live } = object.apply(who, what, "forced");
        expect(object.apply(who, what).live).toEqual(live);
      }),
    );
  });

  test("applying what a manager owns changes nothing", () => {
    fc.assert(
      fc.property(history, (object) => {
        const { live } = object;
        for (const { who, applied, set } of setsOf(object)) {
          if (applied) object.apply(who, extractItems(type, live, leavesOf(set)));
        }
        expect(Object.keys(object.live).toSorted()).toEqual(Object.keys(live).toSorted());
        expect({ ...object.live, metadata: undefined }).toEqual({ ...live, metadata: undefined });
      }),
    );
  });

  test("nobody is in the way of what others own as it is", () => {
    fc.assert(
      fc.property(history, (object) => {
        const { live } = object;
        for (const [i, { set }] of setsOf(object).entries()) {
          const { live: now } = object.apply(`stranger ${i}`, extractItems(type, live, leavesOf(set)));
          expect({ ...now, metadata: undefined }).toEqual({ ...live, metadata: undefined });
        }
      }),
    );
  });

  test("what was taken by force belongs to nobody else", () => {
    fc.assert(
      fc.property(history, config, (object, what) => {
        const before = object.live;
        object.apply("taker", what, "forced");
        const same = fieldSetOf(type, extractItems(type, before, fieldSetOf(type, what)));
        // Of what it owns now, what it did not find as it wanted it.
        const changed = difference(leavesOf(ownedBy(object, "taker") ?? {}), leavesOf(same));
        for (const { who, set } of setsOf(object)) {
          if (who !== "taker") expect(intersection(set, changed)).toEqual({});
        }
      }),
    );
  });

  test("nobody owns what is not there", () => {
    fc.assert(
      fc.property(history, (object) => {
        const { ".": _self, ...present } = addedNode(type, object.live);
        for (const { set } of setsOf(object)) expect(isSubset(set, present)).toBe(true);
      }),
    );
  });

  test("an applied configuration is there, and owned", () => {
    fc.assert(
      fc.property(history, manager, config, (object, who, what) => {
        object.apply(who, what, "forced");
        const own = fieldSetOf(type, what);
        expect(isSubset(own, ownedBy(object, who) ?? {})).toBe(true);
        const { ".": _self, ...present } = addedNode(type, object.live);
        expect(isSubset(own, present)).toBe(true);
      }),
    );
  });

  test("a manager that applies nothing owns nothing, and other appliers keep what they own", () => {
    fc.assert(
      fc.property(history, manager, (object, who) => {
        const others = setsOf(object).filter(({ applied, who: other }) => applied && other !== who);
        object.apply(who, {});
        expect(setsOf(object).filter(({ applied }) => applied)).toEqual(others);
      }),
    );
  });
});
