import { describe, expect, test } from "vitest";
import { everySort as type } from "../../../test/arbitraries/typed-fields.ts";
import { deepFreeze } from "../../store/deep-freeze.ts";
import { mapType, scalarType } from "./apply-type.ts";
import { emptySet } from "./field-set.ts";
import { addedNode, fieldSetOf, namedFieldSetOf } from "./field-set-of.ts";

describe("the fields of a configuration", () => {
  test("contain neither the object nor lists and structures with contents", () => {
    const config = { struct: { a: "1", b: {} }, keyed: [{ name: "a", tags: ["x"] }] };
    expect(fieldSetOf(type, config)).toEqual({
      "f:keyed": { 'k:{"name":"a"}': { ".": {}, "f:name": {}, "f:tags": { 'v:"x"': {} } } },
      "f:struct": { "f:a": {}, "f:b": {} },
    });
    expect(fieldSetOf(type, {})).toBe(emptySet);
  });

  test("contain structures with contents besides if these are asked for, but no lists and maps without items", () => {
    const config = { struct: { b: { c: "1" } }, set: [] };
    expect(namedFieldSetOf(type, config)).toEqual({
      "f:struct": { ".": {}, "f:b": { ".": {}, "f:c": {} } },
    });
  });
});

describe("an added value", () => {
  const added = (object: Parameters<typeof addedNode>[1]) => {
    const { ".": _self, ...below } = addedNode(type, object);
    return below;
  };

  test("has one element for duplicate items, without what is in them", () => {
    const b = { name: "b", value: "1" };
    const keyed = [{ name: "a", value: "1" }, b, { name: "a", port: 1 }];
    const whole = { ".": {}, "f:name": {}, "f:value": {} };
    expect(added({ keyed })).toEqual({
      "f:keyed": { ".": {}, 'k:{"name":"a"}': {}, 'k:{"name":"b"}': whole },
    });
  });

  test("has the fields that are null", () => {
    expect(added({ map: null, set: null, struct: { a: null } })).toEqual({
      "f:map": {},
      "f:set": {},
      "f:struct": { ".": {}, "f:a": {} },
    });
  });

  test("has no keys without a type, and no items if it is no list", () => {
    expect(added({ other: 1, set: "x" })).toEqual({ "f:set": {} });
  });

  test("is not taken for the same value of another type", () => {
    const value = deepFreeze({ a: "1" });
    const nodeIn = (topology: "atomic" | "granular") =>
      addedNode(mapType(topology, scalarType("string")), value);
    expect([nodeIn("granular"), nodeIn("atomic")]).toEqual([{ ".": {}, "f:a": {} }, {}]);
  });
});
