import { describe, expect, test } from "vitest";
import { catalogOf } from "../catalog/catalog.ts";
import type { Schema } from "../catalog/type-schema.ts";
import { fieldMeta, goKind, listMeta } from "./patch-schema.ts";

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

const pod = catalogOf({ release: "1.32" }).kind({ group: "", version: "v1", kind: "Pod" }) ?? text;
const podSpec = fieldMeta(pod, "spec").schema;
const container = listMeta(podSpec, "containers").schema;

test("the kind of an object in Go is struct", () => {
  expect(goKind(pod)).toBe("struct");
});

describe("a field", () => {
  test.each([
    ["containers", { merges: true, replaces: false, mergeKey: "name" }],
    ["CONTAINERS", { merges: true, replaces: false, mergeKey: "name" }],
    ["tolerations", { merges: false, replaces: false, mergeKey: "" }],
    ["nodeSelector", { merges: false, replaces: false, mergeKey: "" }],
  ])("of a type is merged as the type says: %s", (name, expected) => {
    expect(fieldMeta(podSpec, name)).toMatchObject(expected);
  });

  test("that every kind has is a text", () => {
    for (const name of ["kind", "apiVersion"]) expect(fieldMeta(pod, name).schema).toEqual(text);
    expect(() => fieldMeta(podSpec, "kind")).toThrow(
      'unable to find api field in struct PodSpec for the json field "kind"',
    );
  });

  test.each([
    ["time", "Time"],
    ["microtime", "MicroTime"],
    ["duration", "Duration"],
    ["quantity", "Quantity"],
    ["intOrString", "IntOrString"],
    ["rawExtension", "RawExtension"],
    ["json", "JSON"],
    ["fieldsV1", "FieldsV1"],
    ["unknown", "Unknown"],
  ] as const)("is not found in a %s, which is the structure %s in Go", (scalar, name) => {
    expect(() => fieldMeta({ type: "scalar", scalar }, "a")).toThrow(
      `unable to find api field in struct ${name} for the json field "a"`,
    );
  });

  test.each<[kind: string, schema: Schema]>([
    ["string", text],
    ["map", { type: "map", values: text }],
    ["slice", { type: "list", items: text, message: undefined }],
  ])("does not exist in a %s", (kind, schema) => {
    expect(() => fieldMeta(schema, "a")).toThrow(
      `merging an object in json but data type is not struct, instead is: ${kind}`,
    );
  });
});

describe("a list", () => {
  test.each([
    ["containers", { merges: true, mergeKey: "name" }],
    ["tolerations", { merges: false, mergeKey: "" }],
  ])("has the type of its elements: %s", (name, expected) => {
    const meta = listMeta(podSpec, name);
    expect(meta).toMatchObject(expected);
    expect(meta.schema).not.toEqual(fieldMeta(podSpec, name).schema);
    expect(goKind(meta.schema)).toBe("struct");
  });

  test("may be of scalars", () => {
    expect(listMeta(container, "args").schema).toEqual(text);
  });

  test("is what bytes are, too", () => {
    const gvk = { group: "certificates.k8s.io", version: "v1", kind: "CertificateSigningRequest" };
    const request = catalogOf({ release: "1.32" }).kind(gvk) ?? text;
    const meta = listMeta(fieldMeta(request, "spec").schema, "request");
    expect(meta).toEqual({
      schema: { type: "scalar", scalar: "uint32" },
      merges: false,
      replaces: false,
      mergeKey: "",
    });
  });

  test("of lists is refused", () => {
    const inner: Schema = { type: "list", items: text, message: undefined };
    for (const items of [inner, { type: "scalar", scalar: "bytes" }] satisfies Schema[]) {
      const list = { type: "list", items, message: undefined } satisfies Schema;
      const field = { schema: list, pointer: false };
      const owner = { type: "struct", name: "T", field: () => field, fields: [field], typeMeta: false };
      // A structure with one field, which is all that is read.
      expect(() => listMeta(owner as unknown as Schema, "a")).toThrow("unexpected slice of slice");
    }
  });

  test("is what a pointer points to, and nothing else that is no list", () => {
    expect(listMeta(podSpec, "runtimeClassName").schema).toEqual(text);
    for (const name of ["hostname", "nodeSelector"])
      expect(() => listMeta(podSpec, name)).toThrow("expected slice or array type, but got: struct");
    expect(() => listMeta(pod, "kind")).toThrow("expected slice or array type, but got: struct");
  });
});
