import { describe, expect, test } from "vitest";
import { configMap, storedConfigMaps, writeOptions } from "../../../test/registry/stored-config-maps.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { CreateOptions, DeleteOptions, UpdateOptions } from "../contract/rest.ts";
import type { StoredResource } from "../contract/stored-resource.ts";
import type { Strategy } from "../contract/strategy.ts";
import { GenericRegistry } from "./generic-registry.ts";

const key = { namespace: "n", name: "a" };
const created = "2024-01-01T00:00:00Z";

async function create(
  resource: StoredResource,
  metadata: JsonObject = { name: "a" },
  options: Partial<CreateOptions> = {},
): Promise<KubeObject> {
  const sent = configMap(metadata);
  const answer = await new GenericRegistry(resource).create(key, sent, { ...writeOptions(), ...options });
  return "object" in answer ? answer.object.value : configMap({});
}

/** The metadata after an update that sends this. */
async function update(
  resource: StoredResource,
  metadata: JsonObject,
  data: JsonObject = {},
  options: Partial<UpdateOptions> = {},
) {
  const propose = () => configMap({ name: "a", ...metadata }, data);
  const all = { ...writeOptions(), ...options };
  const { object, created: isNew } = await new GenericRegistry(resource).update(key, propose, all);
  return { ...object.value.metadata, isNew };
}

const remove = (resource: StoredResource, options: Partial<DeleteOptions> = {}) =>
  new GenericRegistry(resource).delete(key, { ...writeOptions(), ...options });

/** Every write notes what it begins and finishes. */
function allocating(): { readonly strategy: Partial<Strategy>; readonly log: string[] } {
  const log: string[] = [];
  const beginWrite: Strategy["beginWrite"] = (_object, old) => {
    log.push(old === undefined ? "begin" : "begin again");
    return () => log.push("finish");
  };
  return { strategy: { beginWrite }, log };
}

describe("a create", () => {
  test("has the uid, the time and the first generation of the server", async () => {
    const resource = storedConfigMaps();
    const { metadata } = await create(resource);
    expect(metadata).toMatchObject({
      uid: "uid-1",
      creationTimestamp: created,
      generation: 1,
      resourceVersion: "2",
    });
    expect(resource.latest.object).toBe(resource.store.get("/registry/configmaps/n/a")?.value);
  });

  test.each([
    ["", undefined],
    ["0", "0"],
    ["7", "7"],
    ["x", "x"],
  ])(
    "in a dry run answers the resourceVersion %j that the client sent",
    async (resourceVersion, expected) => {
      const resource = storedConfigMaps();
      const { metadata } = await create(resource, { name: "a", resourceVersion }, { dryRun: true });
      expect(metadata.resourceVersion).toBe(expected);
      expect(resource.store.get("/registry/configmaps/n/a")).toBeUndefined();
    },
  );

  test.each([
    ["1", 500],
    ["18446744073709551615", 500],
    ["0001", 500],
    ["18446744073709551616", undefined],
    ["000000000000000000000000", undefined],
    ["-1", undefined],
    ["1x", undefined],
    ["0", undefined],
  ])("with the resourceVersion %j fails with %j", async (resourceVersion, code) => {
    const sent = create(storedConfigMaps(), { name: "a", resourceVersion });
    const outcome = await sent.then(
      () => undefined,
      (error) => [error.code, error.message],
    );
    expect(outcome).toEqual(code && [code, "resourceVersion should not be set on objects to be created"]);
  });

  test.each([[false], [true]])("of a name that exists says if that goes (dry run: %j)", async (dryRun) => {
    const resource = storedConfigMaps();
    await create(resource, { name: "a", finalizers: ["example.com/f"] });
    await expect(create(resource, { name: "a" }, { dryRun })).rejects.toThrow(
      /^configmaps "a" already exists$/,
    );
    await remove(resource);
    await expect(create(resource, { name: "a" }, { dryRun })).rejects.toThrow(
      /^object is being deleted: configmaps "a" already exists$/,
    );
  });

  test("warns, and finishes what it began even if it fails", async () => {
    const { strategy, log } = allocating();
    const resource = storedConfigMaps({ ...strategy, warningsOnCreate: () => ["careful"] });
    const warnings: string[] = [];
    await create(resource, { name: "a" }, writeOptions(warnings));
    await expect(create(resource, { name: "A" }, writeOptions(warnings))).rejects.toMatchObject({
      code: 422,
    });
    expect([warnings, log]).toEqual([["careful"], ["begin", "finish", "begin", "finish"]]);
  });

  test("of a kind that counts no generations has none", async () => {
    const { metadata } = await create(storedConfigMaps({ countsGeneration: undefined }));
    expect(metadata.generation).toBeUndefined();
  });

  test("waits for those who decide who may write, and stores nothing if they refuse", async () => {
    const authorizeWrite: Strategy["authorizeWrite"] = async () => {
      await Promise.resolve();
      throw new Error("refused");
    };
    const resource = storedConfigMaps({ authorizeWrite });
    await expect(create(resource)).rejects.toThrow("refused");
    expect(resource.store.get("/registry/configmaps/n/a")).toBeUndefined();
  });

  test("asks who may write, with the key of the request", async () => {
    const asked: unknown[] = [];
    const authorizeWrite: Strategy["authorizeWrite"] = async (object, old, at, { name }) => {
      asked.push([object.metadata.name, old?.metadata.name, at.namespace, at.name, name]);
    };
    const resource = storedConfigMaps({ authorizeWrite });
    await create(resource);
    await update(resource, { labels: { a: "b" } });
    expect(asked).toEqual([
      ["a", undefined, "n", "", "alice"],
      ["a", "a", "n", "a", "alice"],
    ]);
  });
});

