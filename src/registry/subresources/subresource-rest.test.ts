import { expect, test } from "vitest";
import { viewOf } from "../../../test/api-view.ts";
import { configMap, storedConfigMaps, writeOptions } from "../../../test/registry/stored-config-maps.ts";
import type { SubresourceRules } from "../contract/kind-definition.ts";
import type { RegistryOptions } from "../contract/registry-options.ts";
import type { ResourceAccess } from "../contract/resource-access.ts";
import type { Rest } from "../contract/rest.ts";
import { subresourceRest } from "./subresource-rest.ts";

const view = viewOf({ release: "1.32" });
const configMaps = { group: "", version: "v1", kind: "ConfigMap" };
const key = { namespace: "n", name: "a" };

/** The verbs of a subresource of ConfigMaps, one of which is stored. */
function restOf(name: string, rules?: SubresourceRules, gvk = configMaps): Rest | undefined {
  const resource = storedConfigMaps();
  const value = configMap({ name: "a" }, { a: "stored" });
  void resource.store.guaranteedUpdate("/registry/configmaps/n/a", () => ({ type: "put", value }));
  // Only these are read.
  const access = { served: { current: view } } as unknown as ResourceAccess;
  const options = { gates: resource.gates } as RegistryOptions;
  return subresourceRest(resource, { name, gvk, verbs: [], connect: [] }, rules, access, options);
}

test("a subresource without rules is not implemented, except for the status", () => {
  expect(restOf("other")).toBeUndefined();
  expect(restOf("status")).toBeDefined();
});

test.each<[string, SubresourceRules | undefined, string]>([
  ["status", undefined, "stored"],
  ["other", { strategy: (base) => base }, "sent"],
  ["other", { strategy: () => expect.unreachable(), versions: { v1: (base) => base } }, "sent"],
  ["status", { strategy: (base) => base, versions: { v2: () => expect.unreachable() } }, "sent"],
])("the subresource %s with the rules %j reads and updates the object alone", async (name, rules, data) => {
  const rest = restOf(name, rules);
  expect(Object.keys(rest ?? {}).sort()).toEqual(["codec", "definition", "get", "update"]);
  const got = await rest?.get?.(key);
  expect(got?.value).toMatchObject({ data: { a: "stored" } });
  const updated = await rest?.update?.(key, () => configMap({ name: "a" }, { a: "sent" }), writeOptions());
  expect(updated?.object.value["data"]).toEqual({ a: data });
});

test("a subresource may have verbs of its own, for a kind of its own, even if that is a scale", () => {
  const scale = { group: "autoscaling", version: "v1", kind: "Scale" };
  const own: SubresourceRules = { rest: (_stored, definition) => ({ definition }) };
  const verbsOf = (gvk: typeof scale, rules?: SubresourceRules) => {
    const rest = restOf("other", rules, gvk);
    return rest && [rest.definition.gvk, rest.get !== undefined];
  };
  expect(verbsOf(scale)).toEqual([scale, true]);
  expect(verbsOf(scale, own)).toEqual([scale, false]);
  expect(verbsOf(configMaps, own)).toEqual([configMaps, false]);
  expect(verbsOf({ ...configMaps, kind: "Unknown" }, own)).toBeUndefined();
});
