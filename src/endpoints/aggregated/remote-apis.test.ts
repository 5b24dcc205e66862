import { describe, expect, test } from "vitest";
import { VirtualClock } from "../../apimachinery/clock.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { ApiServerFunction } from "../../webhooks/api-server-function.ts";
import { OutgoingTargets } from "../../webhooks/outgoing-targets.ts";
import type { RemoteVersion } from "./registered-version.ts";
import { RemoteApis } from "./remote-apis.ts";
import { aggregatedType } from "./remote-discovery.ts";

const name = "v1.example.com";
const gv = { group: "example.com", version: "v1" };
const local: KubeObject = {
  apiVersion: "apiregistration.k8s.io/v1",
  kind: "APIService",
  metadata: { name },
  spec: { ...gv, groupPriorityMinimum: 7, versionPriority: 8 },
};
const remote = (spec: JsonObject = {}, meta: JsonObject = { name }): KubeObject => ({
  ...local,
  metadata: meta,
  spec: { ...(local["spec"] as JsonObject), service: { namespace: "n", name: "s" }, ...spec },
});
const core = remote({ group: "" }, { name: "v1." });

/** APIs of other servers with one Service, and what takes their place. */
function apisOf(apiServices: readonly KubeObject[] = [remote()], service?: JsonObject) {
  const targets = new OutgoingTargets();
  const clock = new VirtualClock(0);
  const down = new Set<string>();
  const stored = service && { apiVersion: "v1", kind: "Service", metadata: {}, spec: service };
  const apis = new RemoteApis({
    clock,
    targets,
    outages: { isDown: (one) => down.has(one) },
    certificate: undefined,
    lister: {
      get: ({ resource }, namespace, one) =>
        resource === "services" && namespace === "n" && one === "s" ? stored : undefined,
      list: () => [],
    },
  });
  apis.follow(apiServices);
  return { apis, targets, clock, down };
}

function versionOf(apis: RemoteApis, of = gv): RemoteVersion {
  return apis.remote(of) ?? expect.unreachable("it is not of another server");
}

describe("the versions with an APIService", () => {
  test("are of this server without a Service", () => {
    const { apis } = apisOf([local, core]);
    expect(apis.versions.map((version) => version.name)).toEqual([name, "v1."]);
    expect(apis.remote(gv)).toBeUndefined();
    expect(apis.remote({ group: "", version: "v1" })?.name).toBe("v1.");
  });

  test("are those of the latest APIServices", () => {
    const { apis } = apisOf([remote(), core]);
    apis.follow([core]);
    expect([apis.versions.length, apis.remote(gv)]).toEqual([1, undefined]);
  });

  test("are found by their Service", () => {
    const other = remote({ service: { namespace: "n", name: "t" } }, { name: "v2.example.com" });
    const { apis } = apisOf([remote(), other, core, { ...local, metadata: { name: "v3.example.com" } }]);
    expect([apis.namesAt("n/s"), apis.namesAt("n/t"), apis.namesAt("s/n")]).toEqual([
      [name, "v1."],
      ["v2.example.com"],
      [],
    ]);
  });

  test("have a target if its function or the address of its Service is given", () => {
    const { apis, targets } = apisOf();
    const version = versionOf(apis);
    expect(apis.hasTarget(version)).toBe(false);
    const serving = targets.apiServers.add(name, () => new Response());
    expect(apis.hasTarget(version)).toBe(true);
    serving.remove();
    targets.addresses.add("n/s", { host: "127.0.0.1", port: 1 });
    expect(apis.hasTarget(version)).toBe(true);
  });
});

describe("the host of a version", () => {
  test.each([
    [{ clusterIP: "10.96.0.1" }, "10.96.0.1:443"],
    [{ clusterIP: "fd00::1" }, "[fd00::1]:443"],
    [{ type: "ExternalName", externalName: "example.test" }, "example.test:443"],
  ])("with the Service %j is %s", (service, host) => {
    const { apis, targets } = apisOf([remote()], service);
    expect(apis.hostOf(versionOf(apis))).toBe(host);
    targets.apiServers.add(name, () => new Response());
    expect(apis.hostOf(versionOf(apis))).toBe("s.n.svc:443");
  });

  test.each([
    [undefined, 'service "s" not found'],
    [{ clusterIP: "None" }, 'cannot route to service with ClusterIP "None"'],
  ])("with the Service %j fails: %s", (service, message) => {
    const { apis } = apisOf([remote()], service);
    expect(() => apis.hostOf(versionOf(apis))).toThrow(message);
  });
});

