import { describe, expect, test } from "vitest";
import { VirtualClock } from "../../src/apimachinery/clock.ts";
import { type Cluster, createCluster, StatusError } from "../../src/index.ts";

/** Whether a namespace still exists, and its conditions by type. */
async function conditionsOf(cluster: Cluster, name: string) {
  const { status } = await cluster.get("v1", "Namespace", name);
  const { conditions } = status as {
    conditions: readonly { type: string; status: string; lastTransitionTime: string }[];
  };
  return new Map(conditions.map((condition) => [condition.type, condition]));
}

describe("the namespace controller", () => {
  test("empties a namespace and removes it", async () => {
    await using cluster = createCluster();
    await cluster.create({ kind: "Namespace", apiVersion: "v1", metadata: { name: "going" } });
    const metadata = { name: "a", namespace: "going" };
    await cluster.create({ kind: "ConfigMap", apiVersion: "v1", metadata });
    await cluster.delete("v1", "Namespace", "going");
    await cluster.settle();
    await expect(cluster.get("v1", "Namespace", "going")).rejects.toBeInstanceOf(StatusError);
    await expect(cluster.get("v1", "ConfigMap", "a", { namespace: "going" })).rejects.toThrow("not found");
  });

  test("reports what blocks the deletion of a namespace", async () => {
    await using cluster = createCluster();
    await cluster.create({ kind: "Namespace", apiVersion: "v1", metadata: { name: "going" } });
    const metadata = { name: "a", namespace: "going", finalizers: ["example.com/a"] };
    await cluster.create({ kind: "ConfigMap", apiVersion: "v1", metadata });
    await cluster.delete("v1", "Namespace", "going");
    await cluster.settle();
    const { status } = await cluster.get("v1", "Namespace", "going");
    expect(status).toMatchObject({
      phase: "Terminating",
      conditions: expect.arrayContaining([
        expect.objectContaining({
          type: "NamespaceFinalizersRemaining",
          status: "True",
          message:
            "Some content in the namespace has finalizers remaining: example.com/a in 1 resource instances",
        }),
      ]),
    });
    await cluster.patch("v1", "ConfigMap", "a", { metadata: { finalizers: null } }, { namespace: "going" });
    await cluster.settle();
    await expect(cluster.get("v1", "Namespace", "going")).rejects.toThrow("not found");
  });

  test("reports objects that it cannot delete, continues with the others, and retries", async () => {
    const clock = new VirtualClock(Date.parse("2026-01-01T00:00:00Z"));
    const featureGates = new Map([["AllowUnsafeMalformedObjectDeletion", true]]);
    await using cluster = createCluster({ clock, featureGates });
    await cluster.create({ kind: "Namespace", apiVersion: "v1", metadata: { name: "going" } });
    for (const kind of ["Secret", "ConfigMap"]) {
      await cluster.create({ kind, apiVersion: "v1", metadata: { name: "a", namespace: "going" } });
    }
    await cluster.corrupt("v1", "Secret", "a", { namespace: "going" });
    await cluster.delete("v1", "Namespace", "going");
    await cluster.settle();
    const failed = (await conditionsOf(cluster, "going")).get("NamespaceDeletionContentFailure");
    expect(failed).toMatchObject({
      status: "True",
      reason: "ContentDeletionFailed",
      message:
        "Failed to delete all resource types, 1 remaining: failed to read one or more secrets from the storage",
    });
    expect((await cluster.list("v1", "ConfigMap", { namespace: "going" })).items).toEqual([]);
    const options = { namespace: "going", ignoreStoreReadErrorWithClusterBreakingPotential: true };
    await cluster.delete("v1", "Secret", "a", options);
    await clock.advance("10m");
    await cluster.settle();
    await expect(cluster.get("v1", "Namespace", "going")).rejects.toMatchObject({ code: 404 });
  });

  test.each([
    ["1.32", [], "True"],
    ["1.33", ["a"], "False"],
  ] as const)("in %s, deletes pods first or with the rest", async (release, expected, remaining) => {
    await using cluster = createCluster({ release });
    await cluster.create({ kind: "Namespace", apiVersion: "v1", metadata: { name: "going" } });
    const metadata = { name: "a", namespace: "going" };
    await cluster.create({ kind: "ConfigMap", apiVersion: "v1", metadata });
    await cluster.create({
      kind: "Pod",
      apiVersion: "v1",
      metadata: { ...metadata, finalizers: ["example.com/a"] },
      spec: { containers: [{ name: "main", image: "i" }] },
    });
    await cluster.delete("v1", "Namespace", "going");
    await cluster.settle();
    const { items } = await cluster.list("v1", "ConfigMap", { namespace: "going" });
    const names = items.map((item) => item.metadata?.name).filter((name) => name !== "kube-root-ca.crt");
    expect(names).toEqual(expected);
    const conditions = await conditionsOf(cluster, "going");
    // Upstream does not count the pods that it waits for.
    expect(conditions.get("NamespaceContentRemaining")?.status).toBe(remaining);
    await cluster.patch("v1", "Pod", "a", { metadata: { finalizers: null } }, { namespace: "going" });
    await cluster.settle();
    await expect(cluster.get("v1", "Namespace", "going")).rejects.toThrow("not found");
  });

  test.each([
    ["1.26", "the server is currently unable to handle the request"],
    ["1.32", "stale GroupVersion discovery: metrics.k8s.io/v1beta1"],
  ] as const)(
    "in %s, waits for aggregated APIs whose resources it does not know",
    async (release, problem) => {
      await using cluster = createCluster({ release });
      await cluster.create({
        apiVersion: "apiregistration.k8s.io/v1",
        kind: "APIService",
        metadata: { name: "v1beta1.metrics.k8s.io" },
        spec: {
          group: "metrics.k8s.io",
          version: "v1beta1",
          groupPriorityMinimum: 100,
          versionPriority: 100,
          insecureSkipTLSVerify: true,
          service: { name: "metrics-server", namespace: "kube-system" },
        },
      });
      await cluster.create({ kind: "Namespace", apiVersion: "v1", metadata: { name: "going" } });
      const metadata = { name: "a", namespace: "going" };
      await cluster.create({ kind: "ConfigMap", apiVersion: "v1", metadata });
      await cluster.delete("v1", "Namespace", "going");
      await cluster.settle();
      expect((await conditionsOf(cluster, "going")).get("NamespaceDeletionDiscoveryFailure")).toMatchObject({
        status: "True",
        reason: "DiscoveryFailed",
        message: `Discovery failed for some groups, 1 failing: unable to retrieve the complete list of server APIs: metrics.k8s.io/v1beta1: ${problem}`,
      });
      expect((await cluster.list("v1", "ConfigMap", { namespace: "going" })).items).toEqual([]);
      await cluster.delete("apiregistration.k8s.io/v1", "APIService", "v1beta1.metrics.k8s.io");
      await cluster.settle();
      await expect(cluster.get("v1", "Namespace", "going")).rejects.toThrow("not found");
    },
  );

  test("changes the time of a condition only when its content changes", async () => {
    const clock = new VirtualClock(Date.parse("2026-01-01T00:00:00Z"));
    await using cluster = createCluster({ clock });
    await cluster.create({ kind: "Namespace", apiVersion: "v1", metadata: { name: "going" } });
    for (const name of ["a", "b"]) {
      const metadata = { name, namespace: "going", finalizers: ["example.com/a"] };
      await cluster.create({ kind: "ConfigMap", apiVersion: "v1", metadata });
    }
    await cluster.delete("v1", "Namespace", "going");
    await cluster.settle();
    await clock.advance("1h");
    await cluster.patch("v1", "ConfigMap", "a", { metadata: { finalizers: null } }, { namespace: "going" });
    await cluster.settle();
    const conditions = await conditionsOf(cluster, "going");
    const timeOf = (type: string) => conditions.get(type)?.lastTransitionTime;
    expect(timeOf("NamespaceContentRemaining")).toBe("2026-01-01T01:00:00Z");
    expect(timeOf("NamespaceFinalizersRemaining")).toBe("2026-01-01T01:00:00Z");
    expect(timeOf("NamespaceDeletionContentFailure")).toBe("2026-01-01T00:00:00Z");
  });
});

