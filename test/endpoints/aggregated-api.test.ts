import { afterAll, describe, expect, test } from "vitest";
import {
  type ApiServerFunction,
  type Cluster,
  type ClusterOptions,
  createCluster,
  type JsonObject,
  VirtualClock,
} from "../../src/index.ts";
import { groupDown } from "../../src/scenario/presets.ts";

const clusters: Cluster[] = [];
afterAll(() => Promise.all(clusters.map((cluster) => cluster.close())));

function newCluster(options: ClusterOptions = {}): Cluster {
  const cluster = createCluster({ clock: new VirtualClock("2026-01-01T00:00:00Z"), ...options });
  clusters.push(cluster);
  return cluster;
}

const name = "v1beta1.metrics.k8s.io";
const gv = "/apis/metrics.k8s.io/v1beta1";
const verbs = ["get", "list"];
const resources = {
  kind: "APIResourceList",
  apiVersion: "v1",
  groupVersion: "metrics.k8s.io/v1beta1",
  resources: [
    { name: "nodes", singularName: "node", namespaced: false, kind: "NodeMetrics", verbs },
    { name: "pods", singularName: "", namespaced: true, kind: "PodMetrics", verbs, shortNames: ["pm"] },
    { name: "pods/status", singularName: "", namespaced: true, kind: "PodMetrics", verbs: ["get"] },
  ],
};

/** A server of metrics: its discovery, and what other paths answer. */
function metricsServer(answer?: ApiServerFunction): ApiServerFunction {
  return (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === gv) return Response.json(resources);
    const isKnown = pathname.startsWith(gv) || pathname.startsWith("/openapi/");
    return (isKnown && answer?.(request)) || new Response("404 page not found\n", { status: 404 });
  };
}

interface SentRequest extends Omit<RequestInit, "headers"> {
  readonly headers?: { readonly [name: string]: string };
  readonly token?: string;
}

function send(
  cluster: Cluster,
  path: string,
  { headers, token, ...init }: SentRequest = {},
): Promise<Response> {
  const authorization = `Bearer ${token ?? cluster.adminToken()}`;
  return cluster.fetch(`https://cluster.test${path}`, { ...init, headers: { authorization, ...headers } });
}

async function statusAndText(answer: Response | Promise<Response>): Promise<readonly [number, string]> {
  const { status } = await answer;
  return [status, await (await answer).text()];
}

// A test reads any field of any document.
// biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary fields
async function json(answer: Response | Promise<Response>): Promise<any> {
  return (await answer).json();
}

async function availability(cluster: Cluster): Promise<unknown> {
  const { status } = await cluster.get("apiregistration.k8s.io/v1", "APIService", name);
  return status?.conditions?.map((one) => [one.type, one.status, one.reason, one.message]);
}

const passed = [["Available", "True", "Passed", "all checks passed"]];

function apiService(more: JsonObject = {}): JsonObject {
  const service = { namespace: "kube-system", name: "metrics-server" };
  const priorities = { groupPriorityMinimum: 100, versionPriority: 100 };
  return {
    apiVersion: "apiregistration.k8s.io/v1",
    kind: "APIService",
    metadata: { name },
    spec: { group: "metrics.k8s.io", version: "v1beta1", service, ...priorities, ...more },
  };
}

