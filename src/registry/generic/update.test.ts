import { expect, test } from "vitest";
import { configMap, storedConfigMaps, writeOptions } from "../../../test/registry/stored-config-maps.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import { featureGates } from "../../catalog/feature-gates.ts";
import type { StoredResource } from "../contract/stored-resource.ts";
import { createObject } from "./create.ts";
import { deleteObject } from "./delete.ts";
import { updateObject } from "./update.ts";

const key = { namespace: "n", name: "a" };

/** The metadata after an update that sends this. */
async function update(resource: StoredResource, metadata: JsonObject, warnings: string[] = []) {
  const propose = () => configMap({ name: "a", ...metadata });
  return (await updateObject(resource, key, propose, writeOptions(warnings))).object.value.metadata;
}

test.each([["1.24"], ["1.32"]] as const)(
  "a write in %s does not keep the name of the cluster",
  async (release) => {
    const resource = { ...storedConfigMaps(), gates: featureGates(release) };
    const warnings: string[] = [];
    const sent = configMap({ name: "a", clusterName: "c" });
    const created = await createObject(resource, "n", sent, writeOptions(warnings));
    const updated = await update(resource, { clusterName: "c", labels: { a: "b" } }, warnings);
    expect([created.value.metadata["clusterName"], updated["clusterName"]]).toEqual([undefined, undefined]);
    expect(warnings).toHaveLength(2);
  },
);

test("an update does not change the grace period of a terminating object", async () => {
  const resource = storedConfigMaps({ gracePeriodSeconds: () => 30 });
  await createObject(resource, "n", configMap({ name: "a" }), writeOptions());
  await deleteObject(resource, key, writeOptions());
  await expect(update(resource, { deletionGracePeriodSeconds: 10 })).rejects.toThrow(
    "metadata.deletionGracePeriodSeconds",
  );
  const same = await update(resource, { deletionGracePeriodSeconds: 30, labels: { a: "b" } });
  expect(same.deletionGracePeriodSeconds).toBe(30);
});
