import { describe, expect, test } from "vitest";
import { VirtualClock } from "../../src/apimachinery/clock.ts";
import { type Cluster, createCluster, type KubeObject } from "../../src/index.ts";
import { conflict } from "../../src/scenario/presets.ts";

const objects: readonly KubeObject[] = [
  { apiVersion: "v1", kind: "Namespace", metadata: { name: "shop" } },
  { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "settings", namespace: "shop" } },
];

/** Clusters share a start within a second, so their clock stands still. */
const standing = () => new VirtualClock("2031-02-03T04:05:06Z");

const settings = (cluster: Cluster): Promise<KubeObject> =>
  cluster.get("v1", "ConfigMap", "settings", { namespace: "shop" });

const uidOf = async (cluster: Cluster): Promise<string> => (await settings(cluster)).metadata.uid ?? "";

describe("forks that were made before the start", () => {
  test("load the initial objects once, whichever of them starts first", async () => {
    await using cluster = createCluster({ objects, clock: standing() });
    await using one = cluster.fork();
    await using other = cluster.fork();
    const found = [await settings(other), await settings(cluster), await settings(one)];
    expect(new Set(found.map((object) => JSON.stringify(object)))).toHaveLength(1);
  });

  test("have the initial objects if they start at the same time", async () => {
    await using cluster = createCluster({ objects, clock: standing() });
    await using fork = cluster.fork();
    const [one, other] = await Promise.all([settings(cluster), settings(fork)]);
    expect([one.metadata.name, other.metadata.name]).toEqual(["settings", "settings"]);
  });

  test("do not see what the first one changes", async () => {
    await using cluster = createCluster({ objects, clock: standing() });
    await using fork = cluster.fork();
    await cluster.delete("v1", "ConfigMap", "settings", { namespace: "shop" });
    await using later = fork.fork();
    expect([await uidOf(fork), await uidOf(later)]).toEqual([expect.stringMatching(/./), await uidOf(fork)]);
  });

  test("have controllers of their own, which go on where those of the first one were", async () => {
    await using cluster = createCluster({ objects, clock: standing() });
    const forks = [cluster.fork(), cluster.fork()];
    for (const fork of forks) {
      await fork.settle();
      const account = await fork.get("v1", "ServiceAccount", "default", { namespace: "shop" });
      expect(account.metadata.name).toBe("default");
      await fork.close();
    }
  });

  test("generate the same names as a cluster that starts itself, if a seed is given", async () => {
    const named = async (cluster: Cluster) => {
      const created = await cluster.create({
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { generateName: "a-", namespace: "shop" },
      });
      return created.metadata.name;
    };
    await using cluster = createCluster({ objects, seed: 7, controllers: [] });
    const forks = [cluster.fork(), cluster.fork()];
    const names = [];
    for (const fork of forks) names.push(await named(fork));
    expect(names[0]).toMatch(/^a-.{5}$/);
    expect(names[1]).toBe(names[0]);
  });

  test("can still watch from the beginning", async () => {
    await using cluster = createCluster({ objects, clock: standing(), controllers: [] });
    await using fork = cluster.fork();
    await settings(cluster);
    const path = "/api/v1/namespaces/shop/configmaps?watch=true&timeoutSeconds=0&resourceVersion=";
    const { resourceVersion = "" } = (await settings(fork)).metadata;
    const headers = { authorization: `Bearer ${fork.adminToken()}` };
    const url = `https://cluster.test${path}${Number(resourceVersion) - 1}`;
    const response = await fork.fetch(url, { headers });
    const reader = response.body?.getReader();
    const first = await reader?.read();
    await reader?.cancel();
    expect(new TextDecoder().decode(first?.value)).toContain('"name":"settings"');
  });
});

describe("a fork starts itself", () => {
  const others: readonly (readonly [title: string, change: (fork: Cluster) => unknown])[] = [
    ["that has a fault", (fork) => fork.inject(conflict({ resource: "pods" }))],
    ["that publishes a port", (fork) => fork.advertise({ address: "127.0.0.1", port: 1, rootCa: "" })],
    ["that has a webhook", (fork) => fork.webhook("gadgets.example.com", () => ({ allowed: true }))],
    ["that knows an address", (fork) => fork.serviceAt("shop/web", "127.0.0.1:1")],
    ["whose history was compacted", (fork) => fork.compact()],
    ["that was restored", (fork) => fork.restore(fork.snapshot())],
  ];
  test.each(others)("%s", async (_title, change) => {
    await using cluster = createCluster({ objects, clock: standing(), controllers: [] });
    await using usual = cluster.fork();
    await using fork = cluster.fork();
    change(fork);
    const uids = [await uidOf(usual), await uidOf(fork), await uidOf(cluster)];
    expect(uids[1]).not.toBe(uids[0]);
    expect(uids[2]).toBe(uids[0]);
  });

  test("and those that are forked from it share its start", async () => {
    await using cluster = createCluster({ objects, clock: standing(), controllers: [] });
    await using fork = cluster.fork();
    fork.webhook("gadgets.example.com", () => ({ allowed: true }));
    await using further = fork.fork();
    const uids = [await uidOf(cluster), await uidOf(fork), await uidOf(further)];
    expect(uids[1]).not.toBe(uids[0]);
    expect(uids[2]).toBe(uids[1]);
  });

  test("whose clock is behind that of the first one", async () => {
    const clock = standing();
    await using cluster = createCluster({ objects, clock, controllers: [] });
    await using ahead = cluster.fork();
    await using behind = cluster.fork();
    await ahead.clock.advance("1h");
    const times = [];
    for (const fork of [ahead, behind]) times.push((await settings(fork)).metadata.creationTimestamp);
    expect(times).toEqual(["2031-02-03T05:05:06Z", "2031-02-03T04:05:06Z"]);
  });

  test("whose clock was advanced, so that its objects have the same times whichever starts first", async () => {
    const timesIn = async (order: readonly number[]): Promise<readonly unknown[]> => {
      const clock = standing();
      await using cluster = createCluster({ objects, clock, controllers: [] });
      const forks = [cluster.fork(), cluster.fork()];
      await forks[1]?.clock.advance("1h");
      const times: unknown[] = [];
      for (const at of order) {
        const fork = forks[at];
        if (fork !== undefined) times[at] = (await settings(fork)).metadata.creationTimestamp;
      }
      return times;
    };
    const expected = ["2031-02-03T04:05:06Z", "2031-02-03T05:05:06Z"];
    expect([await timesIn([0, 1]), await timesIn([1, 0])]).toEqual([expected, expected]);
  });

  test("if the first one was closed before its start ended", async () => {
    await using cluster = createCluster({ objects, clock: standing() });
    const closed = cluster.fork();
    const starting = closed.settle();
    await closed.close();
    await starting;
    await using fork = cluster.fork();
    expect(await uidOf(fork)).not.toBe("");
  });

  test("if the cluster has started before", async () => {
    await using cluster = createCluster({ objects, clock: standing(), controllers: [] });
    await settings(cluster);
    await cluster.delete("v1", "ConfigMap", "settings", { namespace: "shop" });
    await using fork = cluster.fork();
    await expect(settings(fork)).rejects.toThrow('configmaps "settings" not found');
  });
});
