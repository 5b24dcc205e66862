import { describe, expect, test } from "vitest";
import { VirtualClock } from "../../src/apimachinery/clock.ts";
import { type Cluster, createCluster, type KubeObject } from "../../src/index.ts";

const kinds = [
  ["v1", "Namespace"],
  ["v1", "Service"],
  ["v1", "ConfigMap"],
  ["v1", "ServiceAccount"],
  ["rbac.authorization.k8s.io/v1", "ClusterRole"],
  ["rbac.authorization.k8s.io/v1", "ClusterRoleBinding"],
  ["flowcontrol.apiserver.k8s.io/v1", "FlowSchema"],
  ["apiregistration.k8s.io/v1", "APIService"],
] as const;

async function objectsOf(cluster: Cluster): Promise<readonly KubeObject[]> {
  const lists = await Promise.all(kinds.map(([apiVersion, kind]) => cluster.list(apiVersion, kind)));
  return lists.flatMap(({ items }) => items);
}

/** An object without what a cluster generates. */
function withoutGenerated({ metadata, ...rest }: KubeObject): object {
  const { uid: _uid, creationTimestamp: _time, ...kept } = metadata;
  const times = ["time", "lastTransitionTime"];
  const text = JSON.stringify({ ...rest, metadata: kept }, (key, value) =>
    times.includes(key) ? undefined : value,
  );
  return JSON.parse(text);
}

const uidsOf = (objects: readonly KubeObject[]) => objects.map(({ metadata }) => metadata.uid ?? "");

const configMap = (name: string, owner?: KubeObject): KubeObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: {
    name,
    namespace: "default",
    ...(owner && {
      ownerReferences: [
        {
          apiVersion: owner.apiVersion,
          kind: owner.kind,
          name: owner.metadata.name ?? "",
          uid: owner.metadata.uid ?? "",
        },
      ],
    }),
  },
});

describe("clusters of the same options", () => {
  test("have equal objects at the same resourceVersions, with their own uids and times", async () => {
    const start = Date.parse("2031-02-03T04:05:06Z");
    const clocks = [0, 1, 2].map(
      (hour) => new VirtualClock(new Date(start + hour * 3_600_000).toISOString()),
    );
    const clusters = clocks.map((clock) => createCluster({ clock }));
    const found = [];
    // One after the other: later ones go on from what is known of the first.
    for (const cluster of clusters) found.push(await objectsOf(cluster));
    const [first = [], ...others] = found;
    expect(first.length).toBeGreaterThan(100);
    for (const objects of others) expect(objects.map(withoutGenerated)).toEqual(first.map(withoutGenerated));
    expect(new Set(found.flatMap(uidsOf)).size).toBe(first.length * clusters.length);
    for (const [hour, objects] of found.entries()) {
      const times = new Set(objects.map(({ metadata }) => metadata.creationTimestamp));
      expect([...times]).toEqual([`2031-02-03T0${4 + hour}:05:06Z`]);
    }
    await Promise.all(clusters.map((cluster) => cluster.close()));
  });

  test("do not see each other's changes", async () => {
    const [one, other] = [createCluster(), createCluster()];
    await one.delete("v1", "ConfigMap", "kube-root-ca.crt", { namespace: "kube-system" });
    await one.patch("v1", "Namespace", "default", { metadata: { labels: { changed: "yes" } } });
    const late = createCluster();
    for (const cluster of [other, late]) {
      expect((await cluster.get("v1", "Namespace", "default")).metadata.labels).not.toHaveProperty("changed");
    }
    expect((await one.get("v1", "Namespace", "default")).metadata.labels).toHaveProperty("changed");
    await Promise.all([one, other, late].map((cluster) => cluster.close()));
  });

  test("have the same history, which old resourceVersions read", async () => {
    const read = async (cluster: Cluster): Promise<{ readonly items: readonly KubeObject[] }> => {
      const response = await cluster.fetch(
        "https://cluster.test/apis/apiregistration.k8s.io/v1/apiservices?resourceVersion=9&resourceVersionMatch=Exact",
      );
      // The type of a list.
      return (await response.json()) as { readonly items: readonly KubeObject[] };
    };
    const [one, other] = [createCluster({ historyBytes: 1_000_000 }), createCluster()];
    const { items } = await read(one);
    expect(items.length).toBeGreaterThan(1);
    expect(items.map(withoutGenerated)).toEqual((await read(other)).items.map(withoutGenerated));
    await Promise.all([one.close(), other.close()]);
  });

  test("issue their own tokens", async () => {
    const [one, other] = [createCluster(), createCluster()];
    const headers = { authorization: `Bearer ${one.token("alice")}` };
    const { status } = await other.fetch("https://cluster.test/api/v1/namespaces", { headers });
    expect(status).toBe(401);
    await Promise.all([one.close(), other.close()]);
  });

  test("have controllers that know the objects of their own cluster", async () => {
    await createCluster().settle();
    const cluster = createCluster();
    const account = await cluster.get("v1", "ServiceAccount", "default", { namespace: "default" });
    await cluster.create(configMap("dependent", account));
    await cluster.create(configMap("other"));
    await cluster.settle();
    expect(await cluster.get("v1", "ConfigMap", "dependent")).toBeDefined();
    await cluster.delete("v1", "ServiceAccount", "default", { namespace: "default" });
    await cluster.settle();
    await expect(cluster.get("v1", "ConfigMap", "dependent")).rejects.toMatchObject({
      status: { code: 404 },
    });
    // The controller has created the account again, with another uid.
    const again = await cluster.get("v1", "ServiceAccount", "default", { namespace: "default" });
    expect(again.metadata.uid).not.toBe(account.metadata.uid);
    await cluster.close();
  });

  test("aggregate roles, however many came before", async () => {
    const role = {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "ClusterRole",
      metadata: { name: "more", labels: { "rbac.authorization.k8s.io/aggregate-to-view": "true" } },
      rules: [{ apiGroups: ["example.com"], resources: ["things"], verbs: ["get"] }],
    };
    for (let count = 0; count < 3; count++) {
      const cluster = createCluster();
      await cluster.create(role);
      await cluster.settle();
      const view = await cluster.get("rbac.authorization.k8s.io/v1", "ClusterRole", "view");
      expect(view["rules"]).toContainEqual(role.rules[0]);
      await cluster.close();
    }
  });

  test("with other options start from their own objects", async () => {
    for (const controllers of [["*"], [], ["*", "-root-ca-certificate-publisher-controller"], ["*"]]) {
      const cluster = createCluster({ controllers });
      const { items } = await cluster.list("v1", "ConfigMap", { namespace: "default" });
      const expected = controllers.length === 1 ? ["kube-root-ca.crt"] : [];
      expect(items.map(({ metadata }) => metadata.name)).toEqual(expected);
      await cluster.close();
    }
  });

  test("that are restored before they start go on from the snapshot", async () => {
    await createCluster().settle();
    const origin = createCluster();
    const owner = await origin.create(configMap("owner"));
    await origin.create(configMap("dependent", owner));
    const snapshot = origin.snapshot();
    const cluster = createCluster();
    cluster.restore(snapshot);
    await cluster.delete("v1", "ConfigMap", "owner");
    await cluster.settle();
    await expect(cluster.get("v1", "ConfigMap", "dependent")).rejects.toMatchObject({
      status: { code: 404 },
    });
    await Promise.all([origin.close(), cluster.close()]);
  });
});
