import { Agent, WebSocket } from "undici-7";
import { describe, expect, test } from "vitest";
import { type Cluster, type ClusterOptions, createCluster, VirtualClock } from "../../src/index.ts";
import { nodeDown } from "../../src/scenario/presets.ts";
import { serve } from "../../src/transports/node/serve.ts";

const start = "2026-01-01T00:00:00Z";

async function simulated(options: ClusterOptions = {}): Promise<Cluster> {
  const clock = new VirtualClock(start);
  const cluster = createCluster({ simulate: ["kubelets"], seed: 1, clock, ...options });
  await cluster.settle();
  return cluster;
}

async function reach(cluster: Cluster, path: string, init: RequestInit = {}, node = "node-1") {
  const response = await cluster.fetch(`https://cluster.test/api/v1/nodes/${node}/proxy${path}`, {
    redirect: "manual",
    ...init,
    headers: { authorization: `Bearer ${cluster.adminToken()}`, ...init.headers },
  });
  const { status: code, headers } = response;
  return { code, type: headers.get("content-type"), headers, text: await response.text() };
}

const containers = [
  { name: "web", image: "nginx", resources: { limits: { memory: "128Mi" } } },
  { name: "log", image: "busybox" },
];

async function run(cluster: Cluster, name: string, spec: object = {}): Promise<void> {
  const pod = { apiVersion: "v1", kind: "Pod", metadata: { name } };
  await cluster.create({ ...pod, spec: { nodeName: "node-1", containers, ...spec } });
  await cluster.settle();
}

const plain = "text/plain; charset=utf-8";
const verbose = "[+]ping ok\n[+]log ok\n[+]syncloop ok\n[+]device-plugin ok\nhealthz check passed\n";

test.each([
  ["/healthz", "ok"],
  ["/healthz/ping", "ok"],
  ["/healthz/syncloop", "ok"],
  ["/healthz/log", "ok"],
  ["/healthz?verbose", verbose],
])("the kubelet of a simulated node answers %s", async (path, text) => {
  await using cluster = await simulated();
  expect(await reach(cluster, path)).toMatchObject({ code: 200, type: plain, text });
});

const notPut = { method: "PUT" };
const noText = { headers: { accept: "text/plain" } };

// Upstream: net/http, ServeMux; go-restful, curly.go and jsr311.go.
test.each([
  ["an unknown path", "/none", {}, 404, "404 page not found\n"],
  ["a path below a handler", "/metrics/none", {}, 404, "404 page not found\n"],
  ["an unknown path of a service", "/pods/none", {}, 404, "404: Page Not Found"],
  ["all statistics", "/stats/", {}, 404, "404: Page Not Found"],
  ["another method", "/pods", { method: "POST" }, 405, "405: Method Not Allowed"],
  ["a method of no stream", "/exec/default/web/web", notPut, 405, "405: Method Not Allowed"],
  [
    "another format",
    "/pods",
    noText,
    406,
    "406: Not Acceptable\n\nAvailable representations: application/json",
  ],
  [
    "a format for a log",
    "/containerLogs/a/b/c",
    noText,
    406,
    "406: Not Acceptable\n\nAvailable representations: ",
  ],
  ["no streams", "/exec/default/web/web", {}, 400, "you must specify at least 1 of stdin, stdout, stderr"],
  ["a stream of no pod", "/attach/default/none/web?output=1", {}, 404, "pod does not exist"],
  ["a stream without a connection", "/exec/default/web/web?output=1", {}, 500, "Upgrade request required\n"],
  ["a log of no pod", "/containerLogs/default/none/web", {}, 404, 'pod "none" does not exist'],
  [
    "a log of no container",
    "/containerLogs/default/web/no",
    {},
    404,
    'container "no" not found in pod "web"',
  ],
  [
    "a stream of another pod of the name",
    "/exec/default/web/x/web?output=1",
    {},
    500,
    'container not found ("web")',
  ],
  ["ports of another pod of the name", "/portForward/default/web/x", {}, 404, "pod not found"],
  [
    "ports that are none",
    "/portForward/default/web?port=1,x",
    { headers: { connection: "upgrade", upgrade: "websocket" } },
    400,
    'unable to parse "1,x" as a port: strconv.ParseUint: parsing "x": invalid syntax',
  ],
  [
    "a log of an earlier run",
    "/containerLogs/default/web/web?previous=1",
    {},
    400,
    'previous terminated container "web" in pod "web" not found',
  ],
  [
    "options that are none",
    "/containerLogs/default/web/web?tailLines=x",
    {},
    400,
    '{"message": "Unable to decode query."}',
  ],
  [
    "invalid options",
    "/containerLogs/default/web/web?limitBytes=-1",
    {},
    422,
    '{"message": "Invalid request."}',
  ],
])("it refuses %s", async (_title, path, init, code, text) => {
  await using cluster = await simulated();
  await run(cluster, "web");
  expect(await reach(cluster, path, init)).toMatchObject({ code, type: plain, text });
});

