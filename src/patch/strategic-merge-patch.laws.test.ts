import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { kindArbitrary } from "../../test/arbitraries/schema-arbitrary.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../apimachinery/json.ts";
import { catalogOf } from "../catalog/catalog.ts";
import { deepFreeze } from "../store/deep-freeze.ts";
import { applyStrategicMergePatch } from "./strategic-merge-patch.ts";

const pod = { group: "", version: "v1", kind: "Pod" };
const schema = catalogOf({ release: "1.32" }).kind(pod);
if (schema === undefined) throw new Error("no Pod");
const pods = kindArbitrary(pod, schema).map(deepFreeze);

function merged(document: JsonObject, patch: JsonObject): JsonObject {
  if (schema === undefined) throw new Error("no Pod");
  return applyStrategicMergePatch(document, patch, schema).document;
}

function withoutNulls(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isJsonObject(value)) return value;
  const kept = Object.entries(value).filter(([, item]) => item !== null);
  return Object.fromEntries(kept.map(([key, item]) => [key, withoutNulls(item)]));
}

describe("for any pods", () => {
  test("patching an empty object with a pod gives the pod without nulls", () => {
    fc.assert(
      fc.property(pods, (patch) => {
        expect(merged({}, patch)).toEqual(withoutNulls(patch));
      }),
      { numRuns: 50 },
    );
  });

  test("$patch: replace at the root gives the patch", () => {
    fc.assert(
      fc.property(pods, pods, (document, patch) => {
        expect(merged(document, { ...patch, $patch: "replace" })).toEqual(patch);
      }),
      { numRuns: 50 },
    );
  });
});

const names = fc.constantFrom("a", "b", "c", "d", "e");
const image = fc.option(fc.constantFrom("1", "2"), { nil: undefined });

function listOf<T extends { readonly name: string }>(elements: fc.Arbitrary<T>): fc.Arbitrary<T[]> {
  return fc.uniqueArray(elements, { selector: ({ name }) => name, minLength: 1, maxLength: 5 });
}

function present(object: { readonly [key: string]: JsonValue | undefined }): { name: string } & JsonObject {
  return JSON.parse(JSON.stringify(object));
}

/** Pods with a few fields; the elements of each list have unique names. */
const live = fc
  .record({
    containers: listOf(
      fc
        .record({ name: names, image, env: listOf(fc.record({ name: names, value: image }).map(present)) })
        .map(present),
    ),
    finalizers: fc.uniqueArray(names),
  })
  .map(({ containers, finalizers }) =>
    deepFreeze<JsonObject>({ metadata: { finalizers }, spec: { containers } }),
  );

/** Patches of these pods, which also delete by name and may set an order. */
const patches = fc
  .tuple(live, fc.uniqueArray(names), fc.uniqueArray(names), fc.boolean())
  .map(([{ metadata, spec }, gone, order, isOrdered]): JsonObject => {
    const { containers = [] } = spec as { readonly containers?: readonly JsonObject[] };
    const kept = containers.filter(({ name }) => !gone.some((other) => other === name));
    const deletions = gone.map((name) => ({ name, $patch: "delete" }));
    const wanted = order.filter((name) => !kept.some((element) => element.name === name));
    const setElementOrder = [
      ...kept.map(({ name }) => ({ name: name ?? null })),
      ...wanted.map((name) => ({ name })),
    ];
    return deepFreeze<JsonObject>({
      metadata: { ...(metadata as JsonObject), "$deleteFromPrimitiveList/finalizers": [] },
      spec: {
        ...(isOrdered && { "$setElementOrder/containers": setElementOrder }),
        containers: [...kept, ...deletions],
      },
    });
  });

function containerNames(object: JsonObject): JsonValue[] {
  const { containers = [] } = (object.spec ?? {}) as { readonly containers?: readonly JsonObject[] };
  return containers.map(({ name }) => name ?? null);
}

describe("for any pods with unique element names", () => {
  test("a patch is idempotent", () => {
    fc.assert(
      fc.property(live, patches, (document, patch) => {
        const once = merged(document, patch);
        expect(merged(once, patch)).toEqual(once);
      }),
      { numRuns: 500 },
    );
  });

  test("the result has the elements of the server and the patch without the deleted ones, each once", () => {
    fc.assert(
      fc.property(live, patches, (document, patch) => {
        const sent = (patch.spec as { readonly containers: readonly JsonObject[] }).containers;
        const gone = sent.filter(({ $patch }) => $patch !== undefined).map(({ name }) => name);
        const expected = new Set(
          [...containerNames(document), ...containerNames(patch)].filter(
            (name) => !gone.includes(name ?? ""),
          ),
        );
        const actual = containerNames(merged(document, patch));
        expect(new Set(actual)).toEqual(expected);
        expect(actual).toHaveLength(expected.size);
      }),
      { numRuns: 500 },
    );
  });

  test("the result keeps the order of the patch, and the server's order of the elements that only it has", () => {
    fc.assert(
      fc.property(live, patches, (document, patch) => {
        const result = containerNames(merged(document, patch));
        const ofPatch = containerNames(patch);
        const inPatch = result.filter((name) => ofPatch.includes(name));
        expect(inPatch).toEqual(ofPatch.filter((name) => result.includes(name)));
        const serverOnly = containerNames(document).filter(
          (name) => result.includes(name) && !ofPatch.includes(name),
        );
        const isOrdered = Object.keys(patch.spec ?? {}).length > 1;
        if (!isOrdered) expect(result.filter((name) => serverOnly.includes(name))).toEqual(serverOnly);
      }),
      { numRuns: 500 },
    );
  });
});
