import { describe, expect, test } from "vitest";
import { viewOf } from "../../../test/api-view.ts";
import { VirtualClock } from "../../apimachinery/clock.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { catalogOf } from "../../catalog/catalog.ts";
import { featureGates } from "../../catalog/feature-gates.ts";
import { formatsOf } from "../../codec/media-types/formats.ts";
import { inProcessPeer } from "../../request/peer.ts";
import { plainRequest, readResponseBody } from "../../request/plain-request.ts";
import type { RequestContext } from "../../request/request-context.ts";
import type { ApiServerFunction } from "../../webhooks/api-server-function.ts";
import { OutgoingTargets } from "../../webhooks/outgoing-targets.ts";
import type { EndpointEnvironment } from "../contract/environment.ts";
import { aggregatorOf } from "./aggregator.ts";
import { RemoteApis } from "./remote-apis.ts";

const release = "1.32";
const gates = featureGates(release);
// The answers depend on nothing else.
const environment = {
  catalog: catalogOf({ release }),
  served: { current: viewOf({ release }) },
  formats: formatsOf(gates),
  gates,
  openapiDescriptions: undefined,
  clock: new VirtualClock(0),
  startedAt: 0,
} as unknown as EndpointEnvironment;

/** The APIService `version.group` of another server, or of this one. */
function apiService(name: string, isAvailable: boolean, service?: JsonObject): KubeObject {
  const [version = "", ...group] = name.split(".");
  const spec = { group: group.join("."), version, groupPriorityMinimum: 1, versionPriority: 1 };
  return {
    apiVersion: "apiregistration.k8s.io/v1",
    kind: "APIService",
    metadata: { name },
    spec: { ...spec, ...(service && { service }) },
    status: { conditions: [{ type: "Available", status: isAvailable ? "True" : "False" }] },
  };
}

const service = { namespace: "n", name: "s" };
const metrics = apiService("v1.metrics.test", true, service);

/** Another server, which says what it is asked. */
const echo: ApiServerFunction = ({ url, headers }) =>
  new Response(`${new URL(url).pathname} ${headers.get("x-remote-user")}`, { status: 202 });

interface Answering {
  /** What answers for all APIServices; undefined for nothing. */
  readonly serve: ApiServerFunction | undefined;
  readonly accept?: string;
  readonly gates?: EndpointEnvironment["gates"];
}

/** What the aggregator answers; undefined for what concerns this server alone. */
async function answer(
  path: string,
  apiServices: readonly KubeObject[],
  { serve, accept = "", gates = environment.gates }: Answering = { serve: echo },
) {
  const targets = new OutgoingTargets();
  const apis = new RemoteApis({
    clock: new VirtualClock(0),
    targets,
    outages: { isDown: () => false },
    certificate: undefined,
    lister: { get: () => undefined, list: () => [] },
  });
  apis.follow(apiServices);
  if (serve !== undefined)
    for (const { metadata } of apiServices) targets.apiServers.add(metadata.name ?? "", serve);
  const headers = new Map(accept === "" ? [] : [["accept", accept]]);
  const context = {
    request: plainRequest({ method: "GET", target: path, headers }),
    path,
    query: new URLSearchParams(),
    peer: inProcessPeer,
    user: { name: "alice", uid: "7", groups: [], extra: {} },
  } as Partial<RequestContext> as RequestContext;
  const response = await aggregatorOf(apis).answer(context, { ...environment, gates });
  if (response === undefined) return undefined;
  const text = new TextDecoder().decode(await readResponseBody(response.body));
  return { status: response.status, headers: Object.fromEntries(response.headers), text };
}