describe("a function that answers for an APIService", () => {
  test("makes it available, and gets what clients send", async () => {
    const cluster = newCluster();
    const seen: unknown[] = [];
    const serve = metricsServer(async (request) => {
      const { method, url, headers } = request;
      const shown = [...headers].filter(([header]) => /^x-|authorization|^accept$|^impersonate/.test(header));
      seen.push([method, url, Object.fromEntries(shown), await request.text()]);
      return Response.json({ made: true }, { status: 201, headers: { "X-Served-By": "metrics" } });
    });
    await cluster.apiServer(name, serve);
    expect(await availability(cluster)).toEqual(passed);
    const answer = await send(cluster, `${gv}/nodes?b=1&a=%2F`, {
      method: "POST",
      body: "{}",
      token: cluster.token("alice", { groups: ["system:masters"] }),
      headers: { accept: "application/json", "x-remote-user": "mallory", "impersonate-user": "bob" },
    });
    expect([answer.status, answer.headers.get("x-served-by"), await answer.json()]).toEqual([
      201,
      "metrics",
      { made: true },
    ]);
    const headers = {
      accept: "application/json",
      "x-forwarded-host": "v1beta1-metrics-k8s-io.default.svc:443",
      "x-forwarded-proto": "https",
      "x-forwarded-uri": `${gv}/nodes`,
      "x-remote-group": "system:authenticated",
      "x-remote-user": "bob",
    };
    const url = `https://v1beta1-metrics-k8s-io.default.svc${gv}/nodes?a=%2F&b=1`;
    expect(seen).toEqual([["POST", url, headers, "{}"]]);
  });

  test("gets no request that is not authorized", async () => {
    const cluster = newCluster({ authorizationMode: ["RBAC"] });
    let calls = 0;
    await cluster.apiServer(
      name,
      metricsServer(() => {
        calls += 1;
        return new Response();
      }),
    );
    const answer = await json(send(cluster, `${gv}/nodes`, { token: cluster.token("alice") }));
    const message =
      'nodes.metrics.k8s.io is forbidden: User "alice" cannot list resource "nodes" in API group "metrics.k8s.io" at the cluster scope';
    expect([answer.code, answer.message, calls]).toEqual([403, message, 0]);
  });

  test("streams, and learns that a client has left", async () => {
    const cluster = newCluster();
    let leave = () => {};
    const left = new Promise<void>((resolve) => {
      leave = resolve;
    });
    let pieces = 0;
    await cluster.apiServer(
      name,
      metricsServer(() => {
        const body = new ReadableStream<Uint8Array>({
          pull: (controller) => {
            pieces += 1;
            controller.enqueue(new TextEncoder().encode(`{"type":"ADDED","object":{"n":${pieces}}}\n`));
          },
          cancel: () => leave(),
        });
        return new Response(body, { headers: { "Content-Type": "application/json;stream=watch" } });
      }),
    );
    const watch = await send(cluster, `${gv}/nodes?watch=1`);
    const reader = watch.body?.getReader();
    const first = await reader?.read();
    expect(new TextDecoder().decode(first?.value)).toContain('{"n":1}');
    await reader?.cancel();
    await left;
    // The stream is endless: a proxy that read ahead would never stop.
    expect(pieces).toBeLessThan(10);
  });

  test("that throws, redirects or answers no Response fails as a connection does", async () => {
    const cluster = newCluster();
    // A test may return anything.
    const nothing = undefined as unknown as Response;
    await cluster.apiServer(
      name,
      metricsServer((request) => {
        if (request.url.endsWith("nodes")) throw new Error("EOF");
        return request.url.endsWith("nothing") ? nothing : Response.redirect("https://elsewhere.test/", 302);
      }),
    );
    expect(await statusAndText(send(cluster, `${gv}/nodes`))).toEqual([
      503,
      "error trying to reach service: EOF\n",
    ]);
    expect(await statusAndText(send(cluster, `${gv}/pods`))).toEqual([
      502,
      "the backend attempted to redirect this request, which is not permitted",
    ]);
    expect(await statusAndText(send(cluster, `${gv}/nothing`))).toEqual([404, "404 page not found\n"]);
  });

  test.each([
    [
      "metrics",
      () => new Response(),
      'apiServer: "metrics" must be <version>.<group>, such as "v1beta1.metrics.k8s.io"',
    ],
    [name, "https://127.0.0.1:1", "apiServer: the server of v1beta1.metrics.k8s.io must be a function"],
  ] as const)("is refused as %j %j", async (given, target, message) => {
    // The type refuses text, too.
    const server = target as ApiServerFunction;
    await expect(newCluster().apiServer(given, server)).rejects.toThrow(message);
  });

  test("answers until its handle is removed", async () => {
    const cluster = newCluster();
    const handle = await cluster.apiServer(name, metricsServer());
    handle.remove();
    await cluster.settle();
    expect(await availability(cluster)).toMatchObject([
      ["Available", "False", "ServiceNotFound", expect.any(String)],
    ]);
  });

  test("answers in forks as well, and may be replaced", async () => {
    const cluster = newCluster();
    await cluster.apiServer(
      name,
      metricsServer(() => new Response("one")),
    );
    const fork = cluster.fork();
    clusters.push(fork);
    await cluster.apiServer(
      name,
      metricsServer(() => new Response("two")),
    );
    expect(await statusAndText(send(fork, `${gv}/nodes`))).toEqual([200, "one"]);
    expect(await statusAndText(send(cluster, `${gv}/nodes`))).toEqual([200, "two"]);
  });
});

