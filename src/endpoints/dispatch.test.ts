import { describe, expect, test } from "vitest";
import { viewOf } from "../../test/api-view.ts";
import { StatusError } from "../apimachinery/errors/errors.ts";
import { featureGates } from "../catalog/feature-gates.ts";
import { formatsOf } from "../codec/media-types/formats.ts";
import { plainRequest } from "../request/plain-request.ts";
import type { RequestContext } from "../request/request-context.ts";
import { parseRequestInfo } from "../request/request-info.ts";
import type { EndpointResponse } from "./contract/endpoint-response.ts";
import type { EndpointEnvironment } from "./contract/environment.ts";
import { dispatch } from "./dispatch.ts";

const pods = "/api/v1/namespaces/a/pods";

/** What a server says whose registry has no verbs: how it answers or refuses a request, and the rules that it loads. */
async function dispatched(
  method: string,
  path: string,
  {
    aggregated,
    isStored = true,
    headers = {},
    scope,
  }: {
    readonly aggregated?: EndpointResponse;
    readonly isStored?: boolean;
    readonly headers?: Readonly<Record<string, string>>;
    /** What the endpoint of each resource is like. */
    readonly scope?: object;
  } = {},
): Promise<{ readonly code: number; readonly message: string; readonly loads: readonly string[] }> {
  const loads: string[] = [];
  const kinds = {
    definitionOf: () => ({ isStored }),
    isLoaded: () => loads.length > 0,
    load: async ({ resource }: { readonly resource: string }) => void loads.push(resource),
  };
  const formats = formatsOf(featureGates("1.32"));
  // Nothing else is read before a handler.
  const environment = {
    served: { current: viewOf({ release: "1.32" }) },
    aggregation: { aggregator: { answer: () => aggregated && Promise.resolve(aggregated) } },
    kinds,
    scopes: { of: () => scope },
    formats,
  } as unknown as EndpointEnvironment;
  const query = new URLSearchParams();
  const context = {
    request: plainRequest({ method, target: path, headers: new Map(Object.entries(headers)) }),
    info: parseRequestInfo(method, path, query),
    path,
    query,
  } as unknown as RequestContext;
  try {
    return { code: (await dispatch(context, environment)).status, message: "", loads };
  } catch (error) {
    if (error instanceof StatusError) return { code: error.code, message: error.message, loads };
    throw error;
  }
}

test.each([
  ["GET", pods],
  ["POST", pods],
  ["DELETE", `${pods}/b`],
  ["GET", `${pods}/b/exec`],
])("%s %s is not found without verbs in the registry", async (method, path) => {
  expect((await dispatched(method, path)).code).toBe(404);
});

test("other servers answer first", async () => {
  const aggregated = { status: 299, headers: [], body: undefined };
  expect((await dispatched("GET", pods, { aggregated })).code).toBe(299);
});

test("a path of an unknown group is no page", async () => {
  expect((await dispatched("GET", "/apis/example.com/v1/gadgets")).code).toBe(404);
});

describe("the rules of a kind", () => {
  const version = (group: string, version: string) => ({
    rest: { definition: { gvk: { group, version, kind: "Pod" } } },
    schema: { type: { from: "struct" } },
  });
  const stored = version("", "v1");
  // The router refuses the request before a handler runs.
  const headers = { accept: "text/html" };

  test.each<[method: string, path: string, scope: object, isStored: boolean, loads: readonly string[]]>([
    ["GET", `${pods}/b`, stored, true, []],
    ["GET", pods, stored, true, []],
    ["GET", `/api/v1/watch/namespaces/a/pods`, stored, true, []],
    ["POST", pods, stored, true, ["pods"]],
    ["PUT", `${pods}/b`, stored, true, ["pods"]],
    ["DELETE", `${pods}/b`, stored, true, ["pods"]],
    ["DELETE", pods, stored, true, ["pods"]],
    ["GET", `${pods}/b/status`, stored, true, ["pods"]],
    ["GET", pods, stored, false, ["pods"]],
    ["GET", pods, version("apps", "v1"), true, ["pods"]],
    ["GET", pods, version("", "v2"), true, ["pods"]],
  ])(
    "are loaded for what is more than a read of the version in storage: %s %s",
    async (method, path, scope, isStored, loads) => {
      const answer = await dispatched(method, path, { scope, isStored, headers });
      expect([answer.code, answer.loads]).toEqual([406, loads]);
    },
  );
});

describe("the formats of a refusal by the router", () => {
  const scope = {
    rest: { definition: { gvk: { group: "", version: "v1", kind: "Pod" } } },
    schema: { type: { from: "struct" } },
  };
  const objects = "application/json, application/yaml, application/vnd.kubernetes.protobuf";
  const streams = ", application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch";

  test.each([
    [pods, objects + streams],
    ["/api/v1/watch/namespaces/a/pods", objects + streams],
    [`${pods}/b`, objects],
  ])("of GET %s", async (path, formats) => {
    const { code, message } = await dispatched("GET", path, { scope, headers: { accept: "text/html" } });
    expect([code, message.split(": ").at(-1)?.trim()]).toEqual([406, formats]);
  });
});
