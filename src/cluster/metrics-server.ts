import { notFound, StatusError } from "../apimachinery/errors/errors.ts";
import { listAt, textAt } from "../apimachinery/fields.ts";
import type { JsonObject } from "../apimachinery/json.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import { checkOptions, type OptionType } from "../apimachinery/option-checks.ts";
import { text } from "../apimachinery/option-types.ts";
import { parseQuantity } from "../apimachinery/quantity.ts";
import { formatTime } from "../apimachinery/time.ts";
import { scriptsFor } from "../streams/find-scripts.ts";
import type { ApiServerFunction } from "../webhooks/api-server-function.ts";
import type { ClusterCore } from "./cluster-core.ts";

const group = "metrics.k8s.io";
const apiVersion = `${group}/v1beta1`;
const root = `/apis/${apiVersion}`;
/** The APIService of metrics-server. */
const serviceName = `v1beta1.${group}`;
/** Over how long metrics-server measures. */
const window = "15s";

const kinds = { pods: "PodMetrics", nodes: "NodeMetrics" } as const;

/** The parts of a cluster that metrics are made of. */
type Measured = Pick<ClusterCore, "admin" | "apiServer" | "clock" | "targets">;

const quantity: OptionType = {
  accepts: 'a quantity such as "250m" or "64Mi"',
  isRequired: true,
  isValid: (value) => typeof value === "string" && isQuantity(value),
};

/** @throws {TypeError} for an unknown option, or what is no quantity */
export function checkUsage(used: object, options: object): void {
  checkOptions("usage", used, { cpu: quantity, memory: quantity });
  checkOptions("usage", options, { container: text });
}

function isQuantity(value: string): boolean {
  try {
    parseQuantity(value);
    return true;
  } catch {
    return false;
  }
}

/** Serves `metrics.k8s.io`, unless something serves it already, such as an earlier call. */
export async function serveMetrics(cluster: Measured): Promise<void> {
  if (cluster.targets.apiServers.get(serviceName) !== undefined) return;
  await cluster.apiServer(serviceName, metricsServer(cluster));
}

/** What metrics-server answers, from what scripts say about pods and nodes. */
function metricsServer(cluster: Measured): ApiServerFunction {
  return async (request) => {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === root) return Response.json(discovery);
    try {
      const found = await answer(
        cluster,
        pathname.slice(root.length + 1).split("/"),
        searchParams.get("labelSelector"),
      );
      return found === undefined || !pathname.startsWith(root)
        ? new Response("404 page not found\n", { status: 404 })
        : Response.json(found);
    } catch (error) {
      if (error instanceof StatusError) return Response.json(error.status, { status: error.code });
      throw error;
    }
  };
}

/** Answers `pods`, `nodes`, `nodes/NAME`, `namespaces/NAME/pods` and `namespaces/NAME/pods/NAME`. */
async function answer(
  cluster: Measured,
  parts: readonly string[],
  labelSelector: string | null,
): Promise<JsonObject | undefined> {
  const [namespace, [resource = "", name, ...rest]] =
    parts[0] === "namespaces" ? [parts[1], parts.slice(2)] : [undefined, parts];
  if ((resource !== "pods" && resource !== "nodes") || rest.length > 0) return undefined;
  const kind = resource === "pods" ? "Pod" : "Node";
  if (name !== undefined) {
    const shown = namespace === undefined ? name : `${namespace}/${name}`;
    const missing = notFound({ group, resource: kinds[resource].toLowerCase() }, shown);
    const where = namespace === undefined ? {} : { namespace };
    const object = await cluster
      .admin()
      .get("v1", kind, name, where)
      .catch(() => undefined);
    const metrics = object && metricsOf(cluster, object);
    if (metrics === undefined) throw missing;
    return metrics;
  }
  const selection = {
    ...(namespace !== undefined && { namespace }),
    ...(labelSelector !== null && { labelSelector }),
  };
  const { items } = await cluster.admin().list("v1", kind, selection);
  const measured = items.map((object) => metricsOf(cluster, { ...object, apiVersion: "v1", kind }));
  return {
    kind: `${kinds[resource]}List`,
    apiVersion,
    metadata: {},
    items: measured.filter((metrics) => metrics !== undefined),
  };
}

/** The metrics of a pod or a node; undefined if nothing says what it uses. */
function metricsOf({ targets, clock }: Measured, object: KubeObject): JsonObject | undefined {
  const scripts = scriptsFor(targets.pods, object, "usage");
  if (scripts.length === 0) return undefined;
  const { name = "", namespace, labels } = object.metadata;
  const timestamp = formatTime(clock.now());
  const metadata = {
    name,
    ...(namespace && { namespace }),
    creationTimestamp: timestamp,
    ...(labels && { labels }),
  };
  const usageOf = (container: string | undefined) =>
    scripts.findLast((script) => script.container === undefined || script.container === container)?.usage;
  const common = { metadata, timestamp, window };
  if (object.kind === "Node")
    return { kind: "NodeMetrics", apiVersion, ...common, usage: usageOf(undefined) ?? {} };
  const containers = listAt(object, "spec", "containers").flatMap((container) => {
    const usage = usageOf(textAt(container, "name"));
    return usage === undefined ? [] : [{ name: textAt(container, "name"), usage }];
  });
  return { kind: "PodMetrics", apiVersion, ...common, containers };
}

const discovery = {
  kind: "APIResourceList",
  apiVersion: "v1",
  groupVersion: apiVersion,
  resources: [
    { name: "nodes", singularName: "", namespaced: false, kind: "NodeMetrics", verbs: ["get", "list"] },
    { name: "pods", singularName: "", namespaced: true, kind: "PodMetrics", verbs: ["get", "list"] },
  ],
};
