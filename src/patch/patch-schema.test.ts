import { expect, test } from "vitest";
import { catalogOf } from "../catalog/catalog.ts";
import type { Schema } from "../catalog/type-schema.ts";
import { goKind } from "./patch-schema.ts";

const text: Schema = { type: "scalar", scalar: "string" };

test.each<[kind: string, schema: Schema]>([
  ["slice", { type: "list", items: text, message: undefined }],
  ["map", { type: "map", values: text }],
  ["string", text],
  ["bool", { type: "scalar", scalar: "bool" }],
  ["int32", { type: "scalar", scalar: "int32" }],
  ["slice", { type: "scalar", scalar: "bytes" }],
  ["float64", { type: "scalar", scalar: "double" }],
  ["float32", { type: "scalar", scalar: "float" }],
  ["struct", { type: "scalar", scalar: "time" }],
  ["struct", { type: "scalar", scalar: "microtime" }],
  ["struct", { type: "scalar", scalar: "duration" }],
  ["struct", { type: "scalar", scalar: "quantity" }],
  ["struct", { type: "scalar", scalar: "intOrString" }],
  ["struct", { type: "scalar", scalar: "rawExtension" }],
  ["struct", { type: "scalar", scalar: "json" }],
  ["struct", { type: "scalar", scalar: "fieldsV1" }],
])("the kind in Go is %s for %j", (kind, schema) => {
  expect(goKind(schema)).toBe(kind);
});

test("the kind of an object in Go is struct", () => {
  const pod = catalogOf({ release: "1.32" }).kind({ group: "", version: "v1", kind: "Pod" });
  expect(pod && goKind(pod)).toBe("struct");
});
