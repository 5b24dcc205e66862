import type { ApiRequest } from "../../request/handler.ts";
import type { RequestContext } from "../../request/request-context.ts";
import { type EndpointResponse, pageNotFound } from "../contract/endpoint-response.ts";
import type { EndpointEnvironment } from "../contract/environment.ts";
import { handleDiscovery } from "./discovery.ts";
import { handleHealth } from "./health.ts";
import { handleVersion } from "./version.ts";

/** The paths of the index (apiserver, pkg/server/routes/index.go). */
const indexPaths: ReadonlySet<string> = new Set(["", "/", "/index.html"]);

/** Answers the paths that name no resource. */
export async function handleNonResource(
  context: RequestContext,
  environment: EndpointEnvironment,
): Promise<EndpointResponse> {
  if (indexPaths.has(context.path)) return (await import("./index-page.ts")).serveIndex(environment);
  if (context.path === "/debug/pprof" && environment.debugging.profiling)
    return found(context.request, "/debug/pprof/");
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
  const { profiling, logsHandler } = environment.debugging;
  if (profiling && path.startsWith("/debug/pprof/")) return (await import("./pprof.ts")).servePprof(context);
  if (profiling && (path === "/debug/flags" || path.startsWith("/debug/flags/")))
    return (await import("./debug-flags.ts")).serveDebugFlags(context);
  if (path === "/statusz" || path === "/flagz")
    return (await import("./zpages.ts")).serveZpage(context, environment);
  if (logsHandler && (path === "/logs" || path.startsWith("/logs/")))
    return (await import("./logs.ts")).serveLogs(context);
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

/** A redirection as Go's `http.Redirect` writes it: only the responses to GET and HEAD have a content type. */
function found({ method }: ApiRequest, location: string): EndpointResponse {
  const headers: (readonly [string, string])[] = [["Location", location]];
  if (method !== "GET" && method !== "HEAD") return { status: 302, headers, body: undefined };
  headers.push(["Content-Type", "text/html; charset=utf-8"]);
  return { status: 302, headers, body: new TextEncoder().encode(`<a href="${location}">Found</a>.\n\n`) };
}