test("every namespace has its default ServiceAccount and the root certificate, also after they are deleted", async () => {
  await using cluster = createCluster({ rootCa: "PEM" });
  await cluster.create({ kind: "Namespace", apiVersion: "v1", metadata: { name: "new" } });
  await cluster.settle();
  await cluster.delete("v1", "ServiceAccount", "default", { namespace: "new" });
  await cluster.delete("v1", "ConfigMap", "kube-root-ca.crt", { namespace: "new" });
  await cluster.settle();
  expect(await cluster.get("v1", "ServiceAccount", "default", { namespace: "new" })).toBeDefined();
  const published = await cluster.get("v1", "ConfigMap", "kube-root-ca.crt", { namespace: "new" });
  expect(published["data"]).toEqual({ "ca.crt": "PEM" });
});

test("the root certificate is restored after a change, and what others add to its metadata stays", async () => {
  await using cluster = createCluster({ rootCa: "PEM" });
  await cluster.settle();
  const name = "kube-root-ca.crt";
  const { metadata } = await cluster.get("v1", "ConfigMap", name);
  const annotations = { "kubernetes.io/description": null, "example.com/a": "b" };
  const changed = { metadata: { annotations, labels: { team: "blue" } }, data: { other: "text" } };
  await cluster.patch("v1", "ConfigMap", name, changed);
  await cluster.settle();
  const restored = await cluster.get("v1", "ConfigMap", name);
  expect(restored).toMatchObject({
    metadata: {
      annotations: { ...metadata?.annotations, "example.com/a": "b" },
      labels: { team: "blue" },
    },
  });
  expect(restored["data"]).toEqual({ "ca.crt": "PEM" });
});

test("an API server without controllers creates no ServiceAccount", async () => {
  await using cluster = createCluster({ controllers: [] });
  await cluster.settle();
  await expect(cluster.get("v1", "ServiceAccount", "default")).rejects.toThrow("not found");
});
