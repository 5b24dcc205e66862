import { describe, expect, test } from "vitest";
import { OwnedObject, type TestKind } from "../../../test/arbitraries/owned-object.ts";
import { formatGroupVersion } from "../../apimachinery/group-version.ts";
import type { JsonObject, JsonValue } from "../../apimachinery/json.ts";
import type { KubeObject, MutableKubeObject } from "../../apimachinery/object-meta.ts";
import { catalogOf } from "../../catalog/catalog.ts";
import type { StructSchema } from "../../catalog/type-schema.ts";
import { customKind } from "./apply-kind.ts";

const objectMeta = objectMetaSchema();

function objectMetaSchema(): StructSchema {
  const schema = catalogOf({ release: "1.32" }).type({ group: "meta", version: "v1" }, "ObjectMeta");
  if (schema?.type !== "struct") throw new Error("there is no ObjectMeta");
  return schema;
}

const text = { type: "string" };
const texts = { type: "array", items: text };
const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: "object",
  properties,
  ...more,
});

/** Kinds of example.com, each version with its schema. Objects are converted by renaming `a` to `b`, and back. */
function versionsOf(schemas: { readonly [version: string]: JsonObject }): (version: string) => TestKind {
  const kindOf = (apiVersion: string) => {
    const [group = "", version = ""] = apiVersion.split("/");
    const openApiSchema = schemas[version];
    if (openApiSchema === undefined) return undefined;
    const gvk = { group, version, kind: "Widget" };
    return customKind({ openApiSchema, preserveUnknownFields: false, objectMeta }, gvk);
  };
  return (version) => ({
    gvk: { group: "example.com", version, kind: "Widget" },
    kindOf,
    convert: (from, apiVersion) => {
      if (kindOf(apiVersion) === undefined) return undefined;
      const { a, b, ...others } = from;
      const renamed: JsonValue = a ?? b ?? null;
      const name = apiVersion === "example.com/v2" ? "b" : "a";
      return { ...others, apiVersion, ...(renamed !== null && { [name]: renamed }) };
    },
    // Configurations are complete.
    complete: (config) => ({ ...config }) as MutableKubeObject,
    store: (whole) => whole as KubeObject,
  });
}

describe("an object that was applied in one version", () => {
  const widget = versionsOf({ v1: object({ a: text, c: text }), v2: object({ b: text, c: text }) });
  const applied = (): OwnedObject => new OwnedObject(widget("v1")).apply("me", { a: "1", c: "1" });

  test("conflicts with applies in another version, and reports field names of its own version", () => {
    const other = applied().as(widget("v2"));
    expect(() => other.apply("you", { b: "2" })).toThrow('conflict with "me": .a');
    expect(() => other.apply("you", { c: "2" })).toThrow('conflict with "me": .c');
  });

  test("keeps the same entry when it is applied in another version", () => {
    const other = applied().as(widget("v2")).apply("me", { b: "2", c: "1" });
    expect(other.live).toMatchObject({ apiVersion: "example.com/v2", b: "2", c: "1" });
    expect(other.entries).toMatchObject([{ manager: "me", apiVersion: "example.com/v2" }]);
    expect(other.owners()).toEqual({ me: [".b", ".c"] });
  });

  test("loses fields that the apply in the new version omits", () => {
    const other = applied().as(widget("v2")).apply("me", { c: "1" });
    expect(other.live["b"]).toBeUndefined();
    expect(other.owners()).toEqual({ me: [".c"] });
  });

  test("keeps the fields of other managers in other versions", () => {
    const other = applied().apply("you", { a: "1" }).as(widget("v2")).apply("me", { c: "1" });
    expect(other.live["b"]).toBe("1");
    expect(other.owners()).toEqual({ you: [".a"], me: [".c"] });
  });

  test("has one entry for each version of an updater", () => {
    const other = applied().patch("w", { c: "2" }).as(widget("v2")).write("w", { b: "2", c: "2" });
    expect(other.owners()).toEqual({
      "w (Update example.com/v1)": [".c"],
      "w (Update example.com/v2)": [".b"],
    });
  });

  test("has no owner once its version is no longer served", () => {
    const left = versionsOf({ v2: object({ b: text, c: text }) });
    const live = {
      apiVersion: formatGroupVersion(widget("v2").gvk),
      kind: "Widget",
      metadata: { name: "x", uid: "1" },
      b: "1",
      c: "1",
    };
    const { entries } = applied().apply("you", { c: "1" });
    const cell = {
      live: { ...live, metadata: { ...live.metadata, managedFields: [...entries] } },
      seconds: 5,
    };
    const other = new OwnedObject(left("v2"), cell).apply("they", { b: "2" });
    expect(other.owners()).toEqual({ they: [".b"] });
  });
});

