import type { ApiRequest } from "../request/handler.ts";
import type { QueryParameters } from "../request/query-parameters.ts";
import { isTrue } from "../request/query-values.ts";
import type { ResourceRequestInfo } from "../request/request-info.ts";
import type { RoutedRequest } from "../request/routed-request.ts";
import type { Route } from "./routes.ts";

const connections: ReadonlySet<string> = new Set(["log", "exec", "portforward", "attach", "proxy"]);

/**
 * The metric labels of a routed request. Upstream: staging/src/k8s.io/apiserver/pkg/endpoints/metrics/metrics.go,
 * MonitorRequest.
 */
export function observedRoute(
  { resource, subresource }: Route,
  info: ResourceRequestInfo,
  request: ApiRequest,
  query: QueryParameters,
  removedRelease: string | undefined,
): RoutedRequest {
  const scope = scopeOf(resource.namespaced, info, request);
  return {
    endpoint: subresource ?? resource,
    verb: verbOf(scope, info, request, query),
    dryRun: dryRunOf(query),
    group: resource.group,
    version: resource.version,
    resource: resource.resource,
    subresource: info.subresource,
    scope,
    removedRelease,
  };
}

function scopeOf(
  isNamespaced: boolean,
  info: ResourceRequestInfo,
  { method }: ApiRequest,
): RoutedRequest["scope"] {
  const [, name = ""] = info.parts;
  if (name !== "" || method === "POST") return "resource";
  return isNamespaced && info.namespace !== "" ? "namespace" : "cluster";
}

function verbOf(
  scope: RoutedRequest["scope"],
  { verb, subresource }: ResourceRequestInfo,
  { method, headers }: ApiRequest,
  query: QueryParameters,
): string {
  if (connections.has(subresource)) return "CONNECT";
  if (method === "PATCH" && headers.get("content-type") === "application/apply-patch+yaml") return "APPLY";
  if (method !== "GET") return method;
  // Upstream reads the parameter of every request, even where it has no meaning.
  if (verb === "watch" || isTrue(query.get("watch"))) return "WATCH";
  return scope === "resource" ? "GET" : "LIST";
}

function dryRunOf(query: QueryParameters): string {
  const values = query.getAll("dryRun");
  if (values.length === 0) return "";
  return values.every((value) => value === "All") ? "All" : "invalid";
}
