import { describe, expect, test } from "vitest";
import type { FieldSchema, Schema } from "../schema/structural-schema.ts";
import { builtinFileKeys } from "./builtin.ts";
import { catalogOf } from "./catalog.ts";

const releases = Array.from({ length: 21 }, (_, index) => `1.${16 + index}`);

const everyGroupVersion = builtinFileKeys().map((key) => {
  const [group = "", version = ""] = key.split("/");
  return { group: group === "core" ? "" : group, version };
});

/** Touches every part of a schema, so that what cannot be resolved throws. */
function walk(schema: Schema, seen: Set<Schema>): void {
  if (seen.has(schema)) return;
  seen.add(schema);
  if (schema.type === "list") walk(schema.items, seen);
  if (schema.type === "map") walk(schema.values, seen);
  if (schema.type === "either") for (const alternative of schema.alternatives) walk(alternative, seen);
  if (schema.type === "struct" || schema.type === "either") {
    const names = schema.fields.map((field: FieldSchema) => field.name);
    expect(new Set(names).size, `${schema.name} names a field twice`).toBe(names.length);
    for (const field of schema.fields) walk(field.schema, seen);
    const numbers = schema.message.map(({ number }) => number);
    expect(new Set(numbers).size, `${schema.name} gives a number twice`).toBe(numbers.length);
  }
}

describe.each(releases)("release %s", (release) => {
  const catalog = catalogOf({ release });

  test("resolves every type of every group and version", () => {
    const seen = new Set<Schema>();
    for (const gv of everyGroupVersion) for (const schema of catalog.types(gv).values()) walk(schema, seen);
    expect(seen.size).toBeGreaterThan(900);
  });

  test("knows the kinds of all that is served, and their lists", () => {
    for (const gv of catalog.groupVersions()) {
      const resources = catalog.resources(gv);
      expect(resources.length).toBeGreaterThan(0);
      for (const resource of resources) {
        expect(catalog.resource({ ...gv, resource: resource.resource })).toBe(resource);
        expect(catalog.kind({ ...gv, kind: resource.kind }), resource.kind).toBeDefined();
        if (resource.verbs.includes("list")) {
          const list = catalog.kind({ ...gv, kind: `${resource.kind}List` });
          expect(list?.field("items")?.schema.type, resource.kind).toBe("list");
          expect(list?.field("metadata")?.schema).toBe(
            catalog.type({ group: "meta", version: "v1" }, "ListMeta"),
          );
        }
        for (const [name, { gvk }] of resource.subresources) {
          expect(catalog.kind(gvk), `${resource.resource}/${name}: ${gvk.kind}`).toBeDefined();
        }
      }
    }
  });
});