describe("discovery", () => {
  const aggregated = { accept: "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList" };
  const itemOf = (document: { items: { metadata: { name: string } }[] }, group: string) =>
    document.items.find(({ metadata }) => metadata.name === group);

  test("has the groups and resources of other servers", async () => {
    const cluster = newCluster();
    await cluster.apiServer(name, metricsServer());
    const list = await json(send(cluster, "/apis"));
    const version = { groupVersion: "metrics.k8s.io/v1beta1", version: "v1beta1" };
    const group = { name: "metrics.k8s.io", versions: [version], preferredVersion: version };
    expect(list.groups.at(-1)).toEqual(group);
    expect(list.groups[0].name).toBe("apiregistration.k8s.io");
    expect(await json(send(cluster, "/apis/metrics.k8s.io"))).toEqual({
      kind: "APIGroup",
      apiVersion: "v1",
      ...group,
    });
    expect(await json(send(cluster, gv))).toEqual(resources);
    const item = itemOf(await json(send(cluster, "/apis", { headers: aggregated })), "metrics.k8s.io");
    const responseKind = { group: "", version: "", kind: "PodMetrics" };
    expect(item).toEqual({
      metadata: { name: "metrics.k8s.io", creationTimestamp: null },
      versions: [
        {
          version: "v1beta1",
          resources: [
            {
              resource: "nodes",
              responseKind: { group: "", version: "", kind: "NodeMetrics" },
              scope: "Cluster",
              singularResource: "node",
              verbs,
            },
            {
              resource: "pods",
              responseKind,
              scope: "Namespaced",
              singularResource: "",
              verbs,
              shortNames: ["pm"],
              subresources: [{ subresource: "status", responseKind, verbs: ["get"] }],
            },
          ],
          freshness: "Current",
        },
      ],
    });
  });

  test("takes the resources from aggregated discovery of a server that has it, and marks those of a server that is down", async () => {
    const cluster = newCluster();
    const clock = cluster.clock;
    let isUp = true;
    const known = [{ resource: "nodes", scope: "Cluster", singularResource: "", verbs }];
    await cluster.apiServer(name, (request) => {
      if (!isUp) return new Response("down", { status: 500 });
      if (!request.url.endsWith("/apis")) return new Response();
      const items = [
        { metadata: { name: "metrics.k8s.io" }, versions: [{ version: "v1beta1", resources: known }] },
      ];
      const document = {
        kind: "APIGroupDiscoveryList",
        apiVersion: "apidiscovery.k8s.io/v2",
        metadata: {},
        items,
      };
      return new Response(JSON.stringify(document), { headers: { "Content-Type": aggregated.accept } });
    });
    const read = async () =>
      itemOf(await json(send(cluster, "/apis", { headers: aggregated })), "metrics.k8s.io") as unknown;
    expect(await read()).toMatchObject({ versions: [{ resources: known, freshness: "Current" }] });
    isUp = false;
    await clock.advance("30s");
    await cluster.settle();
    expect(await availability(cluster)).toEqual([
      [
        "Available",
        "False",
        "FailedDiscoveryCheck",
        `failing or missing response from https://v1beta1-metrics-k8s-io.default.svc:443${gv}: bad status from https://v1beta1-metrics-k8s-io.default.svc:443${gv}: 500`,
      ],
    ]);
    expect(await read()).toMatchObject({ versions: [{ version: "v1beta1", freshness: "Stale" }] });
    expect(await statusAndText(send(cluster, `${gv}/nodes`))).toEqual([503, "service unavailable\n"]);
    const metrics = await (await send(cluster, "/metrics")).text();
    expect(metrics).toContain(`aggregator_unavailable_apiservice{name="${name}"} 1`);
    expect(metrics).toContain('aggregator_unavailable_apiservice{name="v1.apps"} 0');
    expect(metrics).toContain(
      `aggregator_unavailable_apiservice_total{name="${name}",reason="FailedDiscoveryCheck"} 1`,
    );
  });

  test("follows the priorities of APIServices", async () => {
    const cluster = newCluster();
    await cluster.create(apiService({ groupPriorityMinimum: 19_000 }));
    await cluster.settle();
    const names = async () =>
      (await json(send(cluster, "/apis"))).groups.map((group: { name: string }) => group.name);
    expect((await names()).slice(0, 3)).toEqual(["apiregistration.k8s.io", "metrics.k8s.io", "apps"]);
    const document = await json(send(cluster, "/apis", { headers: aggregated }));
    expect(document.items[1].metadata.name).toBe("metrics.k8s.io");
    await cluster.delete("apiregistration.k8s.io/v1", "APIService", name);
    await cluster.delete("apiregistration.k8s.io/v1", "APIService", "v1.apps");
    // A server registers built-in versions when it starts, not again.
    expect((await names()).slice(0, 2)).toEqual(["apiregistration.k8s.io", "events.k8s.io"]);
    expect((await send(cluster, "/apis/apps/v1/deployments")).status).toBe(200);
  });
});

