import fc from "fast-check";
import type { GroupVersionKind } from "../../src/apimachinery/group-version.ts";
import type { JsonObject, JsonValue } from "../../src/apimachinery/json.ts";
import type { KubeObject, MutableKubeObject } from "../../src/apimachinery/object-meta.ts";
import { catalogOf } from "../../src/catalog/catalog.ts";
import type { StructSchema } from "../../src/catalog/type-schema.ts";
import { customKind } from "../../src/patch/apply/apply-kind.ts";
import type { ApplyType } from "../../src/patch/apply/apply-type.ts";
import type { TestKind } from "./owned-object.ts";

/** A kind of custom resources with a random schema. */
export interface Widget {
  readonly kind: TestKind;
  readonly type: ApplyType;
  /** Configurations without empty maps and lists, which could not be read back. */
  readonly config: fc.Arbitrary<JsonObject>;
}

const gvk: GroupVersionKind = { group: "example.com", version: "v1", kind: "Widget" };

/** A part of a schema, and its values. */
interface Node {
  readonly schema: JsonObject;
  readonly value: fc.Arbitrary<JsonValue>;
}

const text = { type: "string" };
const word = fc.constantFrom("x", "y", "z<&>", "");
const words = fc.uniqueArray(word, { minLength: 1, maxLength: 3 });
const entries = fc.dictionary(fc.constantFrom("k1", "k2", "k3"), word, { minKeys: 1, maxKeys: 3 });
const atomicMap = { "x-kubernetes-map-type": "atomic" };

const leaf: fc.Arbitrary<Node> = fc.constantFrom<Node>(
  { schema: text, value: word },
  { schema: { type: "integer" }, value: fc.constantFrom(0, 1, 10, 2) },
  { schema: { type: "boolean" }, value: fc.boolean() },
  { schema: { type: "array", items: text }, value: words },
  { schema: { type: "array", items: text, "x-kubernetes-list-type": "set" }, value: words },
  {
    schema: { type: "array", items: { type: "integer" }, "x-kubernetes-list-type": "set" },
    value: fc.uniqueArray(fc.constantFrom(1, 2, 10), { minLength: 1 }),
  },
  { schema: { type: "object", additionalProperties: text }, value: entries },
  { schema: { type: "object", additionalProperties: text, ...atomicMap }, value: entries },
  {
    schema: { "x-kubernetes-preserve-unknown-fields": true },
    value: fc.oneof<fc.Arbitrary<JsonValue>[]>(
      word,
      entries,
      words,
      fc.constant({ k1: { deep: [{ a: 1 }] } }),
    ),
  },
);

function node(depth: number): fc.Arbitrary<Node> {
  if (depth === 0) return leaf;
  const fields = structFields(depth - 1);
  return fc.oneof(
    leaf,
    fields.map(structure),
    fields.map((some) => atomic(structure(some))),
    fields.map(mapOfStructures),
    fields.map((some) => keyedList(some, ["name"])),
    fields.map((some) => keyedList(some, ["port", "name"])),
  );
}

type Fields = readonly (readonly [name: string, node: Node])[];

function structFields(depth: number): fc.Arbitrary<Fields> {
  return fc.uniqueArray(fc.tuple(fc.constantFrom("a", "b", "c", "d"), node(depth)), {
    minLength: 1,
    maxLength: 3,
    selector: ([name]) => name,
  });
}

function structure(fields: Fields): Node {
  return { schema: { type: "object", properties: schemasOf(fields) }, value: valuesOf(fields) };
}

function atomic({ schema, value }: Node): Node {
  return { schema: { ...schema, ...atomicMap }, value };
}

function mapOfStructures(fields: Fields): Node {
  return {
    schema: { type: "object", additionalProperties: { type: "object", properties: schemasOf(fields) } },
    value: fc.dictionary(fc.constantFrom("k1", "k2"), valuesOf(fields), { minKeys: 1 }),
  };
}

/** Items include their keys, although the port has a default. */
function keyedList(fields: Fields, keys: readonly string[]): Node {
  const port = { type: "integer", default: 80 };
  const item = fc
    .tuple(word, fc.constantFrom(80, 81, 443), valuesOf(fields))
    .map(([name, number, others]) => ({
      ...others,
      name,
      ...(keys.includes("port") && { port: number }),
    }));
  return {
    schema: {
      type: "array",
      items: {
        type: "object",
        properties: { ...schemasOf(fields), name: text, ...(keys.includes("port") && { port }) },
      },
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": [...keys],
    },
    value: fc.uniqueArray(item, {
      minLength: 1,
      maxLength: 4,
      selector: ({ name, port: number }) => `${name} ${number}`,
    }),
  };
}

function schemasOf(fields: Fields): JsonObject {
  return Object.fromEntries(fields.map(([name, { schema }]) => [name, schema]));
}

/** At least the first field is present. */
function valuesOf(fields: Fields): fc.Arbitrary<JsonObject> {
  return someOf(
    fields,
    fields.slice(0, 1).map(([name]) => name),
  );
}

function someOf(fields: Fields, requiredKeys: string[]): fc.Arbitrary<JsonObject> {
  const values = Object.fromEntries(fields.map(([name, { value }]) => [name, value]));
  // Omitted keys are absent.
  return fc.record(values, { requiredKeys }) as fc.Arbitrary<JsonObject>;
}

/** Kinds whose objects have some fields from `a` to `d`, and a text `always`, which no configuration contains. */
export const widget: fc.Arbitrary<Widget> = structFields(3).map((fields) => {
  const properties = { ...schemasOf(fields), always: text };
  const openApiSchema = { type: "object", properties };
  const known = customKind({ openApiSchema, preserveUnknownFields: false, objectMeta: objectMeta() }, gvk);
  return {
    kind: {
      gvk,
      kindOf: (apiVersion) => (apiVersion === "example.com/v1" ? known : undefined),
      convert: () => undefined,
      // Configurations have all required fields.
      complete: (config) => ({ ...config }) as MutableKubeObject,
      store: (object) => object as KubeObject,
    },
    type: known.type,
    config: someOf(fields, []),
  };
});

function objectMeta(): StructSchema {
  const schema = catalogOf({ release: "1.32" }).type({ group: "meta", version: "v1" }, "ObjectMeta");
  if (schema?.type !== "struct") throw new Error("there is no ObjectMeta");
  return schema;
}