describe("the server behind a version", () => {
  const service = { clusterIP: "10.96.0.1" };
  const ask = (apis: RemoteApis) =>
    apis.fetch(versionOf(apis), "https://x/y", { name: "bob", uid: "7", groups: ["g"], extra: {} });

  test("is what the owner of the cluster gives, and learns who asks", async () => {
    const { apis, targets } = apisOf();
    const seen: unknown[] = [];
    targets.apiServers.add(name, ({ method, url, headers }) => {
      seen.push([method, url, ...headers]);
      return new Response("ok", { status: 202 });
    });
    expect((await ask(apis)).status).toBe(202);
    const headers = [
      ["accept", "application/json"],
      ["user-agent", "kube-apiserver"],
      ["x-remote-group", "g"],
      ["x-remote-user", "bob"],
    ];
    expect(seen).toEqual([["GET", "https://x/y", ...headers]]);
  });

  test("does not answer while it is down, or if no endpoint is on this machine", async () => {
    const { apis, targets, down } = apisOf([remote()], service);
    const refused = "dial tcp 10.96.0.1:443: connect: connection refused";
    await expect(ask(apis)).rejects.toThrow(refused);
    targets.apiServers.add(name, () => new Response());
    down.add(name);
    await expect(ask(apis)).rejects.toThrow("dial tcp s.n.svc:443: connect: connection refused");
  });

  test("is late after five seconds", async () => {
    const { apis, targets, clock } = apisOf();
    let signal: AbortSignal | undefined;
    targets.apiServers.add(name, (request) => {
      signal = request.signal;
      return new Promise<Response>(() => {});
    });
    const asking = ask(apis);
    const outcome = expect(asking).rejects.toThrow(
      "context deadline exceeded (Client.Timeout exceeded while awaiting headers)",
    );
    await clock.advance("4999ms");
    expect(signal?.aborted).toBe(false);
    await clock.advance("1ms");
    await outcome;
    expect(signal?.aborted).toBe(true);
  });

  test("that a server has answered is over", async () => {
    const { apis, targets, clock } = apisOf();
    let signal: AbortSignal | undefined;
    targets.apiServers.add(name, (request) => {
      signal = request.signal;
      return Response.json({ kind: "APIResourceList" });
    });
    await ask(apis);
    await clock.advance("1m");
    // A request that is late has some turns left.
    for (let turns = 0; turns < 100; turns++) await new Promise((resolve) => setTimeout(resolve, 0));
    expect(signal?.aborted).toBe(false);
  });
});

describe("the check of a version", () => {
  const at = "https://s.n.svc:443/apis/example.com/v1";

  test.each([
    [200, undefined],
    [299, undefined],
    [300, `failing or missing response from ${at}: bad status from ${at}: 300`],
    [404, `failing or missing response from ${at}: bad status from ${at}: 404`],
  ])("of a server that answers %i finds %j", async (status, expected) => {
    const { apis, targets } = apisOf();
    const left: string[] = [];
    targets.apiServers.add(name, ({ headers }) => {
      expect(headers.get("x-remote-user")).toBe("system:kube-aggregator");
      expect(headers.get("x-remote-group")).toBe("system:masters");
      return new Response(new ReadableStream({ cancel: (reason) => void left.push(String(reason)) }), {
        status,
      });
    });
    expect(await apis.check(versionOf(apis))).toBe(expected);
    expect(left).toHaveLength(1);
  });

  test("asks for the version of the core group in its own place", async () => {
    const { apis, targets } = apisOf([core]);
    const paths: string[] = [];
    targets.apiServers.add("v1.", ({ url }) => {
      paths.push(new URL(url).pathname);
      return new Response();
    });
    expect(await apis.check(versionOf(apis, { group: "", version: "v1" }))).toBeUndefined();
    expect(paths).toEqual(["/api/v1"]);
  });

  test("finds a server that cannot be reached, or that has no Service", async () => {
    const { apis, targets } = apisOf();
    expect(await apis.check(versionOf(apis))).toBe('service "s" not found');
    targets.apiServers.add(name, () => {
      throw new Error("EOF");
    });
    const problem = `failing or missing response from ${at}: Get "${at}": EOF`;
    expect(await apis.check(versionOf(apis))).toBe(problem);
  });
});

