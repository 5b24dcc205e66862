import { expect, test } from "vitest";
import { type Cluster, createCluster } from "../../src/index.ts";

const v1 = "flowcontrol.apiserver.k8s.io/v1";

const schema = {
  apiVersion: v1,
  kind: "FlowSchema",
  metadata: { name: "orders" },
  spec: {
    priorityLevelConfiguration: { name: "shop" },
    matchingPrecedence: 2,
    rules: [
      {
        subjects: [{ kind: "User", user: { name: "alice" } }],
        nonResourceRules: [{ verbs: ["*"], nonResourceURLs: ["/version"] }],
      },
    ],
  },
};
const level = {
  apiVersion: v1,
  kind: "PriorityLevelConfiguration",
  metadata: { name: "shop" },
  spec: { type: "Limited", limited: { limitResponse: { type: "Reject" } } },
};

async function danglingOf(cluster: Cluster): Promise<unknown> {
  await cluster.settle();
  const { status } = (await cluster.get(v1, "FlowSchema", "orders")) as { status?: unknown };
  return status;
}

const found = (time: string) => ({
  conditions: [
    {
      type: "Dangling",
      status: "False",
      lastTransitionTime: time,
      reason: "Found",
      message: 'This FlowSchema references the PriorityLevelConfiguration object named "shop" and it exists',
    },
  ],
});
const missing = (time: string) => ({
  conditions: [
    {
      type: "Dangling",
      status: "True",
      lastTransitionTime: time,
      reason: "NotFound",
      message:
        'This FlowSchema references the PriorityLevelConfiguration object named "shop" but there is no such object',
    },
  ],
});

test("the status of a FlowSchema says whether its priority level exists", async () => {
  await using cluster = createCluster({ seed: 1 });
  await cluster.create(schema);
  expect(await danglingOf(cluster)).toEqual(missing("2026-01-01T00:00:00Z"));
  await cluster.clock.advance("1m");
  await cluster.create(level);
  expect(await danglingOf(cluster)).toEqual(found("2026-01-01T00:01:00Z"));
  await cluster.clock.advance("1m");
  await cluster.delete(v1, "PriorityLevelConfiguration", "shop");
  expect(await danglingOf(cluster)).toEqual(missing("2026-01-01T00:02:00Z"));
});

test("the server applies that status, and writes it once", async () => {
  await using cluster = createCluster({ seed: 1 });
  await cluster.create(schema);
  await cluster.settle();
  const { metadata } = await cluster.get(v1, "FlowSchema", "orders");
  expect(metadata.managedFields).toContainEqual(
    expect.objectContaining({
      manager: "api-priority-and-fairness-config-consumer-v1",
      operation: "Apply",
      subresource: "status",
    }),
  );
  await cluster.create({ ...schema, metadata: { name: "others" } });
  await cluster.settle();
  expect((await cluster.get(v1, "FlowSchema", "orders")).metadata.resourceVersion).toBe(
    metadata.resourceVersion,
  );
});

test("a FlowSchema without its priority level counts for no request", async () => {
  await using cluster = createCluster({ seed: 1 });
  const uid = (await cluster.create(schema)).metadata.uid;
  const headers = { authorization: `Bearer ${cluster.token("alice")}` };
  const schemaOfRequest = async () =>
    (await cluster.fetch("https://cluster.test/version", { headers })).headers.get(
      "x-kubernetes-pf-flowschema-uid",
    );
  expect(await schemaOfRequest()).not.toBe(uid);
  await cluster.create(level);
  expect(await schemaOfRequest()).toBe(uid);
});

test.each(["FlowSchema", "APIService"])(
  "the conditions of each %s of a new cluster are as old as it",
  async (kind) => {
    await using cluster = createCluster({ seed: 1 });
    const apiVersion = kind === "FlowSchema" ? v1 : "apiregistration.k8s.io/v1";
    const { items } = (await cluster.list(apiVersion, kind)) as unknown as {
      items: {
        metadata: { creationTimestamp: string };
        status: { conditions: { lastTransitionTime: string }[] };
      }[];
    };
    expect(items.length).toBeGreaterThan(10);
    for (const { metadata, status } of items)
      expect(status.conditions.map((condition) => condition.lastTransitionTime)).toEqual([
        metadata.creationTimestamp,
      ]);
  },
);
