import { describe, expect, test } from "vitest";
import { configMap, storedConfigMaps, writeOptions } from "../../../test/registry/stored-config-maps.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { SeedOptions } from "../contract/rest.ts";
import type { StorageCodec } from "../contract/storage-codec.ts";
import type { StoredResource } from "../contract/stored-resource.ts";
import type { Strategy } from "../contract/strategy.ts";
import { seedObject } from "./seed.ts";

const path = "/registry/configmaps/n/a";
const origins = ["server", "manifest"] as const;

/** The object after it was loaded. */
async function seeded(
  resource: StoredResource,
  metadata: JsonObject,
  more: JsonObject = {},
  origin: SeedOptions["origin"] = "manifest",
) {
  const object = { ...configMap({ name: "a", ...metadata }), ...more };
  await seedObject(resource, { namespace: "n", name: "a" }, object, { ...writeOptions(), origin });
  return resource.store.get(path)?.value ?? expect.unreachable("nothing was stored");
}

/** Every write notes what it begins and finishes. */
function allocating(): { readonly strategy: Partial<Strategy>; readonly log: string[] } {
  const log: string[] = [];
  const beginWrite: Strategy["beginWrite"] = (_object, old) => {
    log.push(old === undefined ? "begin" : "begin again");
    return () => log.push("finish");
  };
  return { strategy: { beginWrite }, log };
}

describe.each(origins)("an object from a %s", (origin) => {
  test("gets the uid and the time of the server, if it gives none", async () => {
    const resource = storedConfigMaps();
    const { metadata } = await seeded(resource, { selfLink: "/a" }, {}, origin);
    expect(metadata).toMatchObject({
      uid: "uid-1",
      creationTimestamp: "2024-01-01T00:00:00Z",
      resourceVersion: String(resource.store.revision),
    });
    expect(metadata["selfLink"]).toBeUndefined();
  });

  test("keeps those that it gives", async () => {
    const given = { uid: "u", creationTimestamp: "2000-01-01T00:00:00Z" };
    const { metadata } = await seeded(storedConfigMaps(), { ...given, resourceVersion: "99" }, {}, origin);
    expect(metadata).toMatchObject({ ...given, resourceVersion: "2" });
  });

  test("that is known keeps its uid and time, unless it gives others", async () => {
    const resource = storedConfigMaps();
    const first = { uid: "u", creationTimestamp: "2000-01-01T00:00:00Z" };
    await seeded(resource, first, {}, origin);
    expect((await seeded(resource, { labels: { a: "b" } }, {}, origin)).metadata).toMatchObject(first);
    const other = { uid: "v", creationTimestamp: "2001-01-01T00:00:00Z" };
    expect((await seeded(resource, other, {}, origin)).metadata).toMatchObject(other);
  });

  test("that has not changed is not written", async () => {
    const resource = storedConfigMaps();
    await seeded(resource, {}, {}, origin);
    const { revision } = resource.store;
    await seeded(resource, { resourceVersion: "99" }, {}, origin);
    expect(resource.store.revision).toBe(revision);
    await seeded(resource, {}, { data: { a: "b" } }, origin);
    expect(resource.store.revision).toBe(revision + 1);
  });

  test("replaces a corrupt one", async () => {
    const resource = storedConfigMaps();
    await seeded(resource, { uid: "old" }, {}, origin);
    resource.store.corrupt(path, "/registry/configmaps/");
    await seeded(resource, {}, {}, origin);
    expect(resource.store.get(path)).toMatchObject({ corrupt: false, value: { metadata: { uid: "uid-1" } } });
  });

  test("is written when the call returns", () => {
    const resource = storedConfigMaps();
    void seeded(resource, {}, {}, origin);
    expect(resource.store.get(path)).toBeDefined();
  });

  test("has the defaults of storage", async () => {
    const withStorageDefaults: Strategy["withStorageDefaults"] = (object) => ({ ...object, immutable: true });
    expect((await seeded(storedConfigMaps({ withStorageDefaults }), {}, {}, origin))["immutable"]).toBe(true);
  });

  test("that is invalid is not written", async () => {
    const resource = storedConfigMaps();
    await expect(async () => seeded(resource, { name: "A" }, {}, origin)).rejects.toMatchObject({
      code: 422,
      message: expect.stringMatching(/^ConfigMap "A" is invalid: metadata\.name: Invalid value: "A"/),
    });
    await expect(async () => seeded(resource, { labels: { "-": "" } }, {}, origin)).rejects.toThrow(
      "metadata.labels",
    );
    expect(resource.store.range({ prefix: "/registry/" }).items).toEqual([]);
  });
});

describe("an object from a server", () => {
  test("allocates nothing, and is not prepared except for what it lacks", async () => {
    const { strategy, log } = allocating();
    const prepareForCreate: Strategy["prepareForCreate"] = (object) => {
      object["data"] = { prepared: "yes" };
      object["immutable"] = false;
    };
    const resource = storedConfigMaps({ ...strategy, prepareForCreate });
    const stored = await seeded(resource, { generation: 7 }, { data: { own: "yes" } }, "server");
    expect(stored).toMatchObject({ data: { own: "yes" }, immutable: false, metadata: { generation: 7 } });
    expect(log).toEqual([]);
  });

  test("is validated as an update without changes", async () => {
    const seen: unknown[] = [];
    const validateUpdate: Strategy["validateUpdate"] = (_errors, object, old) => seen.push(object === old);
    const validate: Strategy["validate"] = () => seen.push("as a create");
    await seeded(storedConfigMaps({ validateUpdate, validate }), {}, {}, "server");
    expect(seen).toEqual([true]);
  });
});

