import { describe, expect, test } from "vitest";
import { configMap, storedConfigMaps, writeOptions } from "../../../test/registry/stored-config-maps.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { DeleteOptions } from "../contract/rest.ts";
import { everything } from "../contract/selection-predicate.ts";
import type { StoredResource } from "../contract/stored-resource.ts";
import type { Strategy } from "../contract/strategy.ts";
import { GenericRegistry } from "./generic-registry.ts";

const key = { namespace: "n", name: "a" };
const created = "2024-01-01T00:00:00Z";

async function create(resource: StoredResource, metadata: JsonObject = { name: "a" }): Promise<void> {
  await new GenericRegistry(resource).create(key, configMap(metadata), writeOptions());
}

async function update(resource: StoredResource, metadata: JsonObject): Promise<void> {
  const propose = () => configMap({ name: "a", ...metadata });
  await new GenericRegistry(resource).update(key, propose, writeOptions());
}

const remove = (resource: StoredResource, options: Partial<DeleteOptions> = {}) =>
  new GenericRegistry(resource).delete(key, { ...writeOptions(), ...options });

describe("a delete", () => {
  test.each<[string, Partial<Strategy>, Partial<DeleteOptions>, boolean, object]>([
    ["removes the object", {}, {}, true, { immediate: true, returnsObject: false }],
    [
      "answers the object, if the kind does",
      { deleteReturnsObject: true },
      {},
      true,
      { immediate: true, returnsObject: true },
    ],
    ["in a dry run removes nothing", {}, { dryRun: true }, false, { immediate: true, returnsObject: false }],
    [
      "marks an object that waits",
      { gracePeriodSeconds: () => 30 },
      {},
      false,
      { immediate: false, returnsObject: true },
    ],
    [
      "in a dry run marks nothing",
      { gracePeriodSeconds: () => 30 },
      { dryRun: true },
      false,
      { immediate: false },
    ],
  ])("%s", async (_title, strategy, options, isGone, expected) => {
    const resource = storedConfigMaps(strategy);
    await create(resource);
    const before = resource.store.revision;
    const deleted = await remove(resource, options);
    expect(deleted).toMatchObject(expected);
    expect(resource.store.get("/registry/configmaps/n/a") === undefined).toBe(isGone);
    expect(resource.store.revision).toBe(options.dryRun ? before : before + 1);
    if (!options.dryRun) expect(deleted.object.value.metadata.resourceVersion).toBe(String(before + 1));
  });

  test.each<[Partial<DeleteOptions>, readonly string[]]>([
    [{}, ["dependents stay"]],
    [{ propagationPolicy: "Background" }, []],
    [{ orphanDependents: true }, []],
  ])("with %j warns of dependents that stay: %j", async (options, expected) => {
    const resource = storedConfigMaps({ orphanWarning: "dependents stay" });
    const warnings: string[] = [];
    await create(resource);
    await remove(resource, { ...writeOptions(warnings), ...options });
    expect(warnings).toEqual(expected);
  });

  test("that another write overtakes decides again", async () => {
    const resource = storedConfigMaps();
    await create(resource);
    const grown: string[] = [];
    const validateAdmission = async ({ metadata }: KubeObject) => {
      grown.push(metadata.resourceVersion ?? "");
      if (grown.length === 1) await update(resource, { finalizers: ["example.com/f"] });
    };
    const { object, immediate } = await remove(resource, { validateAdmission });
    expect([grown, immediate]).toEqual([["2", "3"], false]);
    expect(object.value.metadata).toMatchObject({
      deletionTimestamp: created,
      finalizers: ["example.com/f"],
      resourceVersion: "4",
    });
  });

  test("of a terminating object that keeps its end changes nothing", async () => {
    const resource = storedConfigMaps({ gracePeriodSeconds: (_object, requested) => requested ?? 30 });
    await create(resource);
    await remove(resource);
    const { revision } = resource.store;
    const pending = await remove(resource);
    expect(pending).toMatchObject({ immediate: false, returnsObject: true });
    expect([pending.object.value.metadata.resourceVersion, resource.store.revision]).toEqual([
      String(revision),
      revision,
    ]);
    await remove(resource, { gracePeriodSeconds: 10 });
    expect(resource.store.revision).toBe(revision + 1);
  });

  test("that finalizers hold back is repeated without a change", async () => {
    const resource = storedConfigMaps();
    await create(resource, { name: "a", finalizers: ["example.com/f"] });
    await remove(resource);
    const { revision } = resource.store;
    const asked: unknown[] = [];
    const validateAdmission = (_object: KubeObject, grace: number | undefined) => {
      asked.push(grace);
    };
    const again = await remove(resource, { validateAdmission });
    expect([again.immediate, asked, resource.store.revision]).toEqual([false, [undefined], revision]);
  });

  test("removes the dependents in the same write", async () => {
    const resource = storedConfigMaps({ dependentKeys: () => ["/registry/configmaps/n/b"] });
    await create(resource, { name: "b" });
    await create(resource);
    await remove(resource);
    expect(resource.store.range({ prefix: "/registry/" }).items).toEqual([]);
  });

  test("without a grace period of a kind that has one marks the object before it removes it", async () => {
    const resource = storedConfigMaps({ gracePeriodSeconds: (_object, requested) => requested ?? 30 });
    await create(resource);
    const watched = new GenericRegistry(resource).watch({
      namespace: "n",
      predicate: everything,
      from: "now",
      initialEvents: false,
      signal: new AbortController().signal,
    });
    const { immediate } = await remove(resource, { gracePeriodSeconds: 0 });
    expect(immediate).toBe(true);
    const metadata = { deletionTimestamp: created, deletionGracePeriodSeconds: 0 };
    expect(watched.drain()).toMatchObject([
      { type: "MODIFIED", object: { value: { metadata: { ...metadata, resourceVersion: "3" } } } },
      { type: "DELETED", object: { value: { metadata: { ...metadata, resourceVersion: "4" } } } },
    ]);
    watched.close();
  });

  test("of a name that the kind protects is refused before the object is looked for", async () => {
    const checkDeletion = (name: string) => {
      throw new Error(`${name} is protected`);
    };
    await expect(remove(storedConfigMaps({ checkDeletion }))).rejects.toThrow("a is protected");
    await expect(remove(storedConfigMaps())).rejects.toThrow('configmaps "a" not found');
  });
});

test("a delete checks its preconditions", async () => {
  const resource = storedConfigMaps();
  await create(resource);
  await expect(remove(resource, { preconditions: { uid: "other" } })).rejects.toMatchObject({ code: 409 });
  expect(resource.store.get("/registry/configmaps/n/a")).toBeDefined();
});
