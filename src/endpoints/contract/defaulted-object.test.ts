import { expect, test } from "vitest";
import type { MutableJsonObject } from "../../apimachinery/json.ts";
import { featureGates } from "../../catalog/feature-gates.ts";
import { asKubeObject, type Defaults, defaultedObject } from "./defaulted-object.ts";

const gvk = { group: "example.com", version: "v1", kind: "Widget" };

test.each<[object: MutableJsonObject, metadata: object]>([
  [{}, {}],
  [{ kind: "Other", apiVersion: "v9", metadata: { name: "a" } }, { name: "a" }],
  [{ metadata: "text" }, {}],
  [{ metadata: null }, {}],
])("%j becomes an object of the kind", (object, metadata) => {
  const result = asKubeObject(object, gvk);
  expect(result).toBe(object);
  expect(result).toEqual({ apiVersion: "example.com/v1", kind: "Widget", metadata });
});

test("the defaults of the schema come first, and those of the version see them", () => {
  const gates = featureGates("1.32");
  const seen: unknown[] = [];
  const defaults = {
    gates,
    schema: {
      setDefaults: (object: MutableJsonObject) => {
        object["size"] ??= 1;
      },
    },
    defaultsOf: (of: unknown) => (object: MutableJsonObject, given: unknown) => {
      seen.push(of, given);
      object["doubled"] = Number(object["size"]) * 2;
    },
  };
  // The function reads nothing else of a schema.
  const result = defaultedObject({}, gvk, defaults as unknown as Defaults);
  expect(result).toMatchObject({ kind: "Widget", size: 1, doubled: 2 });
  expect(seen).toEqual([gvk, gates]);
});

test("a version may have no defaults", () => {
  const defaults = {
    gates: featureGates("1.32"),
    schema: { setDefaults: () => {} },
    defaultsOf: () => undefined,
  };
  expect(defaultedObject({}, gvk, defaults as unknown as Defaults)).toEqual({
    apiVersion: "example.com/v1",
    kind: "Widget",
    metadata: {},
  });
});