describe("an object from a manifest", () => {
  test("is created or updated, and finishes what it began even if it fails", async () => {
    const { strategy, log } = allocating();
    const resource = storedConfigMaps({
      ...strategy,
      prepareForCreate: ({ metadata }) => {
        metadata.labels = { ...metadata.labels, created: "yes" };
      },
      prepareForUpdate: ({ metadata }) => {
        metadata.labels = { ...metadata.labels, updated: "yes" };
      },
    });
    expect((await seeded(resource, {})).metadata).toMatchObject({
      labels: { created: "yes" },
      generation: 1,
    });
    expect((await seeded(resource, {}, { data: { a: "b" } })).metadata).toMatchObject({
      labels: { updated: "yes" },
      generation: 2,
    });
    await expect(async () => seeded(resource, { labels: { "-": "" } })).rejects.toThrow();
    expect(log).toEqual(["begin", "finish", "begin again", "finish", "begin again", "finish"]);
  });

  const given = {
    uid: "given",
    creationTimestamp: "2001-01-01T00:00:00Z",
    generation: 9,
    deletionTimestamp: "2024-02-01T00:00:00Z",
    deletionGracePeriodSeconds: 30,
  };

  test.each(Object.entries(given))(
    "may give the metadata %s that only the server sets",
    async (name, value) => {
      const resource = storedConfigMaps();
      expect((await seeded(resource, { [name]: value })).metadata[name]).toEqual(value);
      const known = storedConfigMaps();
      const before = await seeded(known, {});
      const { metadata } = await seeded(known, { [name]: value }, { data: { a: "b" } });
      expect(metadata[name]).toEqual(value);
      for (const other of ["uid", "creationTimestamp"]) {
        if (other !== name) expect(metadata[other]).toEqual(before.metadata[other]);
      }
      expect(Object.keys(metadata).sort()).toEqual(
        [...new Set([...Object.keys(before.metadata), name])].sort(),
      );
    },
  );

  test("that gives a status overrides single fields of it", async () => {
    const strategy: Partial<Strategy> = {
      prepareForCreate: (object) => {
        object["status"] = { phase: "Active", reason: "new" };
      },
    };
    // The schema of ConfigMaps has no status.
    const base = storedConfigMaps(strategy);
    const { definition } = base;
    const schema = Object.create(definition.schema, {
      canonicalize: { value: (object: JsonObject) => object },
      canonicalizeStored: { value: (object: JsonObject) => object },
      validate: { value: () => [] },
    });
    const statusOf = async (more: JsonObject) => {
      const resource = { ...storedConfigMaps(strategy), definition: { ...definition, schema } };
      return (await seeded(resource, {}, more))["status"];
    };
    expect(await statusOf({ status: { phase: "Terminating", x: 1 } })).toEqual({
      phase: "Terminating",
      reason: "new",
      x: 1,
    });
    expect(await statusOf({})).toEqual({ phase: "Active", reason: "new" });
    expect(await statusOf({ status: {} })).toEqual({ phase: "Active", reason: "new" });
  });
});

test("objects of a load share equal parts with the one before", async () => {
  const resource = storedConfigMaps();
  const data = { a: "1", b: "2" };
  const first = await seeded(resource, {}, { data: { ...data } });
  expect(resource.latest.object).toBe(first);
  const second = { ...configMap({ name: "b", uid: "b" }), data: { ...data } };
  await seedObject(resource, { namespace: "n", name: "b" }, second, { ...writeOptions(), origin: "server" });
  const stored = resource.store.get("/registry/configmaps/n/b")?.value;
  expect([stored?.["data"], resource.latest.object]).toEqual([data, stored]);
  expect(stored?.["data"]).toBe(first["data"]);
});

test("an object is compared with the known one as its kind decodes it", async () => {
  const resource = storedConfigMaps();
  await seeded(resource, { uid: "stored" });
  const codec: StorageCodec = {
    decode: (stored) =>
      stored.map((object) => ({ ...object, metadata: { ...object.metadata, uid: "decoded" } })),
    encode: (object) => object,
    convert: (objects) => objects,
    isRemote: false,
  };
  const { metadata } = await seeded({ ...resource, codec }, { labels: { a: "b" } });
  expect(metadata.uid).toBe("decoded");
});

test("an object that is decoded or encoded by a webhook is written when that has answered", async () => {
  const resource = storedConfigMaps();
  await seeded(resource, { uid: "u" });
  const codec: StorageCodec = {
    decode: async (stored) => stored,
    encode: async (object) => ({ ...object, data: { encoded: "yes" } }),
    convert: async (objects) => objects,
    isRemote: true,
  };
  const converted = { ...resource, codec };
  expect(await seeded(converted, { labels: { a: "b" } })).toMatchObject({
    metadata: { uid: "u", labels: { a: "b" } },
    data: { encoded: "yes" },
  });
});
