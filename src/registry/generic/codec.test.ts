import { describe, expect, test } from "vitest";
import { configMap, storedConfigMaps, writeOptions } from "../../../test/registry/stored-config-maps.ts";
import { structAt } from "../../apimachinery/fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { StorageCodec } from "../contract/storage-codec.ts";
import { createObject } from "./create.ts";
import { deleteObject } from "./delete.ts";
import { updateObject } from "./update.ts";

const key = { namespace: "n", name: "a" };

describe("a codec that takes time", () => {
  const codec: StorageCodec = {
    decode: async (stored) =>
      stored.map((object) => ({ ...object, data: { ...structAt(object, "data"), decoded: "yes" } })),
    encode: async (object) => ({ ...object, data: { ...structAt(object, "data"), encoded: "yes" } }),
    convert: async (objects) => objects,
    isRemote: true,
  };

  test("is awaited by every write", async () => {
    const resource = { ...storedConfigMaps({ allowCreateOnUpdate: true }), codec };
    const dataOf = (object: KubeObject | undefined) => object?.["data"];
    const created = await createObject(resource, "n", configMap({ name: "a" }), writeOptions());
    expect(dataOf(created.value)).toEqual({ encoded: "yes" });
    const seen: unknown[] = [];
    const propose = (current: KubeObject | undefined) => {
      seen.push(dataOf(current));
      return configMap({ name: "a" }, { own: "yes" });
    };
    const updateOnce = () => updateObject(resource, key, propose, writeOptions());
    expect(dataOf((await updateOnce()).object.value)).toEqual({ own: "yes", encoded: "yes" });
    const deleted = await deleteObject(resource, key, writeOptions());
    expect(dataOf(deleted.object.value)).toEqual({ own: "yes", encoded: "yes", decoded: "yes" });
    expect(dataOf((await updateOnce()).object.value)).toEqual({ own: "yes", encoded: "yes" });
    expect(seen).toEqual([{ encoded: "yes", decoded: "yes" }, undefined]);
  });

  test("may freeze what it encodes, and the answer has the revision of the write", async () => {
    const frozen: StorageCodec = { ...codec, encode: async (object) => Object.freeze({ ...object }) };
    const resource = { ...storedConfigMaps(), codec: frozen };
    const write = (data: JsonObject) =>
      updateObject(resource, key, () => configMap({ name: "a" }, data), {
        ...writeOptions(),
        forceCreate: true,
      });
    for (const data of [{ a: "1" }, { a: "2" }]) {
      const { object } = await write(data);
      expect(object.value.metadata.resourceVersion).toBe(String(resource.store.revision));
    }
  });
});
