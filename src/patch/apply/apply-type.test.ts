import { expect, test } from "vitest";
import type { JsonValue } from "../../apimachinery/json.ts";
import {
  type ApplyType,
  atomicListType,
  atomicType,
  deducedType,
  fieldTypes,
  itemizedListType,
  mapType,
  type Shape,
  scalarType,
  shapeOf,
} from "./apply-type.ts";

const values: readonly JsonValue[] = ["a", 0, false, [], {}, null];

/** A type that allows these shapes. */
function typeOf(allowed: readonly Shape[]): ApplyType {
  const { scalar, list, map } = deducedType;
  return {
    scalar: allowed.includes("scalar") ? scalar : undefined,
    list: allowed.includes("list") ? list : undefined,
    map: allowed.includes("map") ? map : undefined,
  };
}

test.each<[allowed: readonly Shape[], shapes: readonly Shape[]]>([
  [
    ["scalar", "list", "map"],
    ["scalar", "scalar", "scalar", "list", "map", "map"],
  ],
  [["scalar"], ["scalar", "scalar", "scalar", "scalar", "scalar", "scalar"]],
  [["list"], ["list", "list", "list", "list", "list", "list"]],
  [["map"], ["map", "map", "map", "map", "map", "map"]],
  [
    ["scalar", "list"],
    ["scalar", "scalar", "scalar", "list", "scalar", "scalar"],
  ],
  [
    ["list", "map"],
    ["map", "map", "map", "list", "map", "map"],
  ],
  [
    ["scalar", "map"],
    ["scalar", "scalar", "scalar", "map", "map", "map"],
  ],
])("a value has its own shape if its type allows it: %j", (allowed, shapes) => {
  expect(values.map((value) => shapeOf(typeOf(allowed), value))).toEqual(shapes);
});

test("the fields of a structure have their elements, their ranks by name, and types that are made once", () => {
  let made = 0;
  const type = (): ApplyType => {
    made += 1;
    return scalarType("string");
  };
  const fields = fieldTypes([
    { name: "b", type },
    { name: "a", type },
  ]);
  expect([...fields].map(([name, { element, rank }]) => [name, element, rank])).toEqual([
    ["a", "f:a", 0],
    ["b", "f:b", 1],
  ]);
  expect(made).toBe(0);
  for (const _ of [1, 2]) expect(fields.get("b")?.type).toEqual(scalarType("string"));
  expect(made).toBe(1);
});

test("scalars are of one kind", () => {
  const kinds = ["string", "numeric", "boolean", "untyped"] as const;
  expect(kinds.map(scalarType)).toEqual(kinds.map((scalar) => ({ scalar, list: undefined, map: undefined })));
});

test("lists are atomic, sets, or have keys that are sorted by name", () => {
  const items = scalarType("string");
  const [b, a] = ["b", "a"].map((name) => ({ name, default: name === "a" ? 1 : undefined }));
  expect(atomicListType(items).list).toEqual({ topology: "atomic", keys: [], items });
  expect(itemizedListType(items, []).list).toEqual({ topology: "set", keys: [], items });
  expect(
    itemizedListType(
      items,
      [b, a].flatMap((key) => key ?? []),
    ).list,
  ).toEqual({
    topology: "map",
    keys: [
      { name: "a", default: 1, prefix: '"a":' },
      { name: "b", default: undefined, prefix: '"b":' },
    ],
    items,
  });
});

test("maps have values of one type and no fields", () => {
  const values = scalarType("string");
  const { scalar, list, map } = mapType("atomic", values);
  expect([scalar, list, map?.topology, map?.values, map?.fields.size]).toEqual([
    undefined,
    undefined,
    "atomic",
    values,
    0,
  ]);
});

test("a value without a schema is a granular map or an atomic list, whose items are atomic as a whole", () => {
  const topologies = [deducedType, atomicType].map(({ list, map }) => [list?.topology, map?.topology]);
  expect(topologies).toEqual([
    ["atomic", "granular"],
    ["atomic", "atomic"],
  ]);
  expect([deducedType.scalar, atomicType.scalar]).toEqual(["untyped", "untyped"]);
  expect(deducedType.map?.values).toBe(deducedType);
  expect(deducedType.list?.items).toBe(atomicType);
  expect(atomicType.list?.items).toBe(atomicType);
  expect(atomicType.map?.values).toBe(atomicType);
});