describe("a request below a version", () => {
  test.each([
    ["/apis/metrics.test/v1", "v1.metrics.test"],
    ["/apis/metrics.test/v1/nodes/n", "v1.metrics.test"],
    ["/api/v1/pods", "v1."],
  ])("of another server goes there: %s", async (path, name) => {
    expect(await answer(path, [apiService(name, true, service)])).toMatchObject({
      status: 202,
      text: `${path} alice`,
    });
  });

  test.each([
    ["1.32", null],
    ["1.33", "7"],
  ] as const)("tells the uid of the user since 1.33: %s", async (since, expected) => {
    const uids: (string | null)[] = [];
    const serve: ApiServerFunction = ({ headers }) => {
      uids.push(headers.get("x-remote-uid"));
      return new Response();
    };
    await answer("/apis/metrics.test/v1", [metrics], { serve, gates: featureGates(since) });
    expect(uids).toEqual([expected]);
  });

  test.each([
    ["that is not available", false, echo],
    ["whose Service is gone", true, undefined],
  ])("of a server %s is answered with 503", async (_title, isAvailable, serve) => {
    const registered = apiService("v1.metrics.test", isAvailable, service);
    expect(await answer("/apis/metrics.test/v1/nodes", [registered], { serve })).toMatchObject({
      status: 503,
      text: "service unavailable\n",
    });
  });

  test.each([
    "/apis/metrics.test/v2",
    "/apis/apps/v1/deployments",
    "/apis/metrics.test//v1",
    "/apis//v1",
    "/api/v1/pods",
    "/api",
    "/metrics",
    "/metrics/metrics.test/v1",
    "/openapi/v3/apis/apps/v1",
  ])("of this server is its own: %s", async (path) => {
    expect(await answer(path, [metrics])).toBeUndefined();
  });
});

describe("the document of a group", () => {
  const groupOf = async (path: string, apiServices: readonly KubeObject[]) => {
    const found = await answer(path, apiServices);
    return found && [found.status, JSON.parse(found.text)];
  };
  const version = { groupVersion: "metrics.test/v1", version: "v1" };
  const group = {
    kind: "APIGroup",
    apiVersion: "v1",
    name: "metrics.test",
    versions: [version],
    preferredVersion: version,
  };

  test.each(["/apis/metrics.test", "/apis/metrics.test/"])("with an APIService is at %s", async (path) => {
    expect(await groupOf(path, [metrics])).toEqual([200, group]);
  });

  test("without an APIService is none", async () => {
    expect(await groupOf("/apis/other.test", [metrics])).toBeUndefined();
    expect(await groupOf("/apis/apps", [metrics])).toBeUndefined();
  });
});

describe("the list of groups", () => {
  test.each(["/apis", "/apis/"])("at %s has those with an APIService", async (path) => {
    const apps = apiService("v1.apps", true);
    const found = await answer(path, [metrics, apps]);
    const { kind, groups } = JSON.parse(found?.text ?? "");
    const names = groups.map(({ name }: { readonly name: string }) => name);
    expect([found?.status, kind, names.sort()]).toEqual([
      200,
      "APIGroupList",
      ["apiregistration.k8s.io", "apps", "metrics.test"],
    ]);
  });

  test("is aggregated for clients that ask for it, with a digest of what it says", async () => {
    const accept = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
    const all = await answer("/apis", [metrics], { serve: echo, accept });
    expect([all?.status, JSON.parse(all?.text ?? "").kind]).toEqual([200, "APIGroupDiscoveryList"]);
    const own = await answer("/apis", [], { serve: echo, accept });
    const etags = [all, own].map((one) => one?.headers["Etag"]);
    for (const etag of etags) expect(etag).toMatch(/^"[0-9A-F]{128}"$/);
    expect(etags[0]).not.toBe(etags[1]);
  });
});

