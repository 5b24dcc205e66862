import { expect, test } from "vitest";
import { createCluster, type KubeObject, VirtualClock } from "../../src/index.ts";

test.each([
  ["1.18", undefined],
  ["1.21", undefined],
  ["1.22", "status"],
  ["1.32", "status"],
] as const)("a manager of %s has one entry for all its writes to a status", async (release, subresource) => {
  await using cluster = createCluster({
    release,
    controllers: [],
    clock: new VirtualClock("2026-01-01T00:00:00Z"),
  });
  const patch = (body: object, options: object = { subresource: "status" }): Promise<KubeObject> =>
    cluster.patch("v1", "ResourceQuota", "q", body, { type: "merge", fieldManager: "writer", ...options });
  const hard = { pods: "1" };
  await cluster.create({ apiVersion: "v1", kind: "ResourceQuota", metadata: { name: "q" }, spec: { hard } });
  await patch({ status: { hard } });
  const second = await patch({ status: { used: { pods: "1" } } });
  await cluster.clock.advance("1h");
  const same = [await patch({ status: { used: { pods: "1" } } }), await patch({ metadata: {} }, {})];
  const counts = { ".": {}, "f:pods": {} };
  const fieldsV1 = { "f:status": { "f:hard": counts, "f:used": counts } };
  const entry: unknown = expect.objectContaining({ fieldsV1, ...(subresource && { subresource }) });
  const { managedFields, resourceVersion } = second.metadata;
  // The other entry is that of the creator.
  expect(managedFields).toHaveLength(2);
  expect(managedFields).toContainEqual(entry);
  for (const { metadata } of same) expect(metadata).toMatchObject({ managedFields, resourceVersion });
});
