import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { kindArbitrary, structArbitrary } from "../../../test/arbitraries/schema-arbitrary.ts";
import { formatGroupVersion, type GroupVersionKind } from "../../apimachinery/group-version.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import { catalogOf } from "../../catalog/catalog.ts";
import { catalogFiles } from "../../catalog/catalog-files.ts";
import type { StructSchema } from "../../catalog/type-schema.ts";
import { stringifyJson } from "./json-text.ts";
import { decodeMessage, decodeProtobuf, encodeMessage, encodeProtobuf } from "./protobuf.ts";

const catalog = catalogOf({ release: "1.32" });

interface Kind {
  readonly title: string;
  readonly gvk: GroupVersionKind;
  readonly schema: StructSchema;
}

/** Kinds that are in every group occur once. */
const kinds = [
  ...new Map(
    catalogFiles
      .keys()
      .flatMap(kindsOfFile)
      .map((kind) => [kind.schema, kind]),
  ).values(),
];

describe("every kind of 1.32", () => {
  test.each(kinds)("$title survives a round trip", ({ gvk, schema }) => {
    fc.assert(
      fc.property(kindArbitrary(gvk, schema), (object) => {
        const decoded = decodeProtobuf(encodeProtobuf(schema, object), (asked) => catalog.kind(asked), gvk);
        expectSame(decoded.object, object);
        expect(decoded.gvk).toEqual(gvk);
      }),
      { numRuns: 20 },
    );
  });

  test.each(kinds)("a $title without envelope survives a round trip", ({ schema }) => {
    fc.assert(
      fc.property(structArbitrary(schema), (object) => {
        expectSame(
          decodeMessage(schema, encodeMessage(schema, object), () => undefined),
          object,
        );
      }),
      { numRuns: 2 },
    );
  });
});

test("all kinds without a protobuf form are in the group meta.k8s.io", () => {
  const without = catalogFiles
    .keys()
    .flatMap(allKindsOfFile)
    .filter(({ schema }) => schema.message.length === 0 && schema.fields.length > 0);
  expect([...new Set(without.map(({ gvk }) => gvk.group))].sort()).toMatchInlineSnapshot(`
    [
      "meta.k8s.io",
    ]
  `);
});

function kindsOfFile(key: string): Kind[] {
  return allKindsOfFile(key).filter(({ schema }) => schema.message.length > 0 || schema.fields.length === 0);
}

function allKindsOfFile(key: string): Kind[] {
  const slash = key.lastIndexOf("/");
  const group = key.slice(0, slash);
  const gv = { group: { core: "", meta: "meta.k8s.io" }[group] ?? group, version: key.slice(slash + 1) };
  return [...catalog.kindsOf(gv)].map(([kind, schema]) => ({
    title: `${formatGroupVersion(gv)} ${kind}`,
    gvk: { ...gv, kind },
    schema,
  }));
}

/** Also compares the order of fields. */
function expectSame(actual: JsonObject, expected: JsonObject): void {
  if (stringifyJson(actual) !== stringifyJson(expected)) expect(actual).toEqual(expected);
  expect(stringifyJson(actual)).toBe(stringifyJson(expected));
}
