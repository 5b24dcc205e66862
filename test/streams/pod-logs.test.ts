import { describe, expect, test } from "vitest";
import { listAt } from "../../src/apimachinery/fields.ts";
import { type Cluster, type ClusterOptions, createCluster, VirtualClock } from "../../src/index.ts";
import { nodeDown } from "../../src/scenario/presets.ts";

const time = "2024-01-01T00:00:00Z";

async function scripted(options: ClusterOptions = {}) {
  const clock = new VirtualClock(time);
  const cluster = createCluster({ controllers: [], clock, ...options });
  const containers = [{ name: "c", image: "nginx" }];
  await cluster.load([
    {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "web", labels: { app: "web" } },
      spec: { containers },
    },
  ]);
  return { cluster, clock, web: cluster.pod("web") };
}

async function get(cluster: Cluster, query = "", signal?: AbortSignal): Promise<Response> {
  return cluster.fetch(`https://cluster.test/api/v1/namespaces/default/pods/web/log${query}`, {
    headers: { authorization: `Bearer ${cluster.adminToken()}` },
    ...(signal && { signal }),
  });
}

const read = async (cluster: Cluster, query = "") => (await get(cluster, query)).text();

/** Reports a status of the container, as a kubelet would. */
function report(cluster: Cluster, status: object) {
  const containerStatuses = [
    { name: "c", image: "nginx", imageID: "", ready: true, restartCount: 0, ...status },
  ];
  return cluster.patch("v1", "Pod", "web", { status: { containerStatuses } }, { subresource: "status" });
}

describe("the log of a scripted container", () => {
  test.each([
    ["", "one\ntwo\nthree\nfour"],
    ["?tailLines=2", "three\nfour"],
    ["?tailLines=0", ""],
    ["?limitBytes=5", "one\nt"],
    ["?sinceSeconds=5", "three\nfour"],
    ["?sinceTime=2024-01-01T00:00:10Z", "three\nfour"],
    ["?tailLines=3&sinceSeconds=5", "three\nfour"],
    ["?timestamps=true&tailLines=1", "2024-01-01T00:00:10.000000000Z four"],
    ["?timestamps=true&limitBytes=34", "2024-01-01T00:00:00.000000000Z one"],
    ["?container=c", "one\ntwo\nthree\nfour"],
  ])("with %j", async (query, expected) => {
    const { cluster, clock, web } = await scripted();
    web.log("one\ntwo\n");
    await clock.advance("10s");
    web.log(["three"], { container: "c" });
    web.log("four", { container: "c" });
    web.log("other", { container: "d" });
    const response = await get(cluster, query);
    expect(response.headers.get("content-type")).toBe("text/plain");
    expect(await response.text()).toBe(expected);
  });

  test("ends for a client that follows it although the cluster is closed already", async () => {
    const { cluster, web } = await scripted();
    web.log("one\n");
    await cluster.close();
    expect(await read(cluster, "?follow=true")).toBe("one\n");
  });

  test("ends for a client that follows it when the cluster closes", async () => {
    const { cluster, web } = await scripted();
    web.log("one\n");
    const { body } = await get(cluster, "?follow=true");
    const lines = body?.getReader();
    const first = await lines?.read();
    expect(new TextDecoder().decode(first?.value)).toBe("one\n");
    await cluster.close();
    expect(await lines?.read()).toEqual({ done: true, value: undefined });
  });

  test("has one stream where the gate allows to ask for it", async () => {
    const { cluster, web } = await scripted({ featureGates: { PodLogsQuerySplitStreams: true } });
    web.log("out\n");
    web.log("err\n", { stream: "Stderr" });
    expect(await read(cluster, "?stream=Stderr")).toBe("err\n");
    expect(await read(cluster, "?stream=All")).toBe("out\nerr\n");
    expect((await get(cluster, "?stream=Stdout&tailLines=1")).status).toBe(422);
    expect((await get(cluster, "?stream=x")).status).toBe(422);
  });

  test("starts again when it would have more than 10 MiB", async () => {
    const { cluster, web } = await scripted();
    const line = `${"x".repeat(1024 * 1024 - 1)}\n`;
    for (let index = 0; index < 11; index++) web.log(line);
    expect((await read(cluster)).length).toBe(1024 * 1024);
  });

  test("goes to pods by label and by image, and is taken back with its handle", async () => {
    const { cluster, web } = await scripted();
    cluster.pod({ labels: { app: "web" }, image: /nginx/ }).log("a\n");
    cluster.pod({ labels: { app: "other" } }).log("b\n");
    cluster.pod({ namespace: "elsewhere" }).log("c\n");
    const handle = web.log("d\n");
    expect(await read(cluster)).toBe("a\nd\n");
    handle.remove();
    expect(await read(cluster)).toBe("a\n");
    const fork = cluster.fork();
    fork.pod("web").log("e\n");
    expect([await read(fork), await read(cluster)]).toEqual(["a\ne\n", "a\n"]);
  });

  test("goes to pods by an image whose pattern has the flag g, each time", async () => {
    const { cluster } = await scripted();
    cluster.pod({ image: /nginx/g }).log("a\n");
    expect([await read(cluster), await read(cluster)]).toEqual(["a\n", "a\n"]);
  });
});

