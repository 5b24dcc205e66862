import { describe, expect, test } from "vitest";
import { type Cluster, createCluster, type JsonObject } from "../../src/index.ts";

const apiGroup = "rbac.authorization.k8s.io";
const apiVersion = `${apiGroup}/v1`;
const autoupdate = "rbac.authorization.kubernetes.io/autoupdate";
const own = { verbs: ["get"], apiGroups: ["example.com"], resources: ["widgets"] };

const role = (name: string, rules: readonly object[], update = "true") => ({
  apiVersion,
  kind: "ClusterRole",
  metadata: { name, annotations: { [autoupdate]: update, own: "kept" }, labels: { own: "kept" } },
  rules,
});
const binding = (name: string, roleName: string, subject: string) => ({
  apiVersion,
  kind: "ClusterRoleBinding",
  metadata: { name },
  roleRef: { apiGroup, kind: "ClusterRole", name: roleName },
  subjects: [{ apiGroup, kind: "Group", name: subject }],
});

const started = (...objects: readonly object[]): Cluster => createCluster({ controllers: [], objects });

describe("at the start, a default role among the initial objects", () => {
  test("gets the rules that it lacks, and keeps its own", async () => {
    await using fresh = createCluster({ controllers: [] });
    const { rules: wanted = [] } = (await fresh.get(
      apiVersion,
      "ClusterRole",
      "system:basic-user",
    )) as JsonObject & {
      rules?: JsonObject[];
    };
    await using cluster = started(role("system:basic-user", [own, ...wanted.slice(0, 1)]));
    const { metadata, rules } = (await cluster.get(apiVersion, "ClusterRole", "system:basic-user")) as {
      metadata: { labels?: object; annotations?: object };
      rules?: readonly { resources: string[] }[];
    };
    expect(rules?.slice(0, 2)).toEqual([own, ...wanted.slice(0, 1)]);
    expect(rules?.flatMap(({ resources }) => resources).sort()).toEqual(
      ["widgets", "selfsubjectaccessreviews", "selfsubjectreviews", "selfsubjectrulesreviews"].sort(),
    );
    expect(metadata.labels).toEqual({ "kubernetes.io/bootstrapping": "rbac-defaults", own: "kept" });
    expect(metadata.annotations).toEqual({ [autoupdate]: "true", own: "kept" });
  });

  test("stays as it is if its annotation says so", async () => {
    await using cluster = started(role("cluster-admin", [own], "false"));
    const found = await cluster.get(apiVersion, "ClusterRole", "cluster-admin");
    expect(found).toMatchObject({ metadata: { labels: { own: "kept" } }, rules: [own] });
    expect(Object.keys(found.metadata.labels ?? {})).toEqual(["own"]);
  });

  test("that aggregates gets its selectors", async () => {
    const selector = { matchLabels: { team: "a" } };
    await using cluster = started({
      ...role("view", []),
      aggregationRule: { clusterRoleSelectors: [selector] },
    });
    const label = { [`rbac.authorization.k8s.io/aggregate-to-view`]: "true" };
    expect(await cluster.get(apiVersion, "ClusterRole", "view")).toMatchObject({
      aggregationRule: { clusterRoleSelectors: [selector, { matchLabels: label }] },
    });
  });

  test("is not written if it lacks nothing", async () => {
    await using fresh = createCluster({ controllers: [] });
    const roles = await fresh.list(apiVersion, "ClusterRole");
    await using cluster = started(roles);
    const { metadata, items } = await cluster.list(apiVersion, "ClusterRole");
    const newest = Math.max(...items.map((item) => Number(item.metadata.resourceVersion)));
    expect(newest).toBe(Number(metadata.resourceVersion));
    expect(items).toHaveLength(roles.items.length);
  });
});

describe("at the start, a default binding among the initial objects", () => {
  test("gets the subjects that it lacks", async () => {
    await using cluster = started(binding("cluster-admin", "cluster-admin", "admins"));
    expect(await cluster.get(apiVersion, "ClusterRoleBinding", "cluster-admin")).toMatchObject({
      subjects: [{ name: "admins" }, { name: "system:masters" }],
    });
  });

  test("stays as it is if its annotation says so", async () => {
    const given = binding("cluster-admin", "cluster-admin", "admins");
    const metadata = { ...given.metadata, annotations: { [autoupdate]: "false" } };
    await using cluster = started({ ...given, metadata });
    const found = await cluster.get(apiVersion, "ClusterRoleBinding", "cluster-admin");
    expect(found["subjects"]).toMatchObject([{ name: "admins" }]);
  });

  test("of another role is replaced", async () => {
    const dumped = binding("system:discovery", "view", "admins");
    await using cluster = started({ ...dumped, metadata: { ...dumped.metadata, resourceVersion: "7" } });
    expect(await cluster.get(apiVersion, "ClusterRoleBinding", "system:discovery")).toMatchObject({
      roleRef: { name: "system:discovery" },
      subjects: [{ name: "admins" }, { name: "system:authenticated" }],
    });
  });
});
