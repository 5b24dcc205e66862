import { describe, expect, test } from "vitest";
import { viewOf } from "../../../test/api-view.ts";
import { StatusError } from "../../apimachinery/errors/errors.ts";
import { catalogOf } from "../../catalog/catalog.ts";
import { featureGates } from "../../catalog/feature-gates.ts";
import { formatsOf } from "../../codec/media-types/formats.ts";
import { plainRequest, readResponseBody } from "../../request/plain-request.ts";
import type { RequestContext } from "../../request/request-context.ts";
import type { EndpointEnvironment } from "../contract/environment.ts";
import { handleDiscovery } from "./discovery.ts";

const aggregated = (version: string) =>
  `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`;

interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The answer of 1.32; its status alone if it refuses, and undefined if the path is none of discovery. */
async function discover(path: string, { method = "GET", headers = {} }: Asked = {}) {
  // Discovery reads nothing else.
  const environment = {
    catalog: catalogOf({ release: "1.32" }),
    gates: featureGates("1.32"),
    served: { current: viewOf({ release: "1.32" }) },
    formats: formatsOf(featureGates("1.32")),
    advertiseAddress: () => "10.0.0.1:6443",
  } as Partial<EndpointEnvironment> as EndpointEnvironment;
  const request = plainRequest({ method, target: path, headers: new Map(Object.entries(headers)) });
  const context: Partial<RequestContext> = { request, path, query: new URLSearchParams() };
  try {
    const answer = await handleDiscovery(context as RequestContext, environment);
    if (answer === undefined) return undefined;
    const text = new TextDecoder().decode(await readResponseBody(answer.body));
    return { ...answer, text, document: text.startsWith("{") ? JSON.parse(text) : undefined };
  } catch (error) {
    if (error instanceof StatusError)
      return { status: error.code, message: error.message, document: undefined };
    throw error;
  }
}

const accepting = (accept: string, more: Readonly<Record<string, string>> = {}): Asked => ({
  headers: { accept, ...more },
});

describe("discovery", () => {
  test.each([
    ["/api", { kind: "APIVersions", versions: ["v1"] }],
    ["/api/", { kind: "APIVersions" }],
    ["/api///", { kind: "APIVersions" }],
    ["/api/v1", { kind: "APIResourceList", groupVersion: "v1" }],
    ["/api/v1//", { kind: "APIResourceList", groupVersion: "v1" }],
    ["/apis", { kind: "APIGroupList" }],
    ["/apis/", { kind: "APIGroupList" }],
    ["/apis/apps", { kind: "APIGroup", name: "apps" }],
    ["/apis/apps//", { kind: "APIGroup", name: "apps" }],
    ["/apis/autoscaling/v2", { kind: "APIResourceList", groupVersion: "autoscaling/v2" }],
  ])("answers %s with its document", async (path, document) => {
    const answer = await discover(path);
    expect(answer).toMatchObject({
      status: 200,
      headers: [["Content-Type", "application/json"]],
      compression: "object",
      document,
    });
  });

  test("says where the server is", async () => {
    expect((await discover("/api"))?.document.serverAddressByClientCIDRs).toEqual([
      { clientCIDR: "0.0.0.0/0", serverAddress: "10.0.0.1:6443" },
    ]);
  });

  test.each([
    "/",
    "/ap",
    "/version",
    "x/api",
    "/apis//",
    "/apis///",
    "/apis/apps/v1/deployments",
    "/apis/apps/v1/x/y",
  ])("does not answer %s", async (path) => {
    expect(await discover(path)).toBeUndefined();
  });

  test.each([
    ["/apis//v1", "404 page not found\n"],
    ["/apis/example.com", "404 page not found\n"],
    ["/apis/example.com/v1", "404 page not found\n"],
    ["/api/v2", undefined],
    ["/apis/apps/v2", undefined],
  ])("does not find %s", async (path, text) => {
    const answer = await discover(path);
    expect([answer?.status, answer !== undefined && "text" in answer ? answer.text : undefined]).toEqual([
      404,
      text,
    ]);
  });

  test.each([
    ["/api", 405],
    ["/api/v1", 405],
    ["/apis/apps", 405],
    ["/apis/apps/v1", 405],
    ["/api/v2", 404],
    ["/apis/example.com", 404],
    // The handler of all groups looks at no method (kube-aggregator, pkg/apiserver/handler_apis.go).
    ["/apis", 200],
  ])("is only read: POST %s answers %i", async (path, status) => {
    expect((await discover(path, { method: "POST" }))?.status).toBe(status);
  });

  test.each(["/api", "/api/v1", "/apis", "/apis/apps", "/apis/apps/v1"])(
    "of %s is in none of the other formats",
    async (path) => {
      // The router refuses what it serves in its own words.
      const words =
        path === "/apis" ? /^only the following media types are accepted: / : /^406: Not Acceptable/;
      expect(await discover(path, accepting("text/html"))).toEqual({
        status: 406,
        message: expect.stringMatching(words),
      });
      expect(await discover(path, accepting("application/yaml"))).toMatchObject({
        status: 200,
        text: expect.stringMatching(/^apiVersion: v1\n|^groupVersion|^groups:|^kind: /),
      });
    },
  );
});

describe("aggregated discovery", () => {
  test.each(["v2", "v2beta1"])("in %s has the groups below a root", async (version) => {
    const core = await discover("/api", accepting(aggregated(version)));
    expect(core?.document).toMatchObject({
      kind: "APIGroupDiscoveryList",
      apiVersion: `apidiscovery.k8s.io/${version}`,
      items: [{ metadata: {} }],
    });
    const named = await discover("/apis", accepting(aggregated(version)));
    expect(named?.document.items.length).toBeGreaterThan(1);
    expect(named).toMatchObject({ status: 200, compression: "object" });
    expect(named && "headers" in named && named.headers).toEqual([
      ["Content-Type", aggregated(version)],
      ["Etag", expect.stringMatching(/^"[0-9A-F]+"$/)],
      ["Vary", "Accept"],
      ["Cache-Control", "public"],
    ]);
  });

  test("is not sent to a client that has it", async () => {
    const first = await discover("/api", accepting(aggregated("v2")));
    const etag = (first && "headers" in first && first.headers.find(([name]) => name === "Etag")?.[1]) || "";
    const second = await discover("/api", accepting(aggregated("v2"), { "if-none-match": etag }));
    expect(second).toMatchObject({
      status: 304,
      headers: [
        ["Etag", etag],
        ["Vary", "Accept"],
        ["Cache-Control", "public"],
      ],
      body: undefined,
    });
    expect((await discover("/api", accepting(aggregated("v2"), { "if-none-match": '"x"' })))?.status).toBe(
      200,
    );
  });

  test.each([
    ["application/json, application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList", true],
    [`${aggregated("v9")}, ${aggregated("v2beta1")}`, true],
    [`${aggregated("v9")}, application/json`, false],
    ["application/json;g=example.com;v=v2;as=APIGroupDiscoveryList, application/json", false],
    ["application/json;g=apidiscovery.k8s.io;v=v2;as=Table, application/json", false],
    ["text/html;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList, application/json", false],
  ])("is for the first clause that names it: %s", async (accept, isAggregated) => {
    const { kind } = (await discover("/apis", accepting(accept)))?.document ?? {};
    expect(kind).toBe(isAggregated ? "APIGroupDiscoveryList" : "APIGroupList");
  });

  test("is for the documents of the roots alone", async () => {
    const accept = `${aggregated("v2")}, application/json`;
    expect((await discover("/apis/apps", accepting(accept)))?.document.kind).toBe("APIGroup");
  });
});
