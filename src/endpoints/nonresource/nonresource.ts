import { encodePrettyJson } from "../../codec/json/json.ts";
import type { ApiRequest } from "../../request/handler.ts";
import type { RequestContext } from "../../request/request-context.ts";
import { discoveryOf } from "../../served/discovery/discovery.ts";
import { rootPaths } from "../../served/discovery/discovery-documents.ts";
import { type EndpointResponse, pageNotFound } from "../contract/endpoint-response.ts";
import type { EndpointEnvironment } from "../contract/environment.ts";
import { handleDiscovery } from "./discovery.ts";
import { handleHealth } from "./health.ts";
import { healthCheckPaths } from "./health-checks.ts";
import { handleVersion } from "./version.ts";

/** The paths of the index (apiserver, pkg/server/routes/index.go). */
const indexPaths: ReadonlySet<string> = new Set(["", "/", "/index.html"]);

/** Answers the paths that name no resource. */
export async function handleNonResource(
  context: RequestContext,
  environment: EndpointEnvironment,
): Promise<EndpointResponse> {
  if (indexPaths.has(context.path)) return listPaths(environment);
  if (context.path === "/debug/pprof") return found(context.request, "/debug/pprof/");
  return (
    handleHealth(context, environment) ??
    handleVersion(context, environment) ??
    (await handleDiscovery(context, environment)) ??
    (await handleOpenApi(context, environment)) ??
    (await handleMetrics(context, environment)) ??
    (await handleDebug(context, environment)) ??
    (await handleIssuerDiscovery(context, environment)) ??
    pageNotFound()
  );
}

/** The code that makes OpenAPI documents is loaded with the first request for one. */
async function handleOpenApi(
  context: RequestContext,
  environment: EndpointEnvironment,
): Promise<EndpointResponse | undefined> {
  if (!context.path.startsWith("/openapi/")) return undefined;
  const { serveOpenApi } = await import("./openapi.ts");
  return serveOpenApi(context, environment);
}

/** The code that writes metrics is loaded with the first request for them. */
async function handleMetrics(
  context: RequestContext,
  environment: EndpointEnvironment,
): Promise<EndpointResponse | undefined> {
  if (!context.path.startsWith("/metrics")) return undefined;
  const { serveMetrics } = await import("./metrics.ts");
  return serveMetrics(context, environment);
}

/** The code that answers paths for debugging is loaded with the first request for one. */
async function handleDebug(
  context: RequestContext,
  environment: EndpointEnvironment,
): Promise<EndpointResponse | undefined> {
  const { path } = context;
  if (path.startsWith("/debug/pprof/")) return (await import("./pprof.ts")).servePprof(context);
  if (path === "/debug/flags" || path.startsWith("/debug/flags/"))
    return (await import("./debug-flags.ts")).serveDebugFlags(context);
  if (!path.startsWith("/debug/api_priority_and_fairness/")) return undefined;
  return (await import("./flow-control-dump.ts")).serveFlowControlDump(context, environment);
}

/** The code that describes the issuer of tokens is loaded with the first request for it. */
async function handleIssuerDiscovery(
  context: RequestContext,
  environment: EndpointEnvironment,
): Promise<EndpointResponse | undefined> {
  if (!context.path.startsWith("/openid/") && !context.path.startsWith("/.well-known/")) return undefined;
  const { serveIssuerDiscovery } = await import("./issuer-discovery.ts");
  return serveIssuerDiscovery(context, environment);
}

/** The paths that belong to no group and version, and the gates of those that not every server has. */
const otherPaths: readonly (readonly [path: string, gate?: string])[] = [
  ["/.well-known/openid-configuration", "ServiceAccountIssuerDiscovery"],
  ...healthCheckPaths.map((path) => [path] as const),
  ["/metrics"],
  ["/metrics/slis", "ComponentSLIs"],
  ["/openapi/v2"],
  ["/openapi/v3", "OpenAPIV3"],
  ["/openapi/v3/", "OpenAPIV3"],
  ["/openid/v1/jwks", "ServiceAccountIssuerDiscovery"],
  ["/version"],
];

/** A redirection as Go's `http.Redirect` writes it: only the responses to GET and HEAD have a content type. */
function found({ method }: ApiRequest, location: string): EndpointResponse {
  const headers: (readonly [string, string])[] = [["Location", location]];
  if (method !== "GET" && method !== "HEAD") return { status: 302, headers, body: undefined };
  headers.push(["Content-Type", "text/html; charset=utf-8"]);
  return { status: 302, headers, body: new TextEncoder().encode(`<a href="${location}">Found</a>.\n\n`) };
}

/** The document at `/`, which is always indented. */
function listPaths({ served, gates }: EndpointEnvironment): EndpointResponse {
  const others = otherPaths.filter(([, gate]) => gate === undefined || gates.isEnabled(gate));
  const paths = others.map(([path]) => path);
  const text = encodePrettyJson(rootPaths(discoveryOf(served.current).groups, paths));
  const body = new TextEncoder().encode(text);
  return { status: 200, headers: [["Content-Type", "application/json"]], body };
}
