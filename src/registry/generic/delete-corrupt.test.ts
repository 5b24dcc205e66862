import { expect, test } from "vitest";
import { configMap, storedConfigMaps, writeOptions } from "../../../test/registry/stored-config-maps.ts";
import { deleteCorruptObject } from "./delete-corrupt.ts";
import { GenericRegistry } from "./generic-registry.ts";

const key = { namespace: "n", name: "a" };
const path = "/registry/configmaps/n/a";

function stored() {
  const resource = storedConfigMaps();
  const put = () =>
    void resource.store.guaranteedUpdate(path, () => ({ type: "put", value: configMap({ name: "a" }) }));
  put();
  return { resource, put };
}

test("a corrupt object is removed when admission has let it pass", async () => {
  const { resource } = stored();
  resource.store.corrupt(path, "/registry/configmaps/");
  const refused = { ...writeOptions(), validateAdmission: () => Promise.reject(new Error("refused")) };
  await expect(deleteCorruptObject(resource, key, refused)).rejects.toThrow("refused");
  expect(resource.store.get(path)?.corrupt).toBe(true);
  await deleteCorruptObject(resource, key, writeOptions());
  expect(resource.store.get(path)).toBeUndefined();
});

test("an object that is written during admission stays", async () => {
  const { resource, put } = stored();
  resource.store.corrupt(path, "/registry/configmaps/");
  const { revision } = resource.store;
  await deleteCorruptObject(resource, key, { ...writeOptions(), validateAdmission: put });
  expect(resource.store.get(path)).toMatchObject({ corrupt: false, modRevision: revision + 1 });
  expect(resource.store.revision).toBe(revision + 1);
});

test("an object that can be read is not removed", async () => {
  const { resource } = stored();
  await expect(deleteCorruptObject(resource, key, writeOptions())).rejects.toMatchObject({
    code: 422,
    message:
      'configmaps "a" is invalid: ignoreStoreReadErrorWithClusterBreakingPotential: Invalid value: true: is exclusively used to delete corrupt object(s), try again by removing this option',
  });
});

test("a corrupt object is neither read, updated nor deleted as usual, and no watch opens", async () => {
  const { resource } = stored();
  const registry = new GenericRegistry(resource);
  expect(() => registry.checkWatch()).not.toThrow();
  resource.store.corrupt(path, "/registry/configmaps/");
  const failing = { code: 500 };
  expect(() => registry.get(key)).toThrow(expect.objectContaining(failing));
  const propose = () => configMap({ name: "a" });
  await expect(registry.update(key, propose, writeOptions())).rejects.toMatchObject(failing);
  await expect(registry.delete(key, writeOptions())).rejects.toMatchObject(failing);
  expect(() => registry.checkWatch()).toThrow(
    expect.objectContaining({ code: 429, message: "storage is (re)initializing" }),
  );
  await registry.deleteCorrupt(key, writeOptions());
  expect(() => registry.get(key)).toThrow('configmaps "a" not found');
});