describe("the resources of a version", () => {
  const aggregated = {
    items: [
      { metadata: { name: "example.com" }, versions: [{ version: "v1", resources: [{ resource: "a" }] }] },
    ],
  };
  const list = { resources: [{ name: "b", kind: "B", verbs: [] }] };

  /** What is known of a server with these answers, by path. */
  async function discovered(answers: Readonly<Record<string, () => Response>>, apiService = remote()) {
    const { apis, targets } = apisOf([apiService]);
    const seen: string[] = [];
    const serve: ApiServerFunction = ({ url, headers }) => {
      const { pathname } = new URL(url);
      seen.push(`${pathname} ${headers.get("accept")} ${headers.get("x-remote-group")}`);
      return answers[pathname]?.() ?? new Response("", { status: 404 });
    };
    targets.apiServers.add(String(apiService.metadata.name), serve);
    const version = apis.versions[0] as RemoteVersion; // It has a Service.
    await apis.discover(version);
    const names = apis.resources(version)?.map(({ resource }) => resource);
    return { apis, version, names, seen };
  }
  const asAggregated = () => Response.json(aggregated, { headers: { "Content-Type": aggregatedType } });
  const all = `/apis ${aggregatedType} system:masters`;
  const own = "/apis/example.com/v1 application/json null";

  test.each([
    ["of aggregated discovery", { "/apis": asAggregated }, ["a"], [all]],
    [
      "of its own list, if the server has no aggregated discovery",
      { "/apis": () => Response.json(aggregated), "/apis/example.com/v1": () => Response.json(list) },
      ["b"],
      [all, own],
    ],
    [
      "of its own list, if the server has no discovery",
      { "/apis/example.com/v1": () => Response.json(list) },
      ["b"],
      [all, own],
    ],
    [
      "of its own list, if aggregated discovery fails",
      {
        "/apis": () => new Response("{}", { status: 500, headers: { "Content-Type": aggregatedType } }),
        "/apis/example.com/v1": () => Response.json(list),
      },
      ["b"],
      [all, own],
    ],
    [
      "unknown, if the server is unavailable",
      {
        "/apis": () => new Response("", { status: 503 }),
        "/apis/example.com/v1": () => Response.json(list),
      },
      undefined,
      [all],
    ],
    [
      "unknown, if the list fails",
      { "/apis/example.com/v1": () => Response.json(list, { status: 500 }) },
      undefined,
      [all, own],
    ],
    [
      "unknown, if the list is no document",
      { "/apis/example.com/v1": () => new Response("x") },
      undefined,
      [all, own],
    ],
  ] as const)("are those %s", async (_title, answers, expected, asked) => {
    const { names, seen } = await discovered(answers);
    expect(names).toEqual(expected);
    expect(seen).toEqual(asked);
  });

  test("of the core group are listed in its own place", async () => {
    const { names } = await discovered({ "/api/v1": () => Response.json(list) }, core);
    expect(names).toEqual(["b"]);
  });

  test("are forgotten with the APIService or its Service, and when the server fails", async () => {
    const known = () => discovered({ "/apis": asAggregated });
    for (const left of [[], [local]]) {
      const { apis, version } = await known();
      apis.follow([remote()]);
      expect(apis.resources(version)).toHaveLength(1);
      apis.follow(left);
      expect(apis.resources(version)).toBeUndefined();
    }
    const { apis, version } = await known();
    apis.forget(name);
    expect(apis.resources(version)).toBeUndefined();
    let isUp = true;
    const failing = await discovered({
      "/apis": () => (isUp ? asAggregated() : new Response("", { status: 503 })),
    });
    isUp = false;
    await failing.apis.discover(failing.version);
    expect(failing.apis.resources(failing.version)).toBeUndefined();
  });
});

test.each([
  [200, { a: 1 }],
  [201, undefined],
  [404, undefined],
])("a document that is answered with %i is %j", async (status, document) => {
  const { apis, targets } = apisOf();
  const seen: string[] = [];
  targets.apiServers.add(name, ({ url }) => {
    seen.push(url);
    return Response.json({ a: 1 }, { status });
  });
  const user = { name: "u", uid: "", groups: [], extra: {} };
  expect(await apis.document(versionOf(apis), "/openapi/v2", user)).toEqual({ status, document });
  expect(seen).toEqual(["https://s.n.svc/openapi/v2"]);
});
