import { describe, expect, test } from "vitest";
import { turn } from "../../src/apimachinery/clock.ts";
import { type Cluster, createCluster, type RequestScope } from "../../src/index.ts";
import { configMap } from "./manifests.ts";

const names = [..."abcdefghij"];

/** The events that clients have seen, in order: `alice ADDED a`. */
type Seen = string[];

/** Opens a watch of ConfigMaps as a user and records its events. Resolves when the watch is open. */
async function watchAs(cluster: Cluster, user: string, seen: Seen, query = ""): Promise<void> {
  const { metadata } = await cluster.list("v1", "ConfigMap");
  const start = query.includes("sendInitialEvents") ? "" : `&resourceVersion=${metadata["resourceVersion"]}`;
  const path = `/api/v1/namespaces/default/configmaps?watch=true${start}${query}`;
  const answer = await cluster.fetch(`https://cluster.test${path}`, {
    headers: { authorization: `Bearer ${cluster.token(user)}`, "user-agent": `client-of-${user}` },
  });
  if (answer.body === null) throw new Error("a watch without a body");
  void noteDown(user, answer.body, seen);
  await turn();
}

async function noteDown(user: string, body: ReadableStream<Uint8Array>, seen: Seen): Promise<void> {
  const decoder = new TextDecoder();
  for await (const piece of body) {
    for (const line of decoder.decode(piece).trim().split("\n")) {
      const { type, object } = JSON.parse(line);
      seen.push(`${user} ${type} ${object.metadata.name ?? object.metadata.resourceVersion}`);
    }
  }
}

async function createAll(cluster: Cluster, names: readonly string[]): Promise<void> {
  for (const name of names) await cluster.create(configMap(name));
  await turn();
}

/** The events of one user. */
function of(user: string, seen: readonly string[]): readonly string[] {
  return seen.filter((line) => line.startsWith(`${user} `));
}

describe("held watches", () => {
  test("receive one event per step, older events first", async () => {
    await using cluster = createCluster({ controllers: [] });
    const seen: Seen = [];
    await watchAs(cluster, "alice", seen);
    await watchAs(cluster, "bob", seen);
    const held = cluster.watches.hold();
    await createAll(cluster, ["a", "b"]);
    expect(seen).toEqual([]);
    expect(held.waiting.map(({ watch, type, name }) => `${watch.user} ${type} ${name}`)).toEqual([
      "alice ADDED a",
      "alice ADDED b",
      "bob ADDED a",
      "bob ADDED b",
    ]);
    const created = await cluster.get("v1", "ConfigMap", "a");
    expect(await held.step()).toMatchObject({
      watch: { user: "alice", userAgent: "client-of-alice", resource: "configmaps", namespace: "default" },
      type: "ADDED",
      namespace: "default",
      name: "a",
      resourceVersion: created.metadata.resourceVersion,
    });
    expect(seen).toEqual(["alice ADDED a"]);
    await held.step();
    expect(seen).toEqual(["alice ADDED a", "bob ADDED a"]);
    await held.release();
    expect(seen).toEqual(["alice ADDED a", "bob ADDED a", "alice ADDED b", "bob ADDED b"]);
    expect(await held.step()).toBeUndefined();
  });

  test("are free after their release: nothing is held any more, and another test can hold them", async () => {
    await using cluster = createCluster({ controllers: [] });
    const seen: Seen = [];
    await watchAs(cluster, "alice", seen);
    const held = cluster.watches.hold();
    await held.release();
    await watchAs(cluster, "bob", seen);
    await createAll(cluster, ["a"]);
    expect(seen).toEqual(["alice ADDED a", "bob ADDED a"]);
    expect(held.waiting).toEqual([]);
    const again = cluster.watches.hold();
    await createAll(cluster, ["b"]);
    expect(seen).toHaveLength(2);
    expect(again.waiting).toHaveLength(2);
    await again.release();
    expect(seen.slice(2)).toEqual(["alice ADDED b", "bob ADDED b"]);
  });

  test("continue as usual after their release", async () => {
    await using cluster = createCluster({ controllers: [] });
    const seen: Seen = [];
    await watchAs(cluster, "alice", seen);
    {
      await using _held = cluster.watches.hold();
      await createAll(cluster, ["a"]);
    }
    await createAll(cluster, ["b"]);
    expect(seen).toEqual(["alice ADDED a", "alice ADDED b"]);
  });

  test("can be stepped independently, each in its own order", async () => {
    await using cluster = createCluster({ controllers: [] });
    const seen: Seen = [];
    await watchAs(cluster, "alice", seen);
    await watchAs(cluster, "bob", seen);
    const held = cluster.watches.hold();
    await createAll(cluster, ["a", "b"]);
    await held.step({ user: "bob" });
    await held.step({ userAgent: /bob$/ });
    expect(await held.step({ user: "bob" })).toBeUndefined();
    expect(seen).toEqual(["bob ADDED a", "bob ADDED b"]);
  });

  test.each<[string, RequestScope, readonly string[]]>([
    ["a user", { user: "bob" }, ["alice ADDED a"]],
    ["a user agent", { userAgent: "client-of-alice" }, ["bob ADDED a"]],
    ["a resource", { resource: "configmaps" }, []],
    ["another resource", { resource: "secrets" }, ["alice ADDED a", "bob ADDED a"]],
  ])("are limited to those of %s by a scope", async (_title, scope, expected) => {
    await using cluster = createCluster({ controllers: [] });
    const seen: Seen = [];
    await watchAs(cluster, "alice", seen);
    await watchAs(cluster, "bob", seen);
    cluster.watches.hold(scope);
    await createAll(cluster, ["a"]);
    expect(seen).toEqual(expected);
  });

  test("include watches that are opened later: they receive their initial state, but no later events", async () => {
    await using cluster = createCluster({ controllers: [], objects: [configMap("given")] });
    const held = cluster.watches.hold();
    const seen: Seen = [];
    await watchAs(cluster, "alice", seen, "&sendInitialEvents=true&resourceVersionMatch=NotOlderThan");
    expect(seen).toEqual(["alice ADDED given"]);
    await createAll(cluster, ["a"]);
    expect(seen).toHaveLength(1);
    await held.step();
    expect(seen).toEqual(["alice ADDED given", "alice ADDED a"]);
  });

  test("do not wait for events that they would not receive", async () => {
    await using cluster = createCluster({ controllers: [] });
    await watchAs(cluster, "alice", [], "&labelSelector=color%3Dblue");
    const held = cluster.watches.hold();
    await createAll(cluster, ["a"]);
    expect(held.waiting).toEqual([]);
    expect(await held.step()).toBeUndefined();
  });

  test("receive no bookmark beyond their last event", async () => {
    await using cluster = createCluster({ controllers: [], seed: 1 });
    const seen: Seen = [];
    await watchAs(cluster, "alice", seen, "&allowWatchBookmarks=true");
    await cluster.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: "progress" } });
    const { metadata } = await cluster.list("v1", "ConfigMap");
    const held = cluster.watches.hold();
    await createAll(cluster, ["a"]);
    await cluster.clock.advance("1m");
    expect(seen).toEqual([`alice BOOKMARK ${metadata["resourceVersion"]}`]);
    await held.step();
    const { metadata: after } = await cluster.list("v1", "ConfigMap");
    await cluster.clock.advance("1m");
    expect(seen.slice(1)).toEqual(["alice ADDED a", `alice BOOKMARK ${after["resourceVersion"]}`]);
  });

  test("do not include watches of controllers, which continue to work", async () => {
    await using cluster = createCluster();
    await cluster.settle();
    cluster.watches.hold();
    await cluster.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: "shop" } });
    await cluster.settle();
    const { kind } = await cluster.get("v1", "ServiceAccount", "default", { namespace: "shop" });
    expect(kind).toBe("ServiceAccount");
  });

  test("are not cut off like clients that do not read", async () => {
    await using cluster = createCluster({ controllers: [], watchCapacity: 2 });
    const seen: Seen = [];
    await watchAs(cluster, "alice", seen);
    const held = cluster.watches.hold();
    for (const name of names) await createAll(cluster, [name]);
    await held.release();
    expect(seen).toEqual(names.map((name) => `alice ADDED ${name}`));
  });

  test("end at their timeout without delivering the waiting events", async () => {
    await using cluster = createCluster({ controllers: [], seed: 1 });
    const seen: Seen = [];
    await watchAs(cluster, "alice", seen, "&timeoutSeconds=10");
    expect(cluster.watches.open.map(({ user }) => user)).toEqual(["alice"]);
    const held = cluster.watches.hold();
    await createAll(cluster, ["a"]);
    await cluster.clock.advance("10s");
    expect([cluster.watches.open, held.waiting, seen]).toEqual([[], [], []]);
  });
});