test("a pod without a status has no former run", async () => {
  const { cluster, web } = await scripted();
  web.log("now\n");
  const response = await get(cluster, "?previous=true");
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ message: 'container "c" in pod "web" is not available' });
});

describe("the runs of a container", () => {
  const running = { state: { running: { startedAt: "2024-01-01T00:00:20Z" } }, restartCount: 1 };
  const ended = { exitCode: 1, startedAt: time, finishedAt: "2024-01-01T00:00:10Z" };
  /** How a kubelet reports a container that it has not found. */
  const lost = { exitCode: 137, reason: "ContainerStatusUnknown" };

  test("have logs of their own", async () => {
    const { cluster, clock, web } = await scripted();
    web.log("starting\n");
    web.log("first\n", { restart: 0 });
    await clock.advance("30s");
    web.log("later\n");
    web.log("second\n", { restart: 1 });
    await report(cluster, { ...running, lastState: { terminated: ended } });
    expect(await read(cluster)).toBe("starting\nlater\nsecond\n");
    expect(await read(cluster, "?previous=true")).toBe("starting\nfirst\n");
    expect(await read(cluster, "?timestamps=true&tailLines=3")).toMatch(
      /^2024-01-01T00:00:20.000000000Z starting\n/,
    );
  });

  test("before a restart are those of the run that has ended", async () => {
    const { cluster, web } = await scripted();
    web.log("first\n", { restart: 0 });
    web.log("second\n", { restart: 1 });
    const waiting = { state: { waiting: { reason: "CrashLoopBackOff" } }, lastState: { terminated: ended } };
    await report(cluster, { ...waiting, restartCount: 1 });
    expect([await read(cluster), await read(cluster, "?previous=true")]).toEqual(["second\n", "second\n"]);
  });

  test.each([
    [
      "?previous=true",
      { state: { running: {} } },
      'previous terminated container "c" in pod "web" not found',
    ],
    [
      "",
      { state: { waiting: { reason: "ContainerCreating" } } },
      'container "c" in pod "web" is waiting to start: ContainerCreating',
    ],
    [
      "",
      { state: { waiting: { reason: "ErrImagePull" } } },
      'container "c" in pod "web" is waiting to start: image can\'t be pulled',
    ],
    [
      "",
      { state: { waiting: { reason: "ImagePullBackOff" } } },
      'container "c" in pod "web" is waiting to start: trying and failing to pull image',
    ],
    ["", {}, 'container "c" in pod "web" is waiting to start - no logs yet'],
    ["", { state: { terminated: lost } }, 'container "c" in pod "web" is terminated'],
    [
      "",
      { state: { waiting: {} }, lastState: { terminated: lost } },
      'container "c" in pod "web" is terminated',
    ],
    [
      "?previous=true",
      { state: { running: {} }, lastState: { terminated: lost } },
      'previous terminated container "c" in pod "web" not found',
    ],
    ["", { name: "other" }, 'container "c" in pod "web" is not available'],
  ])("%j with %j is refused", async (query, status, message) => {
    const { cluster, web } = await scripted();
    web.log("x");
    await report(cluster, status);
    const response = await get(cluster, query);
    expect([response.status, JSON.parse(await response.text()).message]).toEqual([400, message]);
  });
});