describe("OpenAPI", () => {
  test("has the documents of other servers", async () => {
    const cluster = newCluster();
    const paths = { [`${gv}/nodes`]: { get: {} }, "/version/": { get: {} }, "/other/": { get: {} } };
    const definitions = { "io.k8s.metrics.NodeMetrics": { type: "object" } };
    const url = `/openapi/v3${gv}?hash=X`;
    await cluster.apiServer(
      name,
      metricsServer((request) => {
        const { pathname } = new URL(request.url);
        if (pathname === "/openapi/v2") return Response.json({ swagger: "2.0", paths, definitions });
        if (pathname === "/openapi/v3")
          return Response.json({ paths: { [gv.slice(1)]: { serverRelativeURL: url } } });
        return Response.json({ openapi: "3.0.0" });
      }),
    );
    const v2 = await json(send(cluster, "/openapi/v2"));
    expect(v2.paths[`${gv}/nodes`]).toEqual({ get: {} });
    expect(v2.paths["/version/"]).not.toEqual({ get: {} });
    expect(v2.paths).not.toHaveProperty(["/other/"]);
    expect(v2.definitions["io.k8s.metrics.NodeMetrics"]).toEqual({ type: "object" });
    expect(v2.definitions["io.k8s.api.core.v1.Pod"]).toBeDefined();
    const index = await json(send(cluster, "/openapi/v3"));
    expect(index.paths[gv.slice(1)]).toEqual({ serverRelativeURL: url });
    expect(Object.keys(index.paths)).toEqual(Object.keys(index.paths).sort());
    expect(await json(send(cluster, url))).toEqual({ openapi: "3.0.0" });
  });
});

describe("OpenAPI of a server that knows only OpenAPI 2", () => {
  const metrics = "io.k8s.metrics.NodeMetrics";
  const pod = "io.k8s.api.core.v1.Pod";
  const schema = { $ref: `#/definitions/${pod}` };
  const operation = { produces: ["application/json"], responses: { "200": { description: "OK", schema } } };
  const swagger = {
    swagger: "2.0",
    paths: { [`${gv}/nodes`]: { get: operation }, "/version/": { get: {} } },
    definitions: { [metrics]: { type: "object" }, [pod]: { type: "string" } },
  };

  async function legacyCluster(): Promise<Cluster> {
    const cluster = newCluster();
    await cluster.apiServer(
      name,
      metricsServer((request) => {
        const { pathname } = new URL(request.url);
        return pathname === "/openapi/v2"
          ? Response.json(swagger)
          : new Response("404 page not found\n", { status: 404 });
      }),
    );
    return cluster;
  }

  test("is converted to OpenAPI 3", async () => {
    const cluster = await legacyCluster();
    const { paths } = await json(send(cluster, "/openapi/v3"));
    const url = paths[gv.slice(1)].serverRelativeURL;
    expect(url).toMatch(/^\/openapi\/v3\/apis\/metrics\.k8s\.io\/v1beta1\?hash=[0-9A-F]{128}$/);
    const answer = await send(cluster, url);
    expect(answer.headers.get("etag")).toBe(`"${url.split("=")[1]}"`);
    const document = await json(answer);
    expect(document).toMatchObject({
      openapi: "3.0.0",
      components: { schemas: { [metrics]: { type: "object" } } },
    });
    expect(document.paths[`${gv}/nodes`].get.responses["200"].content).toEqual({
      "application/json": { schema: { $ref: `#/components/schemas/${pod}` } },
    });
    const protobuf = "application/com.github.proto-openapi.spec.v3.v1.0+protobuf";
    const bytes = await send(cluster, url, { headers: { accept: protobuf } });
    expect([bytes.status, bytes.headers.get("content-type")]).toEqual([200, protobuf]);
  });

  test("has its definitions renamed that this server has otherwise", async () => {
    const cluster = await legacyCluster();
    const { paths, definitions } = await json(send(cluster, "/openapi/v2"));
    expect(definitions[`${pod}_v2`]).toEqual({ type: "string" });
    expect(definitions[pod]).toHaveProperty("properties");
    expect(paths[`${gv}/nodes`].get.responses["200"].schema).toEqual({ $ref: `#/definitions/${pod}_v2` });
    expect(paths["/version/"].get).not.toEqual({});
  });
});