/** The interleaving in which two clients see ten objects. */
async function interleaving(order: (cluster: Cluster) => void): Promise<readonly string[]> {
  await using cluster = createCluster({ controllers: [], seed: 1 });
  const seen: Seen = [];
  await watchAs(cluster, "alice", seen);
  await watchAs(cluster, "bob", seen);
  order(cluster);
  await createAll(cluster, names);
  while (seen.length < 2 * names.length) await turn();
  for (const user of ["alice", "bob"]) {
    expect(of(user, seen)).toEqual(names.map((name) => `${user} ADDED ${name}`));
  }
  return seen;
}

describe("an order chosen by a seed", () => {
  test("is the same for the same seed, and keeps the order of each watch", async () => {
    const shuffled = (seed: number) => interleaving(({ watches }) => watches.shuffle(seed));
    const first = await shuffled(1);
    expect(await shuffled(1)).toEqual(first);
    expect(await shuffled(2)).not.toEqual(first);
  });

  test("can be stepped through", async () => {
    const stepped = (seed: number) =>
      interleaving(({ watches }) => {
        const held = watches.hold({ seed });
        void (async () => {
          for (let told = 0; told < 2 * names.length; ) if (await held.step()) told += 1;
        })();
      });
    const first = await stepped(1);
    expect(await stepped(1)).toEqual(first);
    expect(await stepped(2)).not.toEqual(first);
  });

  test("reproduces a race between two watches", async () => {
    /** Bob acts on what he sees, and assumes that Alice, who sees the same, has seen it before him. */
    const isRaceFound = async (seed: number): Promise<boolean> => {
      const seen = await interleaving(({ watches }) => watches.shuffle(seed));
      return names.some((name) => seen.indexOf(`bob ADDED ${name}`) < seen.indexOf(`alice ADDED ${name}`));
    };
    const unshuffled = await interleaving(() => {});
    expect(unshuffled.filter((_, at) => at % 2 === 0)).toEqual(of("alice", unshuffled));
    const seeds = [1, 2, 3, 4, 5, 6, 7, 8];
    const found: number[] = [];
    for (const seed of seeds) if (await isRaceFound(seed)) found.push(seed);
    expect(found).not.toEqual([]);
    const [seed = 0] = found;
    expect(await isRaceFound(seed)).toBe(true);
  });
});