test("it says which methods it allows, and where a path with a slash is", async () => {
  await using cluster = await simulated();
  const refused = await reach(cluster, "/stats/summary", { method: "DELETE" });
  expect(refused.headers.get("allow")).toBe("GET, POST");
  const moved = await reach(cluster, "/runningpods?a=b");
  const location = "/api/v1/nodes/node-1/proxy/runningpods/?a=b";
  expect([moved.code, moved.headers.get("location")]).toEqual([301, location]);
  const doubled = await reach(cluster, "/stats//summary");
  expect([doubled.code, doubled.headers.get("location")]).toEqual([
    301,
    "/api/v1/nodes/node-1/proxy/stats/summary",
  ]);
});

test("it lists the pods of its node, and what runs of them", async () => {
  await using cluster = await simulated();
  expect(JSON.parse((await reach(cluster, "/pods")).text).items).toBeNull();
  await run(cluster, "web");
  await run(cluster, "done", { restartPolicy: "Never" });
  await run(cluster, "elsewhere", { nodeName: "node-2" });
  const { metadata, status } = await cluster.get("v1", "Pod", "web");
  const pods = JSON.parse((await reach(cluster, "/pods")).text);
  expect(pods).toMatchObject({
    kind: "PodList",
    apiVersion: "v1",
    items: [{ metadata: { name: "done" } }, {}],
  });
  expect(pods.items[1]).toMatchObject({
    metadata: {
      uid: metadata.uid,
      annotations: { "kubernetes.io/config.seen": start, "kubernetes.io/config.source": "api" },
    },
    status,
  });
  const running = JSON.parse((await reach(cluster, "/runningpods/")).text);
  const image = "docker.io/library/busybox:latest";
  expect(running.items).toEqual([
    {
      metadata: { name: "web", namespace: "default", uid: metadata.uid, creationTimestamp: null },
      spec: {
        containers: [
          { name: "log", image, resources: {} },
          { name: "web", image: expect.anything(), resources: {} },
        ],
      },
      status: {},
    },
  ]);
});