test("a registry knows the latest object of its resource", () => {
  const resource = storedConfigMaps();
  expect(new GenericRegistry(resource).latest).toBe(resource.latest);
});

describe("an update", () => {
  test("keeps what only the server sets, and restores what the client omits", async () => {
    const resource = storedConfigMaps();
    const sent = {
      creationTimestamp: "2000-01-01T00:00:00Z",
      generation: 9,
      selfLink: "/",
      labels: { a: "b" },
    };
    await create(resource);
    expect(await update(resource, sent)).toEqual({
      name: "a",
      namespace: "n",
      uid: "uid-1",
      resourceVersion: "3",
      generation: 1,
      creationTimestamp: created,
      labels: { a: "b" },
      isNew: false,
    });
  });

  test("of an object without a generation does not give it one", async () => {
    const resource = storedConfigMaps();
    const value = configMap({ name: "a", uid: "u", creationTimestamp: created }, { a: "1" });
    await resource.store.guaranteedUpdate("/registry/configmaps/n/a", () => ({ type: "put", value }));
    const updated = await update(resource, { generation: 9, labels: { a: "b" } }, { a: "1" });
    expect(Object.keys(updated)).not.toContain("generation");
    expect((await update(resource, {}, { a: "2" })).generation).toBe(1);
    // In the order of the type's fields.
    expect(Object.keys(resource.store.get("/registry/configmaps/n/a")?.value.metadata ?? {})).toEqual([
      "name",
      "namespace",
      "uid",
      "resourceVersion",
      "generation",
      "creationTimestamp",
    ]);
  });

  test("waits for those who decide who may write, and changes nothing if they refuse", async () => {
    const authorizeWrite: Strategy["authorizeWrite"] = async (_object, old) => {
      await Promise.resolve();
      if (old !== undefined) throw new Error("refused");
    };
    const resource = storedConfigMaps({ authorizeWrite });
    await create(resource);
    await expect(update(resource, { labels: { a: "b" } })).rejects.toThrow("refused");
    expect(resource.store.revision).toBe(2);
  });

  test("without a resourceVersion that the kind requires names its field", async () => {
    const resource = storedConfigMaps({ allowUnconditionalUpdate: false });
    await create(resource);
    await expect(update(resource, { labels: { a: "b" } })).rejects.toMatchObject({
      status: { details: { kind: "configmaps", causes: [{ field: "metadata.resourceVersion" }] } },
    });
  });

  test("does not begin a deletion", async () => {
    const resource = storedConfigMaps();
    await create(resource);
    await expect(update(resource, { deletionTimestamp: created })).rejects.toMatchObject({
      status: { message: expect.stringContaining("metadata.deletionTimestamp") },
    });
  });

  test("counts a change of what the kind counts", async () => {
    const prepareForGeneration: Strategy["prepareForGeneration"] = ({ metadata }) => {
      metadata.annotations = { counted: String(metadata.generation) };
    };
    const resource = storedConfigMaps({ prepareForGeneration });
    await create(resource);
    expect((await update(resource, {}, { a: "1" })).generation).toBe(2);
    expect((await update(resource, { labels: { a: "1" } }, { a: "1" })).generation).toBe(2);
    expect(await update(resource, {}, { a: "2" })).toMatchObject({
      generation: 3,
      annotations: { counted: "3" },
    });
  });

  test("without a change keeps the revision", async () => {
    const resource = storedConfigMaps();
    const { metadata } = await create(resource);
    expect((await update(resource, {})).resourceVersion).toBe(metadata.resourceVersion);
  });

  test("of a terminating object keeps its end", async () => {
    const resource = storedConfigMaps({ gracePeriodSeconds: () => 30 });
    await create(resource);
    await remove(resource);
    expect(await update(resource, { labels: { a: "b" } })).toMatchObject({
      deletionTimestamp: "2024-01-01T00:00:30Z",
      deletionGracePeriodSeconds: 30,
    });
  });

  test("removes a terminating object with its last finalizer, and its dependents", async () => {
    const resource = storedConfigMaps({ dependentKeys: () => ["/registry/configmaps/n/b"] });
    await create(resource, { name: "b" });
    await create(resource, { name: "a", finalizers: ["example.com/f"] });
    await remove(resource);
    expect(resource.store.get("/registry/configmaps/n/a")).toBeDefined();
    expect(await update(resource, {}, {}, { dryRun: true })).toMatchObject({ isNew: false });
    expect(resource.store.get("/registry/configmaps/n/a")).toBeDefined();
    await update(resource, {});
    expect(resource.store.range({ prefix: "/registry/" }).items).toEqual([]);
  });

  test.each<[string, Partial<Strategy>, JsonObject, Partial<UpdateOptions>, number, string]>([
    [
      "with an old resourceVersion",
      {},
      { resourceVersion: "1" },
      {},
      409,
      'Operation cannot be fulfilled on configmaps "a": the object has been modified; please apply your changes to the latest version and try again',
    ],
    [
      "without a resourceVersion, if the kind requires one",
      { allowUnconditionalUpdate: false },
      {},
      {},
      422,
      'configmaps "a" is invalid: metadata.resourceVersion: Invalid value: 0x0: must be specified for an update',
    ],
    [
      "with a resourceVersion that is no number",
      {},
      { resourceVersion: "1x" },
      {},
      500,
      'strconv.ParseUint: parsing "1x": invalid syntax',
    ],
    [
      "of another uid",
      {},
      {},
      { uid: "other" },
      409,
      'Operation cannot be fulfilled on configmaps "a": StorageError: invalid object, Code: 4, Key: /registry/configmaps/n/a, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: other, UID in object meta: uid-1',
    ],
  ])("%s is refused", async (_title, strategy, metadata, options, code, message) => {
    const resource = storedConfigMaps(strategy);
    await create(resource);
    const { revision } = resource.store;
    await expect(update(resource, metadata, {}, options)).rejects.toMatchObject({ code, message });
    expect(resource.store.revision).toBe(revision);
  });

  test("with the current resourceVersion is made, even if the kind requires one", async () => {
    const resource = storedConfigMaps({ allowUnconditionalUpdate: false });
    const { resourceVersion = "" } = (await create(resource)).metadata;
    const { resourceVersion: next } = await update(resource, {
      resourceVersion,
      labels: { a: "b" },
      uid: "uid-1",
    });
    expect(Number(next)).toBe(Number(resourceVersion) + 1);
  });

  test("of a missing object creates it only if the kind or the request says so", async () => {
    await expect(update(storedConfigMaps(), {})).rejects.toMatchObject({
      code: 404,
      message: 'configmaps "a" not found',
    });
    const forced = storedConfigMaps();
    expect(await update(forced, {}, {}, { forceCreate: true })).toMatchObject({ isNew: true, generation: 1 });
    const { strategy, log } = allocating();
    const resource = storedConfigMaps({ ...strategy, allowCreateOnUpdate: true });
    const dry = await update(resource, {}, {}, { dryRun: true });
    expect([dry.isNew, dry.resourceVersion]).toEqual([true, undefined]);
    expect(resource.store.get("/registry/configmaps/n/a")).toBeUndefined();
    expect(await update(resource, {})).toMatchObject({ isNew: true });
    expect(await update(resource, {})).toMatchObject({ isNew: false });
    expect(log).toEqual(["begin", "finish", "begin", "finish", "begin again", "finish"]);
  });

  test("that another write overtakes starts again", async () => {
    const resource = storedConfigMaps();
    await create(resource);
    let isOvertaken = false;
    const validateAdmission = async () => {
      if (isOvertaken) return;
      isOvertaken = true;
      await update(resource, { labels: { first: "1" } });
    };
    const propose = (current: KubeObject | undefined) =>
      configMap({ ...current?.metadata, resourceVersion: "", annotations: { second: "2" } });
    await new GenericRegistry(resource).update(key, propose, { ...writeOptions(), validateAdmission });
    expect(resource.store.get("/registry/configmaps/n/a")?.value.metadata).toMatchObject({
      labels: { first: "1" },
      annotations: { second: "2" },
    });
  });

  test("of a missing object that another write creates meanwhile starts again", async () => {
    const { strategy, log } = allocating();
    const resource = storedConfigMaps({ ...strategy, allowCreateOnUpdate: true });
    let isOvertaken = false;
    const validateCreation = async () => {
      if (isOvertaken) return;
      isOvertaken = true;
      await create(resource, { name: "a", labels: { first: "1" } });
    };
    const propose = (current: KubeObject | undefined) =>
      configMap({ name: "a", labels: { ...current?.metadata.labels, second: "2" } });
    const options = { ...writeOptions(), validateCreation };
    const updated = await new GenericRegistry(resource).update(key, propose, options);
    expect(updated.created).toBe(false);
    expect(updated.object.value.metadata).toMatchObject({ labels: { first: "1", second: "2" } });
    expect(log).toEqual(["begin", "begin", "finish", "finish", "begin again", "finish"]);
  });

  test("that creates an object is the latest one", async () => {
    const resource = storedConfigMaps({ allowCreateOnUpdate: true });
    await update(resource, {});
    expect(resource.latest.object).toBe(resource.store.get("/registry/configmaps/n/a")?.value);
  });

  test("warns only if it is valid", async () => {
    const resource = storedConfigMaps({ warningsOnUpdate: () => ["careful"] });
    const warnings: string[] = [];
    await create(resource);
    await expect(update(resource, { uid: "x" }, {}, writeOptions(warnings))).rejects.toMatchObject({
      code: 422,
    });
    expect(warnings).toEqual([]);
    await update(resource, { labels: {} }, {}, writeOptions(warnings));
    expect(warnings).toEqual(["careful"]);
  });
});
