import { afterEach, describe, expect, test, vi } from "vitest";
import {
  type Cluster,
  type ClusterClock,
  createCluster,
  type JsonObject,
  VirtualClock,
} from "../../src/index.ts";
import { configMap, pod, refusalOf } from "./manifests.ts";

const origin = "https://cluster.test";

function ask(cluster: Cluster, path: string): Promise<Response> {
  return cluster.fetch(origin + path, { headers: { authorization: `Bearer ${cluster.adminToken()}` } });
}

/** The events of an ended watch: their types, and the code of errors. */
async function eventsOf(watch: Response): Promise<readonly string[]> {
  const lines = (await watch.text())
    .trim()
    .split("\n")
    .filter((line) => line !== "");
  return lines.map((line) => {
    const { type, object } = JSON.parse(line);
    return type === "ERROR" ? `ERROR ${object.code}` : type;
  });
}

async function revisionOf(cluster: Cluster): Promise<string> {
  const { metadata } = await cluster.list("v1", "ConfigMap");
  return String(metadata["resourceVersion"]);
}

/** How time passes: by advancing the cluster's clock or the fake timers of the test. */
interface Time {
  readonly clock?: () => ClusterClock;
  readonly begin: () => void;
  readonly pass: (cluster: Cluster, seconds: number) => Promise<unknown>;
}

const advanced = (cluster: Cluster, seconds: number) => cluster.clock.advance(seconds * 1000);

const times: readonly (readonly [string, Time])[] = [
  [
    "a virtual clock",
    { clock: () => new VirtualClock("2026-01-01T00:00:00Z"), begin: () => {}, pass: advanced },
  ],
  ["the real clock, advanced", { begin: () => {}, pass: advanced }],
  [
    "the test's fake timers",
    {
      begin: () => vi.useFakeTimers({ now: Date.parse("2026-01-01T00:00:00Z") }),
      pass: (_cluster, seconds) => vi.advanceTimersByTimeAsync(seconds * 1000),
    },
  ],
];

afterEach(() => {
  vi.useRealTimers();
});

describe.each(times)("by %s", (_title, { clock, begin, pass }) => {
  function clusterNow(): Cluster {
    begin();
    return createCluster(clock === undefined ? {} : { clock: clock() });
  }

  test("history expires after five minutes", async () => {
    await using cluster = clusterNow();
    const old = await revisionOf(cluster);
    await cluster.create(configMap("a"));
    const exact = { resourceVersion: old, resourceVersionMatch: "Exact" } as const;
    await pass(cluster, 299);
    expect((await cluster.list("v1", "ConfigMap", { ...exact, namespace: "default" })).kind).toBe(
      "ConfigMapList",
    );
    await pass(cluster, 2);
    const { code, status } = await refusalOf(cluster.list("v1", "ConfigMap", exact));
    expect([code, status.reason]).toEqual([410, "Expired"]);
    const watch = await ask(cluster, `/api/v1/configmaps?watch=true&resourceVersion=${old}`);
    expect(await eventsOf(watch)).toEqual(["ERROR 410"]);
  });

  test("continue tokens expire with history", async () => {
    await using cluster = clusterNow();
    for (const name of ["a", "b"]) await cluster.create(configMap(name));
    const page = await cluster.list("v1", "ConfigMap", { namespace: "default", limit: 1 });
    await cluster.create(configMap("c"));
    await pass(cluster, 301);
    const next = { namespace: "default", limit: 1, continue: String(page.metadata["continue"]) };
    expect((await refusalOf(cluster.list("v1", "ConfigMap", next))).status.reason).toBe("Expired");
  });

  test("a watch ends after its timeout, and has a bookmark every minute", async () => {
    await using cluster = clusterNow();
    const query = "watch=true&allowWatchBookmarks=true&timeoutSeconds=150";
    const before = await revisionOf(cluster);
    // A bookmark needs progress since the watch began.
    await cluster.create({
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "progress", namespace: "default" },
    });
    const watch = await ask(cluster, `/api/v1/configmaps?${query}&resourceVersion=${before}`);
    const events = eventsOf(watch);
    // The watch is open when the server has answered another request.
    await cluster.get("v1", "Namespace", "default");
    for (const seconds of [60, 60, 28, 2]) await pass(cluster, seconds);
    expect(await events).toEqual(["BOOKMARK", "BOOKMARK", "BOOKMARK"]);
  });

  test("a read waits three seconds for a future revision", async () => {
    await using cluster = clusterNow();
    await revisionOf(cluster);
    const listed = ask(cluster, "/api/v1/configmaps?resourceVersion=100000");
    // Waits for all requests that have arrived so far.
    await cluster.get("v1", "Namespace", "default");
    await pass(cluster, 3);
    const answer = await listed;
    expect(answer.status).toBe(504);
    expect(await answer.json()).toMatchObject({
      message: expect.stringContaining("Too large resource version"),
    });
  });

  test("an Event expires after an hour", async () => {
    await using cluster = clusterNow();
    const involvedObject = { kind: "Pod", name: "web", namespace: "default" };
    await cluster.create({ apiVersion: "v1", kind: "Event", metadata: { name: "e" }, involvedObject });
    await cluster.settle();
    await pass(cluster, 3601);
    await cluster.settle();
    expect((await refusalOf(cluster.get("v1", "Event", "e"))).status.reason).toBe("NotFound");
  });

  test("the grace period of a deleted pod starts at the deletion", async () => {
    await using cluster = clusterNow();
    await cluster.create({ ...pod("web"), spec: { ...specOf(pod("web")), nodeName: "node-1" } });
    const created = Date.parse(String((await cluster.get("v1", "Pod", "web")).metadata["creationTimestamp"]));
    await pass(cluster, 600);
    await cluster.delete("v1", "Pod", "web");
    const { metadata } = await cluster.get("v1", "Pod", "web");
    expect(secondsFrom(created, metadata["deletionTimestamp"])).toBeGreaterThanOrEqual(630);
    expect(secondsFrom(created, metadata["deletionTimestamp"])).toBeLessThan(640);
  });

  test("the lifetime of a service account token starts at its creation", async () => {
    await using cluster = clusterNow();
    await cluster.settle();
    const { metadata } = await cluster.get("v1", "ServiceAccount", "default");
    const created = Date.parse(String(metadata["creationTimestamp"]));
    await pass(cluster, 7200);
    const request = {
      apiVersion: "authentication.k8s.io/v1",
      kind: "TokenRequest",
      metadata: { name: "default" },
    };
    const { status } = await cluster.create(
      { ...request, spec: { expirationSeconds: 600 } },
      { subresource: "token" },
    );
    const { token, expirationTimestamp } = status as { token: string; expirationTimestamp: string };
    const { exp, iat } = JSON.parse(
      atob((token.split(".")[1] ?? "").replaceAll("-", "+").replaceAll("_", "/")),
    );
    expect(exp - iat).toBe(600);
    expect(Date.parse(expirationTimestamp)).toBe(exp * 1000);
    expect(secondsFrom(created, expirationTimestamp)).toBeGreaterThanOrEqual(7800);
    expect(secondsFrom(created, expirationTimestamp)).toBeLessThan(7810);
  });
});

