import { afterEach, describe, expect, test, vi } from "vitest";
import { type Cluster, createCluster, type ObjectWatch, type WatchEvent } from "../../src/index.ts";
import { watchGone } from "../../src/scenario/presets.ts";

const configMap = (name: string) => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name } });
const namespace = "default";

/** The next events of a watch, as type and name. */
async function next<T extends { readonly metadata: { readonly name?: string } }>(
  watch: ObjectWatch<T>,
  count: number,
): Promise<string[]> {
  const seen: string[] = [];
  while (seen.length < count) {
    const { done, value } = await watch.next();
    if (done === true) return [...seen, "end"];
    seen.push(`${value.type} ${value.object.metadata.name}`);
  }
  return seen;
}

/** A cluster that has the ConfigMap a, without controllers that would create others. */
async function clusterWithA(): Promise<Cluster> {
  const cluster = createCluster({ controllers: [] });
  await cluster.create(configMap("a"));
  return cluster;
}

afterEach(() => {
  vi.useRealTimers();
});

describe("watch", () => {
  test("begins with the existing objects, and continues with every change", async () => {
    const cluster = await clusterWithA();
    const watch = cluster.watch("v1", "ConfigMap", { namespace });
    expect(await next(watch, 1)).toEqual(["ADDED a"]);
    await cluster.create(configMap("b"));
    await cluster.patch("v1", "ConfigMap", "a", { data: { color: "blue" } });
    await cluster.delete("v1", "ConfigMap", "b");
    expect(await next(watch, 3)).toEqual(["ADDED b", "MODIFIED a", "DELETED b"]);
  });

  test("continues after a resourceVersion, with a selector", async () => {
    const cluster = await clusterWithA();
    const { resourceVersion } = (await cluster.list("v1", "ConfigMap")).metadata;
    await cluster.create({ ...configMap("b"), metadata: { name: "b", labels: { app: "web" } } });
    const watch = cluster.watch("v1", "ConfigMap", { resourceVersion, labelSelector: "app=web" });
    await cluster.create(configMap("c"));
    await cluster.delete("v1", "ConfigMap", "b");
    expect(await next(watch, 2)).toEqual(["ADDED b", "DELETED b"]);
  });

  test("misses no change between the call and the first read", async () => {
    const cluster = await clusterWithA();
    const watch = cluster.watch("v1", "ConfigMap", { namespace });
    await cluster.patch("v1", "ConfigMap", "a", { data: { color: "blue" } });
    await cluster.delete("v1", "ConfigMap", "a");
    expect(await next(watch, 3)).toEqual(["ADDED a", "MODIFIED a", "DELETED a"]);
  });

  test("ends with return, even while the next event is awaited", async () => {
    const cluster = await clusterWithA();
    const watch = cluster.watch("v1", "ConfigMap", { namespace, fieldSelector: "metadata.name=none" });
    const event = watch.next();
    await watch.return();
    expect(await event).toEqual({ done: true, value: undefined });
    expect(await next(watch, 1)).toEqual(["end"]);
  });

  test("ends with its signal and with its block", async () => {
    const cluster = await clusterWithA();
    const controller = new AbortController();
    const seen: WatchEvent[] = [];
    for await (const event of cluster.watch("v1", "ConfigMap", { namespace, signal: controller.signal })) {
      seen.push(event);
      controller.abort();
    }
    expect(seen).toMatchObject([{ type: "ADDED", object: configMap("a") }]);
    let watch: ObjectWatch<object>;
    {
      await using inBlock = cluster.watch("v1", "ConfigMap");
      watch = inBlock;
    }
    expect((await watch.next()).done).toBe(true);
  });

  test("throws 410 for an expired resourceVersion, and for a fault that expires the watch", async () => {
    const cluster = await clusterWithA();
    const { resourceVersion } = (await cluster.list("v1", "ConfigMap")).metadata;
    await cluster.create(configMap("b"));
    cluster.compact();
    await expect(cluster.watch("v1", "ConfigMap", { resourceVersion }).next()).rejects.toMatchObject({
      code: 410,
    });
    cluster.inject(watchGone());
    const watch = cluster.as("alice").watch("v1", "ConfigMap", { namespace });
    await expect(next(watch, 3)).rejects.toMatchObject({ name: "StatusError", code: 410 });
  });

  test("throws the refusal of a client without permission", async () => {
    const cluster = createCluster({ authorizationMode: "RBAC" });
    const watch = cluster.as("alice").watch("v1", "ConfigMap");
    await expect(watch.next()).rejects.toMatchObject({ status: { reason: "Forbidden" } });
    expect(() => cluster.watch("v1", "ConfigMap", { labelselector: "a=b" } as object)).toThrow(
      'watch: unknown option "labelselector"; did you mean "labelSelector"?',
    );
  });

  test("of the cluster is not held back by a test", async () => {
    const cluster = await clusterWithA();
    const held = cluster.watches.hold();
    const own = cluster.watch("v1", "ConfigMap", { namespace });
    const watch = cluster.as("alice").watch("v1", "ConfigMap", { namespace });
    await cluster.create(configMap("b"));
    expect(await next(own, 2)).toEqual(["ADDED a", "ADDED b"]);
    expect(cluster.watches.open).toMatchObject([{ user: "alice" }]);
    expect(await next(watch, 1)).toEqual(["ADDED a"]);
    await held.release();
    expect(await next(watch, 1)).toEqual(["ADDED b"]);
  });
});