async function summary(cluster: Cluster, query = "") {
  const { text } = await reach(cluster, `/stats/summary${query}`);
  expect(text).toMatch(/^\{\n "node": \{\n {2}"nodeName"/);
  return JSON.parse(text);
}

describe("its statistics", () => {
  test("are those that scripts say, over the time for which they say it", async () => {
    await using cluster = await simulated();
    await run(cluster, "web");
    await cluster.clock.advance("10s");
    await cluster.pod("web").usage({ cpu: "250m", memory: "64Mi" });
    await cluster.clock.advance("10s");
    await cluster.pod("web").usage({ cpu: "1", memory: "32Mi" }, { container: "web" });
    await cluster.clock.advance("10s");
    const { node, pods } = await summary(cluster);
    const [log, web] = pods[0].containers;
    expect(log).toMatchObject({
      name: "log",
      startTime: start,
      cpu: { time: "2026-01-01T00:00:30Z", usageNanoCores: 250_000_000, usageCoreNanoSeconds: 5_000_000_000 },
      memory: { workingSetBytes: 64 * 2 ** 20 },
    });
    expect(log.memory.availableBytes).toBeUndefined();
    expect(web).toMatchObject({
      cpu: { usageNanoCores: 1_000_000_000, usageCoreNanoSeconds: 12_500_000_000 },
      memory: { workingSetBytes: 32 * 2 ** 20, availableBytes: 96 * 2 ** 20 },
    });
    const both = { usageNanoCores: 1_250_000_000, usageCoreNanoSeconds: 17_500_000_000 };
    expect(pods[0]).toMatchObject({
      podRef: { name: "web", namespace: "default" },
      startTime: start,
      cpu: both,
    });
    expect(node).toMatchObject({ nodeName: "node-1", startTime: start, cpu: both });
    await cluster.node("node-1").usage({ cpu: "3", memory: "1Gi" });
    await cluster.clock.advance("1s");
    expect((await summary(cluster)).node).toMatchObject({
      cpu: { usageNanoCores: 3_000_000_000, usageCoreNanoSeconds: 3_000_000_000 },
      memory: { workingSetBytes: 2 ** 30, availableBytes: 31 * 2 ** 30 },
    });
  });

  test("are zeros where nothing says anything, and only of containers that run", async () => {
    await using cluster = await simulated();
    await run(cluster, "web");
    await run(cluster, "done", { restartPolicy: "Never" });
    await cluster.clock.advance("10s");
    const { node, pods } = await summary(cluster);
    const none = { cpu: { usageNanoCores: 0, usageCoreNanoSeconds: 0 }, memory: { workingSetBytes: 0 } };
    expect(pods).toMatchObject([{ podRef: { name: "web" }, containers: [none, none], ...none }]);
    const fs = { capacityBytes: 100 * 2 ** 30, availableBytes: 100 * 2 ** 30, usedBytes: 0 };
    expect(node).toMatchObject({ ...none, fs, runtime: { imageFs: fs, containerFs: fs } });
    const short = await summary(cluster, "?only_cpu_and_memory=true");
    expect(short.node).toMatchObject(none);
    expect([short.node.fs, short.node.runtime]).toEqual([undefined, undefined]);
  });

  test("have the volumes of bound claims", async () => {
    await using cluster = await simulated({ simulate: true });
    const metadata = { name: "data" };
    const common = { accessModes: ["ReadWriteOnce"], storageClassName: "fast" };
    await cluster.create({
      apiVersion: "storage.k8s.io/v1",
      kind: "StorageClass",
      metadata: { name: "fast" },
      provisioner: "example.com/disk",
    });
    await cluster.create({
      apiVersion: "v1",
      kind: "PersistentVolumeClaim",
      metadata,
      spec: { ...common, resources: { requests: { storage: "1Gi" } } },
    });
    await cluster.settle();
    const volumes = [{ name: "v", persistentVolumeClaim: { claimName: "data" } }];
    const mounting = containers.map((one) => ({ ...one, volumeMounts: [{ name: "v", mountPath: "/v" }] }));
    await run(cluster, "web", { volumes, containers: mounting });
    expect((await summary(cluster)).pods[0].volume).toEqual([
      {
        time: start,
        availableBytes: 2 ** 30,
        capacityBytes: 2 ** 30,
        usedBytes: 0,
        name: "v",
        pvcRef: { name: "data", namespace: "default" },
      },
    ]);
  });
});

/** The names of the metrics in a text of Prometheus, with their stability. */
function namesIn(text: string): readonly string[] {
  return [...text.matchAll(/^# HELP (\S+) (\[[A-Z]+\](?: \(.*?\))?)?/gm)].map(
    ([, name, level]) => `${name} ${level ?? ""}`,
  );
}

describe("its metrics", () => {
  test("of resources have times", async () => {
    await using cluster = await simulated();
    await run(cluster, "web");
    await cluster.pod("web").usage({ cpu: "250m", memory: "64Mi" }, { container: "web" });
    await cluster.clock.advance("10s");
    const { type, text } = await reach(cluster, "/metrics/resource");
    expect(type).toBe("text/plain; version=0.0.4; charset=utf-8; escaping=values");
    const at = Date.parse(start) + 10_000;
    expect(text.split("\n")).toEqual(
      expect.arrayContaining([
        "# HELP container_cpu_usage_seconds_total [STABLE] Cumulative cpu time consumed by the container in core-seconds",
        "# TYPE container_cpu_usage_seconds_total counter",
        `container_cpu_usage_seconds_total{container="web",namespace="default",pod="web"} 2.5 ${at}`,
        `container_memory_working_set_bytes{container="log",namespace="default",pod="web"} 0 ${at}`,
        'container_start_time_seconds{container="web",namespace="default",pod="web"} 1.7672256e+09',
        `node_memory_working_set_bytes 6.7108864e+07 ${at}`,
        `pod_cpu_usage_seconds_total{namespace="default",pod="web"} 2.5 ${at}`,
        "resource_scrape_error 0",
      ]),
    );
  });

  test.each([
    ["1.33", ["node"]],
    ["1.34", ["container", "node", "pod"]],
  ] as const)("of swap in release %s are those of %j", async (release, holders) => {
    await using cluster = await simulated({ release });
    await run(cluster, "web");
    const names = namesIn((await reach(cluster, "/metrics/resource")).text);
    expect(names.filter((name) => name.includes("swap"))).toEqual(
      holders.map((holder) => `${holder}_swap_usage_bytes [ALPHA]`),
    );
  });

  const usage = (holder: string, level: string) => [
    `${holder}_cpu_usage_seconds_total ${level}`,
    `${holder}_memory_working_set_bytes ${level}`,
  ];
  test.each([
    ["1.19", [...usage("node", "[ALPHA]"), "scrape_error [ALPHA]"]],
    ["1.27", [...usage("node", "[ALPHA]"), "scrape_error [ALPHA]"]],
    [
      "1.29",
      [
        ...usage("node", "[STABLE]"),
        "node_swap_usage_bytes [ALPHA]",
        "resource_scrape_error [STABLE]",
        "scrape_error [ALPHA] (Deprecated since 1.29.0)",
      ],
    ],
    [
      "1.32",
      [...usage("node", "[STABLE]"), "node_swap_usage_bytes [ALPHA]", "resource_scrape_error [STABLE]"],
    ],
  ] as const)("of an idle node have the names of release %s", async (release, names) => {
    await using cluster = await simulated({ release });
    expect(namesIn((await reach(cluster, "/metrics/resource")).text)).toEqual(names);
  });

  test("of resources have no such path before 1.18", async () => {
    await using cluster = await simulated({ release: "1.17" });
    expect((await reach(cluster, "/metrics/resource")).code).toBe(404);
  });

  test("of other paths are those of which something is known", async () => {
    await using cluster = await simulated();
    await run(cluster, "web");
    const { text } = await reach(cluster, "/metrics");
    expect(text).toContain('kubelet_node_name{node="node-1"} 1\n');
    expect(text).toContain('kubelet_running_containers{container_state="running"} 2\n');
    expect(text).toContain("kubelet_running_pods 1\n");
    expect(namesIn((await reach(cluster, "/metrics/probes")).text)).toEqual([
      "process_start_time_seconds [ALPHA]",
    ]);
    const inContainers = await reach(cluster, "/metrics/cadvisor");
    expect(inContainers.text).toMatch(
      /^container_memory_working_set_bytes\{container="web",id="[^"]+",image="docker.io\/library\/nginx:latest",name="[0-9a-f]+",namespace="default",pod="web"\} 0 \d+$/m,
    );
    expect(inContainers.text).toMatch(/^machine_cpu_cores 8 \d+$/m);
  });
});

test("its configuration has the defaults of the release and the capacity of the node", async () => {
  await using cluster = await simulated();
  await cluster.addNode({ name: "small", capacity: { pods: "5" } });
  await cluster.settle();
  const { text, headers } = await reach(cluster, "/configz", {}, "small");
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(JSON.parse(text)).toMatchObject({ kubeletconfig: { port: 10250, maxPods: 5, kubeAPIQPS: 50 } });
});

test("it has the logs of containers", async () => {
  await using cluster = await simulated();
  await run(cluster, "web");
  cluster.pod("web").log(["one", "two", "three"], { container: "web" });
  const logs = "/containerLogs/default/web/web";
  expect(await reach(cluster, logs)).toMatchObject({ code: 200, type: plain, text: "one\ntwo\nthree\n" });
  for (const query of ["?tailLines=1", "?tail=1"])
    expect((await reach(cluster, logs + query)).text).toBe("three\n");
  expect((await reach(cluster, `${logs}?tail=all`)).text).toBe("one\ntwo\nthree\n");
  const url = `https://cluster.test/api/v1/nodes/node-1/proxy${logs}?follow=true&tailLines=1`;
  const response = await cluster.fetch(url, { headers: { authorization: `Bearer ${cluster.adminToken()}` } });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  expect((await reader?.read())?.value).toBe("three\n");
  cluster.pod("web").log("four\n", { container: "web" });
  expect((await reader?.read())?.value).toBe("four\n");
  await reader?.cancel();
});

test("it runs commands, over a real connection", async () => {
  await using cluster = await simulated();
  await run(cluster, "web");
  cluster.pod("web").onExec(async ({ command, container, stdout }) => {
    await stdout.write(`${container}: ${command.join(" ")}`);
  });
  const server = await serve(cluster, { tls: false });
  const dispatcher = new Agent();
  const path = "/api/v1/nodes/node-1/proxy/exec/default/web/log?command=echo&command=a&output=1";
  const heard: Buffer[] = [];
  const socket = new WebSocket(server.url.replace("http", "ws") + path, {
    protocols: ["v5.channel.k8s.io", "v4.channel.k8s.io"],
    headers: { authorization: `Bearer ${cluster.adminToken()}` },
    dispatcher,
  });
  socket.binaryType = "arraybuffer";
  socket.addEventListener("message", ({ data }) => heard.push(Buffer.from(data)));
  await new Promise<void>((resolve) => socket.addEventListener("close", () => resolve()));
  // The container runtime does not know the fifth version, and the kubelet leaves the connection to it before 1.36.
  expect(socket.protocol).toBe("v4.channel.k8s.io");
  expect(heard.map(String)).toContain("\u0001log: echo a");
  const { status } = await fetch(`${server.url}/api/v1/nodes/node-1/proxy/stats/summary`, {
    headers: { authorization: `Bearer ${cluster.adminToken()}` },
  });
  expect(status).toBe(200);
  await dispatcher.destroy();
  await server.close();
});

const asForm = { "content-type": "application/x-www-form-urlencoded" };

test.each<[string, string, RequestInit, number, string]>([
  ["in the query", "?cmd=echo%20a", {}, 200, "web: echo a!"],
  ["in a form", "?cmd=no", { body: "cmd=echo+b", headers: asForm }, 200, "web: echo b!"],
  ["that fails", "?cmd=false%20x", {}, 500, "command 'false x' exited with 1: !"],
  ["by another method", "?cmd=echo", { method: "GET" }, 405, "405: Method Not Allowed"],
])("it runs a command %s", async (_title, query, init, code, text) => {
  await using cluster = await simulated();
  await run(cluster, "web");
  cluster.pod("web").onExec(async ({ command, container, stdout, stderr }) => {
    if (command[0] !== "false") await stdout.write(`${container}: ${command.join(" ")}`);
    await stderr.write("!");
    return command[0] === "false" ? 1 : 0;
  });
  const answer = await reach(cluster, `/run/default/web/web${query}`, { method: "POST", ...init });
  expect(answer).toMatchObject({ code, text });
});

test("it runs no command where there is no script, and in no other container", async () => {
  await using cluster = await simulated();
  await run(cluster, "web");
  const post = (path: string) => reach(cluster, path, { method: "POST" });
  expect((await post("/run/default/web/web?cmd=ls")).text).toMatch(
    /^rpc error: code = Unknown desc = failed to exec in container: failed to start exec "[0-9a-f]{64}": OCI runtime exec failed: exec failed: unable to start container process: exec: "ls": executable file not found in \$PATH: unknown$/,
  );
  const missing = { code: 500, text: 'container not found ("none")' };
  expect(await post("/run/default/web/none?cmd=ls")).toMatchObject(missing);
  expect(await post("/run/default/web/x/none?cmd=ls")).toMatchObject(missing);
  expect(await post("/run/default/none/web?cmd=ls")).toMatchObject({ code: 404, text: "pod does not exist" });
});

test.each(["node-1", "node-1:10250", "https:node-1:10250", "http:node-1:10250", "https:node-1:"])(
  "it listens on its port: %s",
  async (name) => {
    await using cluster = await simulated();
    expect(await reach(cluster, "/healthz", {}, name)).toMatchObject({ code: 200, text: "ok" });
  },
);

test("a proxy leads to it with the permission for proxies alone, and a script answers in its place", async () => {
  await using cluster = await simulated({ authorizationMode: ["Node", "RBAC"] });
  const rule = (resources: string[], verbs: string[]) => ({ apiGroups: [""], resources, verbs });
  const roles = {
    stats: [rule(["nodes", "nodes/stats", "nodes/metrics"], ["*"])],
    reader: [rule(["nodes/proxy"], ["get"])],
  };
  for (const [name, rules] of Object.entries(roles)) {
    const [apiGroup, metadata] = ["rbac.authorization.k8s.io", { name }];
    const apiVersion = `${apiGroup}/v1`;
    await cluster.create({ apiVersion, kind: "ClusterRole", metadata, rules });
    const [roleRef, subjects] = [{ apiGroup, kind: "ClusterRole", name }, [{ apiGroup, kind: "User", name }]];
    await cluster.create({ apiVersion, kind: "ClusterRoleBinding", metadata, roleRef, subjects });
  }
  const as = (name: string, method = "GET") =>
    reach(cluster, "/stats/summary", { method, headers: { "impersonate-user": name } });
  const forbidden = await as("stats");
  expect([forbidden.code, JSON.parse(forbidden.text).message]).toEqual([
    403,
    'nodes "node-1" is forbidden: User "stats" cannot get resource "nodes/proxy" in API group "" at the cluster scope',
  ]);
  expect((await as("reader")).code).toBe(200);
  expect((await as("reader", "POST")).code).toBe(403);
  using _script = cluster.node("node-1").onProxy(() => new Response("scripted"));
  expect((await as("reader")).text).toBe("scripted");
});

test("nothing listens on other ports, on nodes that are down and on those of other providers", async () => {
  await using cluster = await simulated();
  const address = (
    (await cluster.get("v1", "Node", "node-1"))["status"] as { addresses: { address: string }[] }
  ).addresses[0]?.address;
  const messageOf = async (path: string, node?: string) => {
    const { code, text } = await reach(cluster, path, {}, node);
    return [code, JSON.parse(text).message];
  };
  const refused = (port: number) => [
    503,
    `error trying to reach service: dial tcp ${address}:${port}: connect: connection refused`,
  ];
  expect(await messageOf("/healthz", "node-1:9100")).toEqual(refused(9100));
  const fault = cluster.inject(nodeDown({ node: "node-1" }));
  await cluster.clock.advance("1m");
  expect(await messageOf("/healthz")).toEqual(refused(10_250));
  fault.remove();
  await cluster.settle();
  expect((await reach(cluster, "/healthz")).code).toBe(200);
  const status = { addresses: [{ type: "InternalIP", address: "192.0.2.1" }] };
  await cluster.create({ apiVersion: "v1", kind: "Node", metadata: { name: "other" }, status });
  expect(await messageOf("/healthz", "other")).toEqual([
    503,
    "error trying to reach service: dial tcp 192.0.2.1:10250: connect: connection refused",
  ]);
});
