import { expect, test } from "vitest";
import type { JsonValue } from "../../apimachinery/json.ts";
import { type ApplyType, deducedType, type Shape, shapeOf } from "./apply-type.ts";

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
