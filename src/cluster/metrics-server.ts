import { notFound } from "../apimachinery/errors/errors.ts";
import { listAt, textAt } from "../apimachinery/fields.ts";
import type { JsonObject } from "../apimachinery/json.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import { checkOptions } from "../apimachinery/option-checks.ts";
import type { LabelSelector } from "../apimachinery/selectors/label-selector.ts";
import { formatTime } from "../apimachinery/time.ts";
import { scriptsFor } from "../streams/find-scripts.ts";
import type { OwnApiServer, ServingCluster, TargetHandle } from "../webhooks/outgoing-targets.ts";
import type { PodScript, ResourceUsage, ScriptedPods } from "../webhooks/pod-script.ts";
import type { ClusterCore } from "./cluster-core.ts";
import { amount, filledText } from "./metric-option-types.ts";
import { answered, type MetricsCluster, serveOwn } from "./metrics-answers.ts";

const group = "metrics.k8s.io";
const apiVersion = `${group}/v1beta1`;
/** The APIService of metrics-server. */
const serviceName = `v1beta1.${group}`;
/** Over how long metrics-server measures. */
const window = "15s";

const kinds = { pods: "PodMetrics", nodes: "NodeMetrics" } as const;

/** The pods or the node that use something. */
interface Using {
  readonly pods: ScriptedPods;
  readonly cluster: MetricsCluster & Pick<ClusterCore, "clock">;
}

/**
 * Notes what pods or a node use from now on, and serves `metrics.k8s.io`, unless something serves it already, such as an earlier call.
 * @throws {TypeError} for an unknown option, or what is no quantity of at least 0
 */
export async function addScriptedUsage(
  { pods, cluster }: Using,
  used: ResourceUsage,
  options: { readonly container?: string },
): Promise<TargetHandle> {
  checkOptions("usage", used, { cpu: amount, memory: amount });
  checkOptions("usage", options, { container: filledText });
  const { container } = options;
  const script: PodScript = { type: "usage", container, usage: { ...used }, time: cluster.clock.now() };
  const handle = cluster.targets.pods.add("", { pods, script });
  await serveOwn(serviceName, metricsServer, cluster);
  await cluster.settle();
  return handle;
}

/** What metrics-server answers, from what scripts say about pods and nodes. */
const metricsServer: OwnApiServer = (request, cluster) =>
  answered(request, apiVersion, discovery, ({ parts, labelSelector }) =>
    answer(cluster, parts, labelSelector),
  );

/** Answers `pods`, `nodes`, `nodes/NAME`, `namespaces/NAME/pods` and `namespaces/NAME/pods/NAME`. */
function answer(
  cluster: ServingCluster,
  parts: readonly string[],
  { matches }: LabelSelector,
): JsonObject | undefined {
  const [namespace, [resource = "", name, ...rest]] =
    parts[0] === "namespaces" ? [parts[1], parts.slice(2)] : [undefined, parts];
  if ((resource !== "pods" && resource !== "nodes") || rest.length > 0) return undefined;
  const stored = { group: "", resource };
  if (name !== undefined) {
    const shown = namespace === undefined ? name : `${namespace}/${name}`;
    const object = cluster.lister.get(stored, namespace ?? "", name);
    const metrics = object && metricsOf(cluster, object);
    if (metrics === undefined) throw notFound({ group, resource: kinds[resource].toLowerCase() }, shown);
    return metrics;
  }
  const objects = cluster.lister.list(stored, namespace ?? "");
  const measured = objects
    .filter(({ metadata }) => matches(metadata.labels ?? {}))
    .map((object) => metricsOf(cluster, object));
  return {
    kind: `${kinds[resource]}List`,
    apiVersion,
    metadata: {},
    items: measured.filter((metrics) => metrics !== undefined),
  };
}

/** The metrics of a pod or a node; undefined if nothing says what it uses. */
function metricsOf({ targets, clock }: ServingCluster, object: KubeObject): JsonObject | undefined {
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

const discovery = [
  { name: "nodes", singularName: "", namespaced: false, kind: "NodeMetrics", verbs: ["get", "list"] },
  { name: "pods", singularName: "", namespaced: true, kind: "PodMetrics", verbs: ["get", "list"] },
];