/** Types in their atomic and granular declarations, and a value with two parts. */
const topologies: readonly {
  readonly title: string;
  readonly atomic: JsonObject;
  readonly granular: JsonObject;
  readonly values: readonly [JsonValue, JsonValue];
  readonly both: JsonValue;
  readonly paths: readonly [readonly string[], readonly string[]];
}[] = [
  {
    title: "a structure",
    atomic: object({ x: text, y: text }, { "x-kubernetes-map-type": "atomic" }),
    granular: object({ x: text, y: text }),
    values: [{ x: "1" }, { y: "1" }],
    both: { x: "1", y: "1" },
    paths: [[".a.x"], [".a.y"]],
  },
  {
    title: "a map",
    atomic: { type: "object", additionalProperties: text, "x-kubernetes-map-type": "atomic" },
    granular: { type: "object", additionalProperties: text, "x-kubernetes-map-type": "granular" },
    values: [{ k: "1" }, { l: "1" }],
    both: { k: "1", l: "1" },
    paths: [[".a.k"], [".a.l"]],
  },
  {
    title: "a set",
    atomic: { ...texts, "x-kubernetes-list-type": "atomic" },
    granular: { ...texts, "x-kubernetes-list-type": "set" },
    values: [["1"], ["2"]],
    both: ["1", "2"],
    paths: [['.a[="1"]'], ['.a[="2"]']],
  },
  {
    title: "a keyed list",
    atomic: { type: "array", items: object({ name: text }) },
    granular: {
      type: "array",
      items: object({ name: text }),
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["name"],
    },
    values: [[{ name: "1" }], [{ name: "2" }]],
    both: [{ name: "1" }, { name: "2" }],
    paths: [
      ['.a[name="1"]', '.a[name="1"].name'],
      ['.a[name="2"]', '.a[name="2"].name'],
    ],
  },
];

describe.each(topologies)(
  "$title",
  ({ atomic, granular, values: [one, two], both, paths: [first, second] }) => {
    const asWhole = versionsOf({ v1: object({ a: atomic, c: text }) })("v1");
    const inParts = versionsOf({ v1: object({ a: granular, c: text }) })("v1");
    const ownedInParts = (): OwnedObject =>
      new OwnedObject(inParts).apply("me", { a: one }).apply("you", { a: two });
    const ownedAsWhole = (): OwnedObject => new OwnedObject(asWhole).apply("me", { a: one });

    test("changed from granular to atomic belongs to all owners of its parts", () => {
      const after = ownedInParts().as(asWhole).apply("me", { a: both });
      expect(after.live["a"]).toEqual(both);
      expect(after.owners()).toEqual({ me: [".a"], you: [".a"] });
    });

    test("changed from granular to atomic conflicts as a whole", () => {
      expect(() => ownedInParts().as(asWhole).apply("they", { a: two })).toThrow(
        'Apply failed with 2 conflicts: conflicts with "me":\n- .a\nconflicts with "you":\n- .a',
      );
    });

    test("changed from granular to atomic belongs to its owners as a whole after writes to other fields", () => {
      const after = ownedInParts().as(asWhole).patch("w", { c: "1" });
      expect(after.owners()).toEqual({ me: [".a"], you: [".a"], "w (Update example.com/v1)": [".c"] });
    });

    test("changed from atomic to granular keeps its owner, and does not conflict", () => {
      const after = ownedAsWhole().as(inParts).apply("you", { a: two });
      expect(after.live["a"]).toEqual(both);
      expect(after.owners()).toEqual({ me: [".a"], you: [...second] });
    });

    test("changed from atomic to granular is owned by its parts after the next apply", () => {
      const after = ownedAsWhole().as(inParts).apply("me", { a: one });
      expect(after.owners()).toEqual({ me: [...first] });
    });

    test("changed from atomic to granular is removed when its owner omits it and no other manager owns a part", () => {
      const after = ownedAsWhole().as(inParts).apply("me", {});
      expect(after.live["a"]).toBeUndefined();
      expect(after.owners()).toEqual({});
    });
  },
);

describe("an object that no longer fits its schema", () => {
  const asText = versionsOf({ v1: object({ a: text }) });
  const asNumber = versionsOf({ v1: object({ a: { type: "integer" } }) });
  const widget = (): OwnedObject => new OwnedObject(asText("v1")).apply("me", { a: "1" }).as(asNumber("v1"));

  test("refuses an apply", () => {
    expect(() => widget().apply("me", { a: 1 })).toThrow(
      "failed to create typed live object (/x; example.com/v1, Kind=Widget): .a: expected numeric (int or float), got string",
    );
  });

  test("refuses the first apply", () => {
    const untracked = widget().write("w", { a: 1 }).as(asText("v1"));
    expect(() => untracked.apply("me", { a: "1" })).toThrow(
      "failed to create manager for existing fields: failed to convert new object (/x; example.com/v1, Kind=Widget) to smd typed: .a: expected string, got &value.valueUnstructured{Value:1}",
    );
  });

  test("loses its entries when it is updated", () => {
    expect(widget().write("w", { a: 1 }).entries).toEqual([]);
  });
});

test("an object that is written with a value of another type has no entries", () => {
  const widget = versionsOf({ v1: object({ a: text, c: text }) })("v1");
  expect(new OwnedObject(widget).apply("me", { a: "1" }).write("w", { a: "1", c: 1 }).entries).toEqual([]);
});

test("managedFields of null in a configuration are no part of the object", () => {
  const widget = versionsOf({ v1: object({ a: text }) })("v1");
  const { live } = new OwnedObject(widget).apply("me", { metadata: { managedFields: null } });
  expect(live.metadata).toEqual({ name: "x", uid: "1" });
});

test("an item that cannot be identified in the version of another manager is an error of the server", () => {
  const list = { type: "array", items: object({ name: text }) };
  const keyed = { "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"] };
  const widget = versionsOf({ v1: object({ a: list }), v2: object({ b: { ...list, ...keyed } }) });
  const applied = new OwnedObject(widget("v2")).apply("me", { b: [{ name: "x" }] });
  expect(() => applied.as(widget("v1")).apply("you", { a: [{}] }, "forced")).toThrow(
    expect.objectContaining({ code: 500, message: expect.stringContaining('omits key field "name"') }),
  );
});
