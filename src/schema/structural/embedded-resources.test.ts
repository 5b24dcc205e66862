import { describe, expect, test } from "vitest";
import { DecodeError } from "../../apimachinery/decode-error.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../apimachinery/json.ts";
import { sinceOf } from "../../apimachinery/release.ts";
import { coerceEmbedded, type EmbeddedReading } from "./embedded-resources.ts";
import { structural } from "./structural-schema.ts";

const resource = { type: "object", "x-kubernetes-embedded-resource": true };

/** Metadata with a name and labels. */
const read: EmbeddedReading["read"] = (sent) => {
  const value = sent ?? {};
  if (!isJsonObject(value)) throw new DecodeError("not metadata");
  for (const [field, found] of Object.entries(value)) {
    const isValid = field === "labels" ? isJsonObject(found) : typeof found === "string";
    if (!isValid) throw new DecodeError(`no ${field}`);
  }
  const { name, labels, ...rest } = value;
  return {
    metadata: { ...(labels !== undefined && { labels }), ...(name !== undefined && { name }) },
    strictErrors: Object.keys(rest).map((field) => `unknown field "${field}"`),
  };
};

function coerced(
  value: JsonObject,
  schema: JsonObject,
  wrongTypes: EmbeddedReading["wrongTypes"] = "refused",
): unknown {
  const reading = { read, wrongTypes, since: sinceOf("1.32") };
  return coerceEmbedded<JsonValue>(value, structural(schema), reading);
}

function foo(metadata: JsonValue, more: JsonObject = {}): JsonObject {
  return { apiVersion: "foo/v1", kind: "Foo", metadata, ...more };
}

const places = {
  type: "object",
  properties: {
    one: resource,
    outer: { ...resource, properties: { spec: { type: "object", properties: { inner: resource } } } },
    list: { type: "array", items: resource },
    map: { type: "object", additionalProperties: resource },
    plain: { type: "object" },
  },
};

describe("metadata of embedded resources", () => {
  test("loses unknown fields wherever the schema has a resource, and nowhere else", () => {
    const sent = foo({ name: "a", x: "1" });
    const kept = foo({ name: "a" });
    const value = {
      metadata: { x: 1 },
      one: foo({ x: "1" }, { x: 1 }),
      outer: { ...sent, spec: { inner: sent, x: 1 } },
      list: [sent, null],
      map: { "a.b": sent },
      plain: { metadata: { x: 1 } },
    };
    expect(coerced(value, places)).toEqual({
      value: {
        ...value,
        one: foo({}, { x: 1 }),
        outer: { ...kept, spec: { inner: kept, x: 1 } },
        list: [kept, null],
        map: { "a.b": kept },
      },
      strictErrors: [
        'unknown field "list[0].metadata.x"',
        'unknown field "map[a.b].metadata.x"',
        'unknown field "one.metadata.x"',
        'unknown field "outer.metadata.x"',
        'unknown field "outer.spec.inner.metadata.x"',
      ],
    });
  });

  test("of null is empty", () => {
    expect(coerced({ one: foo(null) }, places)).toMatchObject({ value: { one: foo({}) } });
  });

  test("shares what it does not change", () => {
    const plain = { a: {} };
    const { value } = coerceEmbedded({ plain, one: foo({ x: "1" }) }, structural(places), {
      read,
      wrongTypes: "refused",
      since: sinceOf("1.32"),
    });
    expect(value.plain).toBe(plain);
  });
});

describe("fields of wrong types", () => {
  test.each<[sent: JsonObject, message: string]>([
    [{ one: { apiVersion: 42 } }, "one.apiVersion: Invalid value: 42: must be a string"],
    [{ list: [{}, { kind: null }] }, 'list[1].kind: Invalid value: "null": must be a string'],
    [{ map: { a: foo([42]) } }, "map[a].metadata: Invalid value: []interface {}{42}: not metadata"],
    [
      { one: foo({ labels: 1 }) },
      'one.metadata: Invalid value: map[string]interface {}{"labels":1}: no labels',
    ],
  ])("are refused: %j", (sent, message) => {
    expect(() => coerced(sent, places)).toThrow(expect.objectContaining({ name: "DecodeError", message }));
  });

  test.each<[title: string, sent: JsonObject, kept: JsonObject]>([
    [
      "one by one",
      { one: { apiVersion: 42, kind: 42, metadata: { name: "a", labels: 1, x: "1" } } },
      { one: { metadata: { name: "a" } } },
    ],
    [
      "but for metadata that is no object",
      { one: { apiVersion: 42, metadata: [42] } },
      { one: { metadata: [42] } },
    ],
  ])("are dropped on reads, %s", (_title, sent, kept) => {
    expect(coerced(sent, places, "dropped")).toMatchObject({ value: kept });
    expect(coerced(sent, places, "dropped")).toHaveProperty("value", kept);
  });
});
