import { expect, test } from "vitest";
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

/** The status of a request to a server whose registry has no verbs, or of its refusal. */
async function dispatched(method: string, path: string, aggregated?: EndpointResponse): Promise<number> {
  const loads: string[] = [];
  const kinds: Pick<EndpointEnvironment["kinds"], "definitionOf" | "isLoaded" | "load"> = {
    definitionOf: () => undefined,
    isLoaded: () => loads.length > 0,
    load: async ({ resource }) => void loads.push(resource),
  };
  const formats = formatsOf(featureGates("1.32"));
  // Nothing else is read before a handler.
  const environment = {
    served: { current: viewOf({ release: "1.32" }) },
    aggregation: { aggregator: { answer: () => aggregated && Promise.resolve(aggregated) } },
    kinds,
    scopes: { of: () => undefined },
    formats,
  } as unknown as EndpointEnvironment;
  const query = new URLSearchParams();
  const context = {
    request: plainRequest({ method, target: path }),
    info: parseRequestInfo(method, path, query),
    path,
    query,
  } as unknown as RequestContext;
  try {
    return (await dispatch(context, environment)).status;
  } catch (error) {
    if (error instanceof StatusError) return error.code;
    throw error;
  }
}

test.each([
  ["GET", pods],
  ["POST", pods],
  ["DELETE", `${pods}/b`],
  ["GET", `${pods}/b/exec`],
])("%s %s is not found without verbs in the registry", async (method, path) => {
  expect(await dispatched(method, path)).toBe(404);
});

test("other servers answer first", async () => {
  expect(await dispatched("GET", pods, { status: 299, headers: [], body: undefined })).toBe(299);
});

test("a path of an unknown group is no page", async () => {
  expect(await dispatched("GET", "/apis/example.com/v1/gadgets")).toBe(404);
});
