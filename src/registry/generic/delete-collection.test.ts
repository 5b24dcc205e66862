import { describe, expect, test } from "vitest";
import { configMap, storedConfigMaps, writeOptions } from "../../../test/registry/stored-config-maps.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { DeleteOptions, ListQuery } from "../contract/rest.ts";
import { everything } from "../contract/selection-predicate.ts";
import type { StoredResource } from "../contract/stored-resource.ts";
import { GenericRegistry } from "./generic-registry.ts";

const prefix = "/registry/configmaps/";

function stored(names: readonly string[]): StoredResource {
  const resource = storedConfigMaps();
  for (const name of names) {
    const value = configMap({ name, uid: name });
    void resource.store.guaranteedUpdate(`${prefix}n/${name}`, () => ({ type: "put", value }));
  }
  return resource;
}

const namesOf = (items: readonly { readonly value: KubeObject }[]) =>
  items.map(({ value }) => value.metadata.name);
const left = ({ store }: StoredResource) => namesOf(store.range({ prefix }).items);

async function deleteAll(
  resource: StoredResource,
  query: Partial<ListQuery> = {},
  options: Partial<DeleteOptions> = {},
) {
  const all = { namespace: "n", predicate: everything, limit: 0, continueToken: "" };
  return new GenericRegistry(resource).deleteCollection(
    { ...all, freshness: { at: "newest" }, ...query },
    { ...writeOptions(), ...options },
  );
}

describe("the deletion of a collection", () => {
  test("removes all objects of the namespace, and answers them", async () => {
    const resource = stored(["a", "b"]);
    const elsewhere = configMap({ name: "a", namespace: "o", uid: "o" });
    await resource.store.guaranteedUpdate(`${prefix}o/a`, () => ({ type: "put", value: elsewhere }));
    expect(namesOf((await deleteAll(resource)).items)).toEqual(["a", "b"]);
    expect(resource.store.range({ prefix }).items.map(({ key }) => key)).toEqual([`${prefix}o/a`]);
  });

  test("with a limit removes one page, and says how to go on", async () => {
    const resource = stored(["a", "b", "c"]);
    const first = await deleteAll(resource, { limit: 2 });
    expect([namesOf(first.items), left(resource)]).toEqual([["a", "b"], ["c"]]);
    const { continueToken = "" } = first;
    expect(continueToken).not.toBe("");
    const rest = await deleteAll(resource, { limit: 2, continueToken });
    expect([namesOf(rest.items), rest.continueToken, left(resource)]).toEqual([["c"], undefined, []]);
  });

  test("without a limit reads pages of ten thousand, and answers their objects with the metadata of the first", async () => {
    const names = Array.from({ length: 20_001 }, (_, n) => `a${String(n).padStart(5, "0")}`);
    const resource = stored(names);
    const first = await deleteAll(resource, { limit: 10_000 }, { dryRun: true });
    const pages: (number | undefined)[] = [];
    const { store } = resource;
    const range = store.range.bind(store);
    store.range = (options) => {
      pages.push(options.limit);
      return range(options);
    };
    const all = await deleteAll(resource, {}, { dryRun: true });
    expect([all.items.length, all.items.at(-1)?.value.metadata.name]).toEqual([20_001, "a20000"]);
    expect(all).toMatchObject({ continueToken: first.continueToken, resourceVersion: first.resourceVersion });
    expect(pages).toEqual([10_000, 10_000, 10_000]);
  });

  test("passes over objects that are deleted meanwhile", async () => {
    const resource = stored(["a", "b", "c"]);
    const validateAdmission = async ({ metadata }: KubeObject) => {
      if (metadata.name === "a")
        await resource.store.guaranteedUpdate(`${prefix}n/b`, () => ({ type: "delete" }));
    };
    const { items } = await deleteAll(resource, {}, { validateAdmission });
    expect([namesOf(items), left(resource)]).toEqual([["a", "b", "c"], []]);
  });

  test("ends with the first error", async () => {
    const resource = stored(["a", "b", "c"]);
    const validateAdmission = ({ metadata }: KubeObject) => {
      if (metadata.name === "b") throw new Error("b stays");
    };
    await expect(deleteAll(resource, {}, { validateAdmission })).rejects.toThrow("b stays");
    expect(left(resource)).toEqual(["b", "c"]);
  });

  test.each<[Partial<DeleteOptions>, readonly string[]]>([
    [{}, ["dependents stay"]],
    [{ propagationPolicy: "Background" }, []],
    [{ orphanDependents: false }, []],
  ])("with %j warns of dependents that stay once: %j", async (options, expected) => {
    const resource = stored(["a", "b"]);
    const strategy = { ...resource.strategy, orphanWarning: "dependents stay" };
    const warnings: string[] = [];
    await deleteAll({ ...resource, strategy }, {}, { ...writeOptions(warnings), ...options });
    expect(warnings).toEqual(expected);
  });
});
