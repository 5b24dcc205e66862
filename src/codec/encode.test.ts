import { expect, test } from "vitest";
import type { JsonObject } from "../apimachinery/json.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import { catalogOf } from "../catalog/catalog.ts";
import { builtInKindSchema } from "../schema/built-in-schema.ts";
import { deepFreeze } from "../store/deep-freeze.ts";
import { transient } from "./encodable.ts";
import { jsonDocument } from "./encode.ts";
import { encodedForms } from "./encoded-forms.ts";
import type { EncodingTarget } from "./encoding-target.ts";

const gvk = { group: "", version: "v1", kind: "ConfigMap" };

/** Encodes objects of a kind that was not encoded before. */
function writer(): (object: KubeObject) => string {
  const schema = builtInKindSchema(catalogOf({ release: "1.32" }), gvk);
  if (schema === undefined) throw new Error("there are ConfigMaps in every release");
  const target: EncodingTarget = { gvk, schema, listSchema: undefined, forms: encodedForms(gvk) };
  return (object) => new TextDecoder().decode(jsonDocument(transient(object), target, "read"));
}

const documentsOf = (...objects: readonly KubeObject[]): readonly string[] => objects.map(writer());

const configMap = (name: string, data: JsonObject, more: JsonObject = {}): KubeObject => ({
  kind: "ConfigMap",
  apiVersion: "v1",
  metadata: { name },
  data,
  ...more,
});
const textOf = (name: string, data: string, more = ""): string =>
  `{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"${name}"},"data":${data}${more}}\n`;

test("objects are encoded correctly, whatever parts they share with the previous one", () => {
  const data = { "10": "<a>", "9": "ü" };
  const shared = deepFreeze(data);
  const text = String.raw`{"10":"\u003ca\u003e","9":"ü"}`;
  expect(
    documentsOf(
      configMap("a", shared),
      configMap("b", shared),
      configMap("c", { a: "b" }),
      configMap("d", shared),
    ),
  ).toEqual([textOf("a", text), textOf("b", text), textOf("c", '{"a":"b"}'), textOf("d", text)]);
});

test("a mutable part is encoded again", () => {
  const data = { a: "0" };
  const write = writer();
  expect(write(configMap("a", data))).toBe(textOf("a", '{"a":"0"}'));
  data.a = "1";
  expect(write(configMap("a", data))).toBe(textOf("a", '{"a":"1"}'));
});

test("fields with numeric names are in the order of their text", () => {
  const more = { "9": 1, "10": 2 };
  expect(documentsOf(configMap("a", {}, more))).toEqual([
    '{"10":2,"9":1,"apiVersion":"v1","data":{},"kind":"ConfigMap","metadata":{"name":"a"}}\n',
  ]);
});

test("kinds with more fields than the cache holds are encoded completely", () => {
  const names = Array.from({ length: 40 }, (_, i) => `field${i}`);
  const more = Object.fromEntries(names.map((name) => [name, name]));
  const text = names.map((name) => `,"${name}":"${name}"`).join("");
  const objects = ["a", "b"].map((name) => configMap(name, {}, more));
  expect(documentsOf(...objects)).toEqual(["a", "b"].map((name) => textOf(name, "{}", text)));
});

test("texts with characters of several bytes are whole, however many there are", () => {
  for (const character of ["ü", "€", "😀"]) {
    for (let count = 0; count < 130; count++) {
      const text = character.repeat(count);
      expect(documentsOf(configMap("a", { text }))).toEqual([textOf("a", `{"text":"${text}"}`)]);
    }
  }
});
