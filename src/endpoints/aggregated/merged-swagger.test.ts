import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../apimachinery/json.ts";
import { filteredSwagger, mergedSwagger } from "./merged-swagger.ts";

const ref = (name: string): JsonObject => ({ $ref: `#/definitions/${name}` });
const using = (...names: readonly string[]): JsonObject => ({ get: { responses: names.map(ref) } });
const kind = (group: string): JsonObject => ({ group, version: "v1", kind: "A" });
const text = { type: "string" };

test("a filtered document loses what only its other paths need", () => {
  const paths = { "/a/x": using("a"), "/b/x": using("b") };
  const definitions = { a: { items: ref("shared") }, b: { items: ref("shared"), not: ref("deep") } };
  const rest = { shared: ref("shared"), deep: text, unused: text };
  expect(filteredSwagger({ paths, definitions: { ...definitions, ...rest } }, "/a/")).toEqual({
    paths: { "/a/x": using("a") },
    definitions: { a: definitions.a, shared: rest.shared, unused: text },
  });
});

test("only references to definitions need these", () => {
  const paths = {
    "/a/x": { parameters: [{ $ref: "#/parameters/pa" }], description: "#/definitions/b" },
    "/b/x": using("a", "b", "c"),
  };
  const definitions = { a: text, b: text, c: { properties: { $ref: ref("d") } }, d: text };
  expect(filteredSwagger({ paths, definitions }, "/a/")["definitions"]).toEqual({});
  expect(filteredSwagger({ paths, definitions }, "/b/")["definitions"]).toEqual(definitions);
});

describe("a merged document", () => {
  const own = { info: {}, paths: { "/a": { get: {} } }, definitions: { a: text } };

  test("keeps its own paths, and gets others", () => {
    const merged = mergedSwagger(own, {
      paths: { "/a": using(), "/b": using("b") },
      definitions: { b: text },
    });
    expect(merged).toEqual({
      info: {},
      paths: { "/a": { get: {} }, "/b": using("b") },
      definitions: { a: text, b: text },
    });
  });

  test.each<[title: string, known: JsonObject, added: JsonObject, merged: JsonObject, used: string]>([
    ["shares equal definitions", { a: text }, { a: text }, { a: text }, "a"],
    ["renames other ones", { a: text }, { a: {} }, { a: text, a_v2: {} }, "a_v2"],
    [
      "counts on while names are taken",
      { a: text, a_v2: { type: "number" } },
      { a: {}, a_v3: text },
      { a: text, a_v2: { type: "number" }, a_v3: text, a_v4: {} },
      "a_v4",
    ],
    [
      "counts one by one",
      { a: text, a_v2: { type: "number" } },
      { a: {} },
      { a: text, a_v2: { type: "number" }, a_v3: {} },
      "a_v3",
    ],
    [
      "takes no name twice",
      { a: text, a_v3: { type: "number" } },
      { a: {}, a_v2: text },
      { a: text, a_v3: { type: "number" }, a_v2: text, a_v4: {} },
      "a_v4",
    ],
    [
      "adds the kinds that differ in any part",
      { a: { "x-kubernetes-group-version-kind": [kind("b"), "text"] } },
      {
        a: {
          "x-kubernetes-group-version-kind": [
            "text",
            { ...kind("b"), version: "v2" },
            { ...kind("b"), kind: "B" },
            kind("a"),
          ],
        },
      },
      {
        a: {
          "x-kubernetes-group-version-kind": [
            kind("a"),
            kind("b"),
            { ...kind("b"), kind: "B" },
            { ...kind("b"), version: "v2" },
          ],
        },
      },
      "a",
    ],
    ["leaves out what is no definition", { a: text }, { a: "text", b: null }, { a: text }, "a"],
    ["uses one that was renamed before", { a: text, a_v2: {} }, { a: {} }, { a: text, a_v2: {} }, "a_v2"],
    [
      "joins the kinds of equal definitions",
      { a: { "x-kubernetes-group-version-kind": [kind("b")] } },
      { a: { "x-kubernetes-group-version-kind": [kind("a"), kind("b")] } },
      { a: { "x-kubernetes-group-version-kind": [kind("a"), kind("b")] } },
      "a",
    ],
  ])("%s", (_title, known, added, definitions, used) => {
    const merged = mergedSwagger(
      { paths: {}, definitions: known },
      { paths: { "/b": using("a") }, definitions: added },
    );
    expect(merged).toEqual({ paths: { "/b": using(used) }, definitions });
  });

  test("renames within definitions, and parameters as well", () => {
    const other = {
      paths: { "/b": { parameters: [{ $ref: "#/parameters/p" }] } },
      definitions: { a: { items: ref("a") }, c: ref("a") },
      parameters: { p: { in: "path" } },
    };
    expect(mergedSwagger({ ...own, parameters: { p: { in: "query" } } }, other)).toMatchObject({
      paths: { "/b": { parameters: [{ $ref: "#/parameters/p_v2" }] } },
      definitions: { a: text, a_v2: { items: ref("a_v2") }, c: ref("a_v2") },
      parameters: { p: { in: "query" }, p_v2: { in: "path" } },
    });
  });

  test("changes references, and neither texts nor properties of that name", () => {
    const name = "#/definitions/a";
    const definition = { description: name, properties: { $ref: { items: ref("a"), default: null } } };
    const other = { paths: {}, definitions: { a: {}, b: definition } };
    expect(mergedSwagger(own, other)["definitions"]).toEqual({
      a: text,
      a_v2: {},
      b: { description: name, properties: { $ref: { items: ref("a_v2"), default: null } } },
    });
  });

  test("takes names of prototypes for names", () => {
    const definitions = JSON.parse('{"__proto__":{"type":"string"},"constructor":{}}') as JsonObject;
    const merged = mergedSwagger(own, { paths: { "/b": {} }, definitions });
    expect(Object.keys(merged["definitions"] ?? {})).toEqual(["a", "__proto__", "constructor"]);
  });
});
