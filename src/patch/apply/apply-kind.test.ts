import { describe, expect, test } from "vitest";
import { toySchema } from "../../../test/arbitraries/toy-schema.ts";
import type { GroupVersionKind } from "../../apimachinery/group-version.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { MutableKubeObject } from "../../apimachinery/object-meta.ts";
import { catalogOf } from "../../catalog/catalog.ts";
import { decodeObject } from "../../codec/decode.ts";
import { transient } from "../../codec/encodable.ts";
import { encodeObject, encodeValue } from "../../codec/encode.ts";
import { encodedForms } from "../../codec/encoded-forms.ts";
import { plainJson } from "../../codec/media-types/output-format.ts";
import { builtInSchema } from "../../schema/built-in-schema.ts";
import { applyKind } from "./apply-kind.ts";
import { allBut } from "./field-filter.ts";
import { fieldManager } from "./field-manager.ts";
import { pathsOf } from "./field-set.ts";
import { fieldSetOfFieldsV1 } from "./fields-v1.ts";
import { formatPath } from "./path-element.ts";

const gvk: GroupVersionKind = { group: "example.com", version: "v1", kind: "Toy" };
const schema = toySchema({
  size: { type: "integer" },
  owner: { type: "string" },
  tags: { type: "array", items: { type: "string" }, "x-kubernetes-list-type": "set" },
});

describe("a kind with a schema that is not a Go structure", () => {
  const decode = (body: string) =>
    decodeObject(new TextEncoder().encode(body), "application/json", {
      defaults: gvk,
      schemaOf: () => schema,
      schemeName: "toys",
    });

  test("decodes objects: unknown and duplicate fields are reported and pruned", async () => {
    const { object, strictErrors } = await decode('{"size":2,"owner":"a","owner":"b","colour":"red"}');
    expect(object).toEqual({ size: 2, owner: "b" });
    expect(strictErrors).toEqual(['duplicate field "owner"', 'unknown field "colour"']);
  });

  test("has defaults and validates objects", () => {
    const object: { [key: string]: string | number } = {};
    schema.setDefaults(object);
    expect(object).toEqual({ size: 1 });
    expect(schema.validate(object, undefined).map(({ field, type }) => `${type} ${field}`)).toEqual([
      "FieldValueRequired owner",
    ]);
  });

  test("has its own canonical form", async () => {
    const object = { kind: "Toy", apiVersion: "example.com/v1", metadata: {}, tags: ["b"], owner: "a" };
    const target = { gvk, schema, listSchema: undefined, forms: encodedForms(gvk) };
    const [bytes] = await encodeObject(transient(schema.canonicalize(object)), target, plainJson, "read");
    expect(new TextDecoder().decode(bytes)).toBe(
      '{"apiVersion":"example.com/v1","kind":"Toy","metadata":{},"owner":"a","tags":["b"]}\n',
    );
  });

  test("has no protobuf form", () => {
    const format = { ...plainJson, mediaType: "application/vnd.kubernetes.protobuf" } as const;
    return expect(async () => encodeValue({}, format, schema)).rejects.toThrow("built-in kinds");
  });

  test("merges applied objects according to its published schema", () => {
    const kind = applyKind(schema, gvk);
    const manager = fieldManager({
      tracksCreations: true,
      gvk,
      subresource: "",
      filter: allBut([]),
      now: () => 0,
      kindOf: () => kind,
      convert: (same) => same,
      // The configurations of this test have metadata.
      complete: (object) => schema.fromUnstructured(object).object as MutableKubeObject,
    });
    const toy = (fields: JsonObject) => ({
      apiVersion: "example.com/v1",
      kind: "Toy",
      metadata: { name: "t" },
      ...fields,
    });
    const first = manager.apply(undefined, toy({ tags: ["a"], size: 2 }), "one", "careful");
    const second = manager.apply(first, toy({ tags: ["b"] }), "two", "careful");
    expect(second["tags"]).toEqual(["a", "b"]);
    expect(() => manager.apply(second, toy({ size: 3 }), "two", "careful")).toThrow(/conflict.*\.size/);
    const entries = second.metadata["managedFields"] as readonly JsonObject[];
    const owned = entries.map(({ manager: name, fieldsV1 }) => [
      name,
      // Entries written by apply have fields.
      Array.from(pathsOf(fieldSetOfFieldsV1(fieldsV1 as JsonObject)), formatPath),
    ]);
    expect(owned).toEqual([
      ["one", [".size", '.tags[="a"]']],
      ["two", ['.tags[="b"]']],
    ]);
  });
});

describe("the form of responses", () => {
  const configMap = catalogOf({ release: "1.32" }).kind({ group: "", version: "v1", kind: "ConfigMap" });

  test("of a built-in kind has the fields that Go writes and omits", () => {
    if (configMap === undefined) throw new Error("there is no ConfigMap");
    const known = applyKind(builtInSchema(configMap), { group: "", version: "v1", kind: "ConfigMap" });
    const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "x", uid: "" }, data: {} };
    const shown = { ...object, metadata: { name: "x", creationTimestamp: null } };
    const { data: _empty, ...expected } = shown;
    expect(known.isDecoded).toBe(true);
    expect(known.empty).toEqual({ ...expected, metadata: { creationTimestamp: null } });
    expect(known.show(object, known.empty)).toEqual(expected);
    expect(known.outline(object, known.empty)).toEqual(expected);
  });

  test("of a custom resource is the object itself", () => {
    const known = applyKind(schema, gvk);
    const object = { size: null, metadata: { uid: "" } };
    expect(known.isDecoded).toBe(false);
    expect(known.empty).toEqual({ apiVersion: "example.com/v1", kind: "Toy" });
    expect(known.show(object, known.empty)).toBe(object);
    expect(known.outline(object, known.empty)).toBe(object);
  });
});