describe("a client that follows", () => {
  test("gets lines as they come, until the container ends", async () => {
    const { cluster, web } = await scripted();
    await report(cluster, { state: { running: { startedAt: time } } });
    web.log("a\n");
    const response = await get(cluster, "?follow=true&tailLines=1");
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader?.read())?.value).toBe("a\n");
    web.log("b\n");
    expect((await reader?.read())?.value).toBe("b\n");
    web.log("c\n");
    const finishedAt = "2024-01-01T00:00:01Z";
    await report(cluster, { state: { terminated: { exitCode: 0, startedAt: time, finishedAt } } });
    expect((await reader?.read())?.value).toBe("c\n");
    expect((await reader?.read())?.done).toBe(true);
  });

  test.each([
    [
      "the pod is deleted",
      (cluster: Cluster) => cluster.delete("v1", "Pod", "web", { gracePeriodSeconds: 0 }),
    ],
    [
      "the container restarts",
      (cluster: Cluster) => report(cluster, { state: { running: { startedAt: time } }, restartCount: 1 }),
    ],
  ])("ends when %s", async (_title, change) => {
    const { cluster, web } = await scripted();
    await report(cluster, { state: { running: { startedAt: time } } });
    web.log("a\n");
    const response = await get(cluster, "?follow=true");
    const text = response.text();
    await change(cluster);
    expect(await text).toBe("a\n");
  });

  test("leaves nothing behind when it disconnects", async () => {
    const { cluster, web } = await scripted();
    web.log("a\n");
    const client = new AbortController();
    const response = await get(cluster, "?follow=true", client.signal);
    const reader = response.body?.getReader();
    await reader?.read();
    client.abort();
    await expect(reader?.read()).rejects.toThrow();
    web.log("b\n");
    expect(await read(cluster)).toBe("a\nb\n");
  });

  test("gets no more than it asks for", async () => {
    const { cluster, web } = await scripted();
    web.log("a\n");
    const response = await get(cluster, "?follow=true&limitBytes=3");
    web.log("bc\n");
    expect(await response.text()).toBe("a\nb");
  });
});

test("without a script, the log of a pod on a simulated node is empty, and that of another pod is refused", async () => {
  const { cluster } = await scripted();
  const node = (name: string, spec: object) => ({ apiVersion: "v1", kind: "Node", metadata: { name }, spec });
  const pod = (name: string, nodeName: string) => ({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name },
    spec: { nodeName, containers: [{ name: "c", image: "i" }] },
  });
  await cluster.load([
    node("sim", { providerID: "kubedouble://sim" }),
    node("real", {}),
    pod("near", "sim"),
    pod("far", "real"),
  ]);
  const status = async (name: string) => {
    const path = `https://cluster.test/api/v1/namespaces/default/pods/${name}/log`;
    const response = await cluster.fetch(path, {
      headers: { authorization: `Bearer ${cluster.adminToken()}` },
    });
    return [response.status, (await response.text()).length > 0];
  };
  expect(await status("near")).toEqual([200, false]);
  expect(await status("far")).toEqual([500, true]);
});

test.each<[string, (cluster: Cluster) => void, string]>([
  [
    "an unknown option",
    (cluster) => cluster.pod("web", { namespaces: "x" } as object),
    'unknown option "namespaces"; did you mean "namespace"?',
  ],
  [
    "an unknown option of a log",
    (cluster) => cluster.pod("web").log("x", { contaner: "c" } as object),
    'did you mean "container"?',
  ],
  [
    "a log that is no text",
    (cluster) => cluster.pod("web").log(1 as never),
    "log must be text or a list of lines, not 1",
  ],
  ["no function", (cluster) => cluster.pod("web").onExec("ls" as never), "onExec must be a function"],
  [
    "a port that is none",
    (cluster) => cluster.pod("web").onPortForward(0, 80),
    "a port from 1 to 65535, not 0",
  ],
  ["an address that is none", (cluster) => cluster.pod("web").onPortForward(80, "here"), "127.0.0.1:9443"],
])("a handle refuses %s", async (_title, act, message) => {
  const cluster = createCluster();
  expect(() => act(cluster)).toThrow(message);
  await cluster.close();
});

test("of a pod on a simulated node is read while its kubelet is not lost", async () => {
  await using cluster = createCluster({ simulate: ["kubelets"], seed: 1 });
  const spec = { nodeName: "node-1", containers: [{ name: "c", image: "nginx" }] };
  await cluster.create({ apiVersion: "v1", kind: "Pod", metadata: { name: "web" }, spec });
  cluster.pod("web").log("here\n");
  await cluster.settle();
  const fault = cluster.inject(nodeDown({ node: "node-1" }));
  await cluster.settle();
  await cluster.clock.advance("50s");
  await cluster.settle();
  const lost = await get(cluster);
  const addresses = listAt(await cluster.get("v1", "Node", "node-1"), "status", "addresses");
  expect([lost.status, await lost.json()]).toMatchObject([
    500,
    {
      message: `Get "https://node-1:10250/containerLogs/default/web/c": dial tcp ${addresses[0]?.["address"]}:10250: connect: connection refused`,
    },
  ]);
  fault.remove();
  await cluster.settle();
  expect(await read(cluster)).toBe("here\n");
});
