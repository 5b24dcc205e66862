import { expect, test } from "vitest";
import type { JsonObject } from "../../src/apimachinery/json.ts";
import { type Cluster, createCluster } from "../../src/index.ts";
import { testClient } from "../registry/test-client.ts";

const path = "/apis/rbac.authorization.k8s.io/v1/clusterroles";

const rule = (resource: string) => ({ verbs: ["get"], apiGroups: [""], resources: [resource] });
const role = (name: string, labels: object, rules: readonly object[]) => ({
  metadata: { name, labels },
  rules,
});

async function rulesOf(cluster: Cluster, name: string): Promise<readonly JsonObject[]> {
  await cluster.settle();
  return (await testClient(cluster)("GET", `${path}/${name}`)).object.rules ?? [];
}

test("a role has the rules of the roles that it selects, by selector and name, each once", async () => {
  await using cluster = createCluster();
  const send = testClient(cluster);
  await send("POST", path, role("b", { part: "1" }, [rule("pods"), rule("services")]));
  await send("POST", path, role("a", { part: "1" }, [rule("secrets"), rule("pods")]));
  await send("POST", path, role("c", { part: "2" }, [rule("nodes")]));
  const clusterRoleSelectors = [{ matchLabels: { part: "2" } }, { matchLabels: { part: "1" } }];
  const metadata = { name: "all", labels: { part: "1" } };
  await send("POST", path, { metadata, aggregationRule: { clusterRoleSelectors } });
  expect(await rulesOf(cluster, "all")).toEqual(["nodes", "secrets", "pods", "services"].map(rule));
  await send("PATCH", `${path}/b`, { metadata: { labels: { part: null } } });
  expect(await rulesOf(cluster, "all")).toEqual(["nodes", "secrets", "pods"].map(rule));
  await send("DELETE", `${path}/a`);
  expect(await rulesOf(cluster, "all")).toEqual([rule("nodes")]);
  const { managedFields } = (await send("GET", `${path}/all`)).object.metadata;
  expect(managedFields[0]).toMatchObject({
    manager: "clusterrole-aggregation-controller",
    operation: "Apply",
    fieldsV1: { "f:rules": {} },
  });
});

test("what others write into the rules of an aggregating role is overwritten", async () => {
  await using cluster = createCluster();
  const before = await rulesOf(cluster, "view");
  await testClient(cluster)("PATCH", `${path}/view`, { rules: [rule("secrets")] });
  expect(await rulesOf(cluster, "view")).toEqual(before);
});

test.each(["admin", "edit", "view"])("%s of a new cluster has its rules without a write", async (name) => {
  await using cluster = createCluster();
  await cluster.settle();
  const { object } = await testClient(cluster)("GET", `${path}/${name}`);
  expect(object.rules.length).toBeGreaterThanOrEqual(10);
  expect(object.metadata.managedFields.map(({ manager }: { manager: string }) => manager)).toEqual([
    "clusterrole-aggregation-controller",
    "kube-apiserver",
  ]);
  // A write of the controller would have made it newer than the roles that it selects.
  const { items } = (await testClient(cluster)("GET", path)).object;
  const versions = items.map(({ metadata }: { metadata: JsonObject }) => Number(metadata["resourceVersion"]));
  expect(Math.max(...versions) - Math.min(...versions)).toBe(items.length - 1);
});

test("without the controller, aggregating roles have no rules", async () => {
  await using cluster = createCluster({ controllers: ["*", "-clusterrole-aggregation-controller"] });
  expect(await rulesOf(cluster, "admin")).toEqual([]);
});

test("before 1.22, the controller replaces the role", async () => {
  await using cluster = createCluster({ release: "1.21" });
  await testClient(cluster)("PATCH", `${path}/view`, { rules: [rule("secrets")] });
  expect(await rulesOf(cluster, "view")).not.toEqual([rule("secrets")]);
  const { metadata } = (await testClient(cluster)("GET", `${path}/view`)).object;
  expect(metadata.managedFields).toContainEqual(
    expect.objectContaining({ manager: "kube-controller-manager", operation: "Update" }),
  );
});
