import { StatusError } from "../apimachinery/errors/errors.ts";
import type { JsonObject } from "../apimachinery/json.ts";
import { type LabelSelector, parseLabelSelector } from "../apimachinery/selectors/label-selector.ts";
import type { OwnApiServer } from "../webhooks/outgoing-targets.ts";
import type { Labels } from "../webhooks/scripted-metric.ts";
import type { ClusterCore } from "./cluster-core.ts";
import { addApiServer } from "./register-api-service.ts";

/** A cluster that serves metrics. */
export type MetricsCluster = Pick<ClusterCore, "admin" | "settle" | "targets">;

/** A request for metrics. */
export interface MetricsRequest {
  /** The decoded parts of the path behind the version. */
  readonly parts: readonly string[];
  readonly labelSelector: LabelSelector;
  /** Selects series of metrics. */
  readonly metricLabelSelector: LabelSelector;
}

/** Lets a server of metrics answer for an APIService, unless something else does already, such as a function of the test. */
export async function serveOwn(name: string, server: OwnApiServer, cluster: MetricsCluster): Promise<void> {
  const { targets } = cluster;
  if (targets.apiServers.get(name) !== undefined) return;
  await addApiServer(name, server, cluster.admin(), targets);
}

/** Answers a request of a version: the list of its resources, an object, a Status, or 404 for undefined. */
export function answered(
  request: Request,
  apiVersion: string,
  resources: readonly JsonObject[],
  answer: (request: MetricsRequest) => JsonObject | undefined,
): Response {
  const { pathname, searchParams } = new URL(request.url);
  const root = `/apis/${apiVersion}`;
  if (pathname === root) {
    return Response.json({ kind: "APIResourceList", apiVersion: "v1", groupVersion: apiVersion, resources });
  }
  try {
    const parts = pathname.startsWith(`${root}/`)
      ? pathname
          .slice(root.length + 1)
          .split("/")
          .map(decodeURIComponent)
      : [];
    const found = answer({
      parts,
      labelSelector: selectorIn(searchParams, "labelSelector"),
      metricLabelSelector: selectorIn(searchParams, "metricLabelSelector"),
    });
    return found === undefined ? new Response("404 page not found\n", { status: 404 }) : Response.json(found);
  } catch (error) {
    if (error instanceof StatusError) return Response.json(error.status, { status: error.code });
    throw error;
  }
}

/** Of scripts for series with the same labels, the last one. */
export function latestSeries<T extends { readonly metricLabels: Labels }>(
  scripts: readonly T[],
): readonly T[] {
  const latest = new Map<string, T>();
  for (const script of scripts)
    latest.set(JSON.stringify(Object.entries(script.metricLabels).sort()), script);
  return [...latest.values()];
}

/** Upstream: custom-metrics-apiserver, pkg/provider/errors.go. */
export function metricNotFound(message: string): StatusError {
  return new StatusError({
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message,
    reason: "NotFound",
    code: 404,
  });
}

/** Servers of metrics have releases of their own, so that their errors have the newest wording. */
function selectorIn(parameters: URLSearchParams, name: string): LabelSelector {
  return parseLabelSelector(parameters.get(name) ?? "", () => true);
}