describe("the condition Available of an APIService without a target", () => {
  const service = (spec: JsonObject): JsonObject => ({
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: "metrics-server", namespace: "kube-system" },
    spec,
  });
  const ports = [{ name: "https", port: 443 }];
  const endpointsOf = (addresses: readonly JsonObject[]): JsonObject => ({
    apiVersion: "v1",
    kind: "Endpoints",
    metadata: { name: "metrics-server", namespace: "kube-system" },
    subsets:
      addresses.length === 0 ? [] : [{ addresses: [...addresses], ports: [{ name: "https", port: 8443 }] }],
  });
  const checked = (host: string, problem: string) =>
    `failing or missing response from https://${host}${gv}: Get "https://${host}${gv}": ${problem}`;

  test.each<
    [title: string, release: string, objects: readonly JsonObject[], reason: string, message: string]
  >([
    [
      "without a Service",
      "1.32",
      [],
      "ServiceNotFound",
      'service/metrics-server in "kube-system" is not present',
    ],
    [
      "whose Service has another port",
      "1.32",
      [service({ ports: [{ port: 80 }] })],
      "ServicePortError",
      'service/metrics-server in "kube-system" is not listening on port 443',
    ],
    [
      "whose Service has no endpoints",
      "1.32",
      [service({ ports })],
      "EndpointsNotFound",
      'cannot find endpoints for service/metrics-server in "kube-system"',
    ],
    [
      "whose Service has no endpoint slices",
      "1.34",
      [service({ ports }), endpointsOf([{ ip: "10.1.2.3" }])],
      "EndpointsNotFound",
      'cannot find endpointslices for service/metrics-server in "kube-system"',
    ],
    [
      "whose Service has no addresses",
      "1.32",
      [service({ ports }), endpointsOf([])],
      "MissingEndpoints",
      'endpoints for service/metrics-server in "kube-system" have no addresses with port name "https"',
    ],
    [
      "behind whose Service nothing listens",
      "1.32",
      [service({ ports, clusterIP: "10.96.1.1" }), endpointsOf([{ ip: "10.1.2.3" }])],
      "FailedDiscoveryCheck",
      checked("10.96.1.1:443", "dial tcp 10.96.1.1:443: connect: connection refused"),
    ],
    [
      "with a headless Service",
      "1.32",
      [service({ ports, clusterIP: "None" }), endpointsOf([{ ip: "10.1.2.3" }])],
      "FailedDiscoveryCheck",
      'cannot route to service with ClusterIP "None"',
    ],
    [
      "with a Service of another cluster",
      "1.32",
      [service({ type: "ExternalName", externalName: "metrics.test" })],
      "FailedDiscoveryCheck",
      checked("metrics.test:443", "dial tcp metrics.test:443: connect: connection refused"),
    ],
  ])("%s (%s) is false", async (_title, release, objects, reason, message) => {
    const cluster = newCluster({
      release,
      objects: [apiService({ insecureSkipTLSVerify: true }), ...objects],
    });
    await cluster.settle();
    expect(await availability(cluster)).toEqual([["Available", "False", reason, message]]);
    expect(await statusAndText(send(cluster, `${gv}/nodes`))).toEqual([503, "service unavailable\n"]);
  });

  test("is true as soon as a test says what answers", async () => {
    const cluster = newCluster({ objects: [apiService({ insecureSkipTLSVerify: true })] });
    await cluster.settle();
    await cluster.apiServer(name, metricsServer());
    expect(await availability(cluster)).toEqual(passed);
  });
});