describe("the documents of OpenAPI 3", () => {
  const path = "apis/metrics.test/v1";
  const url = `/openapi/v3/${path}?hash=X`;
  const missing = () => new Response("404 page not found\n", { status: 404 });

  /** A server with these answers by path; it tells other users than this server what they have asked. */
  function serverWith(answers: Readonly<Record<string, () => Response>>): ApiServerFunction {
    return ({ url, headers }) => {
      const { pathname } = new URL(url);
      if (headers.get("x-remote-user") !== "system:aggregator")
        return new Response(`${pathname} ${headers.get("x-remote-user")}`, { status: 202 });
      return answers[pathname]?.() ?? missing();
    };
  }

  /** The entries of other groups than those of this server. */
  async function listed(apiServices: readonly KubeObject[], serve: ApiServerFunction) {
    const found = await answer("/openapi/v3", apiServices, { serve });
    const { paths } = JSON.parse(found?.text ?? "");
    return Object.fromEntries(Object.entries(paths).filter(([name]) => name.includes(".test/")));
  }

  const named = serverWith({
    "/openapi/v3": () => Response.json({ paths: { [path]: { serverRelativeURL: url } } }),
  });
  const legacy = serverWith({
    "/openapi/v2": () => Response.json({ swagger: "2.0", info: { title: "x" }, paths: {}, definitions: {} }),
  });

  test("are listed where their servers name them", async () => {
    expect(await listed([metrics], named)).toEqual({ [path]: { serverRelativeURL: url } });
    const slash = await answer("/openapi/v3/", [metrics], { serve: named });
    expect(JSON.parse(slash?.text ?? "").paths[path]).toEqual({ serverRelativeURL: url });
  });

  test("of the core group are listed in their own place", async () => {
    const core = serverWith({
      "/openapi/v3": () => Response.json({ paths: { "api/v9": { serverRelativeURL: "/core" } } }),
    });
    const found = await answer("/openapi/v3", [apiService("v9.", true, service)], { serve: core });
    expect(JSON.parse(found?.text ?? "").paths["api/v9"]).toEqual({ serverRelativeURL: "/core" });
  });

  test.each<[string, readonly KubeObject[], ApiServerFunction]>([
    ["whose server is not available", [apiService("v1.metrics.test", false, service)], named],
    ["of this server", [apiService("v1.metrics.test", true)], named],
    ["whose server has none", [metrics], serverWith({})],
    ["whose server names none", [metrics], serverWith({ "/openapi/v3": () => Response.json({ paths: {} }) })],
    ["whose server fails", [metrics], serverWith({ "/openapi/v3": () => new Response("", { status: 500 }) })],
  ])("are not listed of a version %s", async (_title, apiServices, serve) => {
    expect(await listed(apiServices, serve)).toEqual({});
  });

  test("are not converted for a server that fails", async () => {
    const failing = serverWith({
      "/openapi/v3": () => new Response("", { status: 500 }),
      "/openapi/v2": () => Response.json({ swagger: "2.0", paths: {} }),
    });
    expect(await listed([metrics], failing)).toEqual({});
    expect(await answer(`/openapi/v3/${path}`, [metrics], { serve: failing })).toMatchObject({ status: 202 });
  });

  test("come from the server that has them", async () => {
    const found = await answer(`/openapi/v3/${path}`, [metrics], { serve: named });
    expect(found).toMatchObject({ status: 202, text: `/openapi/v3/${path} alice` });
    expect(await answer(`/openapi/v3/${path}`, [metrics], { serve: serverWith({}) })).toMatchObject({
      status: 202,
    });
  });

  test("are converted for a server that has only OpenAPI 2", async () => {
    const entry = (await listed([metrics], legacy))[path];
    expect(entry).toEqual({
      serverRelativeURL: expect.stringMatching(
        /^\/openapi\/v3\/apis\/metrics\.test\/v1\?hash=[0-9A-F]{128}$/,
      ),
    });
    const accept = "application/json";
    const found = await answer(`/openapi/v3/${path}`, [metrics], { serve: legacy, accept });
    expect([found?.status, JSON.parse(found?.text ?? "")]).toMatchObject([200, { openapi: "3.0.0" }]);
  });
});
