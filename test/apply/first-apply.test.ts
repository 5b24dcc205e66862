import { expect, test } from "vitest";
import type { Release } from "../../src/apimachinery/release.ts";
import { createCluster } from "../../src/index.ts";

const configMaps = "https://cluster.test/api/v1/namespaces/default/configmaps";

async function send(
  cluster: ReturnType<typeof createCluster>,
  method: string,
  path: string,
  type: string,
  body: object,
) {
  const request = { method, headers: { "content-type": type }, body: JSON.stringify(body) };
  const response = await cluster.fetch(`${configMaps}${path}`, request);
  return { code: response.status, object: JSON.parse(await response.text()) };
}

const managersOf = ({ object }: { object: { metadata: { managedFields?: { manager: string }[] } } }) =>
  object.metadata.managedFields?.map(({ manager }) => manager);

test.each<[release: Release, created: readonly string[] | undefined, applied: readonly string[]]>([
  ["1.16", undefined, ["applier", "before-first-apply"]],
  ["1.17", undefined, ["applier", "before-first-apply"]],
  ["1.18", ["creator"], ["applier", "creator"]],
])(
  "a server of %s tracks owners of fields from %j on, after an apply %j",
  async (release, created, applied) => {
    await using cluster = createCluster({ release });
    const object = { metadata: { name: "a" }, data: { a: "1" } };
    const first = await send(cluster, "POST", "?fieldManager=creator", "application/json", object);
    expect(managersOf(first)).toEqual(created);
    const config = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" }, data: { b: "2" } };
    const second = await send(
      cluster,
      "PATCH",
      "/a?fieldManager=applier",
      "application/apply-patch+yaml",
      config,
    );
    expect(managersOf(second)?.toSorted()).toEqual(applied);
    const third = await send(cluster, "PATCH", "/a?fieldManager=later", "application/merge-patch+json", {
      data: { c: "3" },
    });
    expect(managersOf(third)).toContain("later");
  },
);

test("no object of a new cluster has managedFields before 1.18", async () => {
  await using cluster = createCluster({ release: "1.17" });
  await cluster.settle();
  for (const resource of [
    "api/v1/namespaces",
    "apis/rbac.authorization.k8s.io/v1/clusterroles",
    "apis/apiregistration.k8s.io/v1/apiservices",
  ]) {
    const response = await cluster.fetch(`https://cluster.test/${resource}`);
    const { items } = JSON.parse(await response.text());
    expect(items.length).toBeGreaterThan(0);
    expect(items.filter(({ metadata }: { metadata: object }) => "managedFields" in metadata)).toEqual([]);
  }
});

test("without server-side apply, no release has managedFields or takes apply configurations", async () => {
  await using cluster = createCluster({ release: "1.21", featureGates: { ServerSideApply: false } });
  const object = { metadata: { name: "a", managedFields: [] }, data: { a: "1" } };
  const first = await send(cluster, "POST", "", "application/json", object);
  expect([first.code, managersOf(first)]).toEqual([201, undefined]);
  const config = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" } };
  expect(
    (await send(cluster, "PATCH", "/a?fieldManager=x", "application/apply-patch+yaml", config)).code,
  ).toBe(415);
});
