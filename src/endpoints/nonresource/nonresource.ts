import { encodePrettyJson } from "../../codec/json/json.ts";
import type { RequestContext } from "../../request/request-context.ts";
import { rootPaths } from "../../served/discovery/discovery-documents.ts";
import { builtinGroups } from "../../served/discovery/discovery-group.ts";
import { type EndpointResponse, pageNotFound } from "../contract/endpoint-response.ts";
import type { EndpointEnvironment } from "../contract/environment.ts";
import { handleDiscovery } from "./discovery.ts";
import { handleHealth } from "./health.ts";
import { healthCheckPaths } from "./health-checks.ts";
import { handleVersion } from "./version.ts";

/** Answers every path that is no resource. */
export async function handleNonResource(
  context: RequestContext,
  environment: EndpointEnvironment,
): Promise<EndpointResponse> {
  if (context.path === "/" || context.path === "") return listPaths(environment);
  return (
    handleHealth(context, environment) ??
    handleVersion(context, environment) ??
    (await handleDiscovery(context, environment)) ??
    (await handleOpenApi(context, environment)) ??
    (await handleMetrics(context, environment)) ??
    pageNotFound()
  );
}

/** The makers of OpenAPI documents are loaded when somebody asks for one. */
async function handleOpenApi(
  context: RequestContext,
  environment: EndpointEnvironment,
): Promise<EndpointResponse | undefined> {
  if (!context.path.startsWith("/openapi/")) return undefined;
  const { serveOpenApi } = await import("./openapi.ts");
  return serveOpenApi(context, environment);
}

/** So is what writes metrics. */
async function handleMetrics(
  context: RequestContext,
  environment: EndpointEnvironment,
): Promise<EndpointResponse | undefined> {
  if (!context.path.startsWith("/metrics")) return undefined;
  const { serveMetrics } = await import("./metrics.ts");
  return serveMetrics(context, environment);
}

/** The paths of a 1.32 server that are no group and version. */
const otherPaths: readonly string[] = [
  "/.well-known/openid-configuration",
  ...healthCheckPaths,
  "/metrics",
  "/metrics/slis",
  "/openapi/v2",
  "/openapi/v3",
  "/openapi/v3/",
  "/openid/v1/jwks",
  "/version",
];

/** `/`, always indented. */
function listPaths({ catalog }: EndpointEnvironment): EndpointResponse {
  const text = encodePrettyJson(rootPaths(builtinGroups(catalog), otherPaths));
  const body = new TextEncoder().encode(text);
  return { status: 200, headers: [["Content-Type", "application/json"]], body };
}