test("a server that does not answer is late after five seconds of the cluster's clock", async () => {
  const cluster = newCluster();
  let ask = () => {};
  const asked = new Promise<void>((resolve) => {
    ask = resolve;
  });
  const registering = cluster.apiServer(name, () => {
    ask();
    return new Promise<Response>(() => {});
  });
  await asked;
  await cluster.clock.advance("5s");
  await registering;
  const host = "v1beta1-metrics-k8s-io.default.svc:443";
  expect(await availability(cluster)).toEqual([
    [
      "Available",
      "False",
      "FailedDiscoveryCheck",
      `failing or missing response from https://${host}${gv}: Get "https://${host}${gv}": context deadline exceeded (Client.Timeout exceeded while awaiting headers)`,
    ],
  ]);
});

test("groupDown makes an APIService unavailable while it lasts", async () => {
  const cluster = newCluster();
  await cluster.apiServer(
    name,
    metricsServer(() => new Response("up")),
  );
  const fault = cluster.inject(groupDown({ times: 2 }));
  expect(await statusAndText(send(cluster, `${gv}/nodes`))).toEqual([503, "service unavailable\n"]);
  await cluster.settle();
  expect(await availability(cluster)).toMatchObject([
    ["Available", "False", "FailedDiscoveryCheck", expect.any(String)],
  ]);
  fault.remove();
  await cluster.settle();
  expect(await availability(cluster)).toEqual(passed);
  expect(await statusAndText(send(cluster, `${gv}/nodes`))).toEqual([200, "up"]);
});

describe("APIServices that the server registers", () => {
  const namesOf = async (cluster: Cluster) =>
    (await cluster.list("apiregistration.k8s.io/v1", "APIService")).items.map(
      ({ metadata }) => metadata.name,
    );

  test.each(["1.16", "1.24", "1.32", "1.36"])(
    "of %s are those of its groups and versions",
    async (release) => {
      const cluster = newCluster({ release });
      const { groups } = await json(send(cluster, "/apis"));
      const served = groups
        .flatMap((group: { name: string; versions: { version: string }[] }) =>
          group.versions.map(({ version }) => `${version}.${group.name}`),
        )
        .filter((one: string) => !one.endsWith(".apiregistration.k8s.io"));
      expect(new Set(await namesOf(cluster))).toEqual(new Set(["v1.", ...served]));
    },
  );

  test("for custom resources follow the definition, and come back", async () => {
    const cluster = newCluster();
    const version = {
      name: "v1",
      served: true,
      storage: true,
      schema: { openAPIV3Schema: { type: "object" } },
    };
    const names = { plural: "widgets", singular: "widget", kind: "Widget" };
    const definition = await cluster.create({
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: "widgets.example.com" },
      spec: {
        group: "example.com",
        scope: "Namespaced",
        names,
        versions: [version, { ...version, name: "v1beta1", storage: false }],
      },
    });
    await cluster.settle();
    const registered = await cluster.get("apiregistration.k8s.io/v1", "APIService", "v1.example.com");
    expect(registered).toMatchObject({
      metadata: { labels: { "kube-aggregator.kubernetes.io/automanaged": "true" } },
      spec: { group: "example.com", version: "v1", groupPriorityMinimum: 1000, versionPriority: 100 },
      status: { conditions: [{ type: "Available", status: "True", reason: "Local" }] },
    });
    await cluster.delete("apiregistration.k8s.io/v1", "APIService", "v1.example.com");
    await cluster.settle();
    const again = await cluster.get("apiregistration.k8s.io/v1", "APIService", "v1.example.com");
    expect(again.metadata.uid).not.toBe(registered.metadata.uid);
    const patch = [{ op: "replace", path: "/spec/versions/1/served", value: false }];
    await cluster.patch(
      "apiextensions.k8s.io/v1",
      "CustomResourceDefinition",
      definition.metadata.name,
      patch,
      { type: "json" },
    );
    await cluster.settle();
    expect(await namesOf(cluster)).not.toContain("v1beta1.example.com");
    await cluster.delete("apiextensions.k8s.io/v1", "CustomResourceDefinition", "widgets.example.com");
    await cluster.settle();
    expect(await namesOf(cluster)).not.toContain("v1.example.com");
  });
});