describe("waitFor", () => {
  const query = { apiVersion: "v1", kind: "ConfigMap", name: "a" } as const;
  const isBlue = ({ data }: { data?: { [key: string]: string } }) => data?.["color"] === "blue";
  const paint = (cluster: Cluster, color: string) =>
    cluster.patch("v1", "ConfigMap", "a", { data: { color } });

  test("resolves with the object, at once or after a change", async () => {
    const cluster = await clusterWithA();
    const waiting = cluster.waitFor(query, isBlue);
    await paint(cluster, "red");
    await paint(cluster, "blue");
    expect((await waiting).data).toEqual({ color: "blue" });
    expect((await cluster.waitFor(query, isBlue)).data).toEqual({ color: "blue" });
  });

  test("waits for an object that does not exist yet, and for one that is deleted", async () => {
    const cluster = createCluster();
    const waiting = cluster.waitFor({ ...query, namespace }, () => true);
    await cluster.create(configMap("a"));
    expect((await waiting).metadata.name).toBe("a");
    const deleted = cluster.waitFor(query, "deleted");
    await cluster.delete("v1", "ConfigMap", "a");
    await deleted;
    await expect(cluster.get("v1", "ConfigMap", "a")).rejects.toMatchObject({ code: 404 });
  });

  test("waits for a list without a name", async () => {
    const cluster = await clusterWithA();
    const all = { apiVersion: "v1", kind: "ConfigMap", namespace } as const;
    const waiting = cluster.waitFor(all, (items) => items.length === 2);
    await cluster.create(configMap("b"));
    expect((await waiting).map(({ metadata, kind }) => `${kind} ${metadata.name}`)).toEqual([
      "ConfigMap a",
      "ConfigMap b",
    ]);
  });

  test("waits for controllers", async () => {
    const cluster = createCluster();
    await cluster.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: "shop" } });
    const account = { apiVersion: "v1", kind: "ServiceAccount", name: "default", namespace: "shop" } as const;
    const { metadata } = await cluster.waitFor(account, () => true);
    expect(metadata.namespace).toBe("shop");
  });

  test.each([
    ["an object", query, { timeout: 20 }, /^After 20 ms, ConfigMap a \(v1\) does not meet .*"color": "red"/s],
    ["a missing object", { ...query, name: "none" }, { timeout: "20ms" }, /\nThe object does not exist\.$/],
  ])("reports the last state of %s", async (_title, selected, options, message) => {
    const cluster = await clusterWithA();
    await paint(cluster, "red");
    const waiting = cluster.waitFor(selected, isBlue, options);
    await expect(waiting).rejects.toMatchObject({
      name: "TimeoutError",
      message: expect.stringMatching(message),
    });
  });

  test("reports the last list", async () => {
    const cluster = await clusterWithA();
    await paint(cluster, "red");
    const all = { apiVersion: "v1", kind: "ConfigMap", namespace } as const;
    await expect(cluster.waitFor(all, (items) => items.length === 2, { timeout: 20 })).rejects.toThrow(
      "After 20 ms, the list of ConfigMap (v1) in namespace default does not meet the condition " +
        '(items) => items.length === 2\nThe last list has 1 object:\n  default/a {"data":{"color":"red"}}',
    );
  });

  test("continues when its watch ends, and when its resourceVersion has expired", async () => {
    const cluster = await clusterWithA();
    const snapshot = cluster.snapshot();
    await paint(cluster, "red");
    const waiting = cluster.as("alice").waitFor(query, isBlue);
    await vi.waitFor(() => expect(cluster.watches.open).toHaveLength(1));
    cluster.restore(snapshot);
    cluster.compact();
    await paint(cluster, "blue");
    expect((await waiting).data).toEqual({ color: "blue" });
  });

  test("of another user ends with a refusal, or after a fault continues", async () => {
    const cluster = await clusterWithA();
    cluster.inject(watchGone());
    const waiting = cluster.as("alice").waitFor(query, isBlue);
    await paint(cluster, "blue");
    await waiting;
    const strict = createCluster({ authorizationMode: "RBAC" });
    await expect(strict.as("alice").waitFor(query, isBlue)).rejects.toMatchObject({
      status: { reason: "Forbidden" },
    });
  });

  test("rejects with the error of the condition, and for what is not a condition", async () => {
    const cluster = await clusterWithA();
    const failing = () => {
      throw new Error("not this one");
    };
    await expect(cluster.waitFor(query, failing)).rejects.toThrow("not this one");
    await expect(cluster.waitFor({ ...query, nam: "a" } as typeof query, isBlue)).rejects.toThrow(
      'waitFor: query: unknown option "nam"; did you mean "name"?',
    );
    await expect(cluster.waitFor(query, "delete" as "deleted")).rejects.toThrow(
      'the condition must be a function or "deleted", not delete',
    );
  });

  test("ends in a closed cluster when the time is over", async () => {
    const cluster = await clusterWithA();
    await cluster.close();
    await expect(cluster.waitFor(query, isBlue, { timeout: 50 })).rejects.toThrow("does not meet");
  });

  test("works with fake timers: it neither hangs nor waits for them", async () => {
    vi.useFakeTimers();
    const cluster = await clusterWithA();
    const waiting = cluster.waitFor(query, isBlue);
    await paint(cluster, "blue");
    await waiting;
    const before = Date.now();
    await expect(cluster.waitFor(query, "deleted", { timeout: 20 })).rejects.toThrow(
      "After 20 ms, ConfigMap a (v1) is not deleted",
    );
    expect(Date.now()).toBe(before);
  });
});