function specOf(object: JsonObject): JsonObject {
  return object["spec"] as JsonObject;
}

function secondsFrom(start: number, time: unknown): number {
  return (Date.parse(String(time)) - start) / 1000;
}

describe("with fake timers", () => {
  test("every verb is answered, watches deliver events, and controllers work", async () => {
    vi.useFakeTimers({
      toFake: ["setTimeout", "setInterval", "setImmediate", "queueMicrotask", "Date", "performance"],
    });
    await using cluster = createCluster({ objects: [configMap("given")] });
    const watch = await ask(cluster, "/api/v1/namespaces/default/configmaps?watch=true&resourceVersion=0");
    const reader = (watch.body ?? new ReadableStream()).getReader();
    expect(new TextDecoder().decode((await reader.read()).value)).toContain("given");
    await cluster.create(configMap("a"));
    await cluster.apply({ ...configMap("a"), data: { color: "blue" } });
    await cluster.delete("v1", "ConfigMap", "a");
    let seen = "";
    while (!seen.includes("DELETED")) seen += new TextDecoder().decode((await reader.read()).value);
    await reader.cancel();
    await cluster.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: "shop" } });
    await cluster.settle();
    expect((await cluster.get("v1", "ConfigMap", "kube-root-ca.crt", { namespace: "shop" })).kind).toBe(
      "ConfigMap",
    );
    await cluster.delete("v1", "Namespace", "shop");
    await cluster.settle();
    expect((await refusalOf(cluster.get("v1", "Namespace", "shop"))).code).toBe(404);
  });

  test("objects are stamped with the fake date", async () => {
    vi.useFakeTimers({ now: Date.parse("2001-02-03T04:05:06Z") });
    await using cluster = createCluster();
    const { metadata } = await cluster.create(configMap("a"));
    expect(metadata["creationTimestamp"]).toBe("2001-02-03T04:05:06Z");
  });
});

describe("a cluster with a seed", () => {
  /** Everything that clients can see of generated values. */
  async function story(cluster: Cluster): Promise<unknown> {
    await cluster.create({ ...pod("web"), metadata: { generateName: "web-" } });
    await cluster.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: "shop" } });
    await cluster.settle();
    return [
      await cluster.list("v1", "Pod"),
      await cluster.list("v1", "Namespace"),
      await cluster.list("v1", "ServiceAccount"),
    ];
  }

  test("has the same uids, names, times and revisions in every run", async () => {
    await using one = createCluster({ seed: 7 });
    await using same = createCluster({ seed: 7 });
    await using other = createCluster({ seed: 8 });
    const told = await story(one);
    expect(await story(same)).toEqual(told);
    expect(await story(other)).not.toEqual(told);
  });

  test("has the same values regardless of reads in between", async () => {
    await using one = createCluster({ seed: 7 });
    await using other = createCluster({ seed: 7 });
    for (const kind of ["Pod", "Secret", "Node"]) await other.list("v1", kind);
    expect(await story(one)).toEqual(await story(other));
  });

  test("has identical forks, regardless of earlier forks", async () => {
    await using original = createCluster({ seed: 7 });
    await original.settle();
    await using one = original.fork();
    const first = await story(one);
    await one.clock.advance("1h");
    await using other = original.fork();
    expect(await story(other)).toEqual(first);
  });

  test("returns to the same values with a snapshot", async () => {
    await using cluster = createCluster({ seed: 7, controllers: [] });
    const saved = cluster.snapshot();
    const first = await cluster.create(configMap("a"));
    cluster.restore(saved);
    expect(await cluster.create(configMap("a"))).toEqual(first);
  });

  test("answers requests with the same ids", async () => {
    const ids = async () => {
      await using cluster = createCluster({ seed: 7 });
      return (await ask(cluster, "/version")).headers.get("audit-id");
    };
    expect(await ids()).toBe(await ids());
  });
});
