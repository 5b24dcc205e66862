import type { TargetHandle } from "../webhooks/outgoing-targets.ts";
import type { DescribedObjects, ExternalSeries } from "../webhooks/scripted-metric.ts";
import type { ClusterCore } from "./cluster-core.ts";

/**
 * Metrics for autoscalers that are no resources, as prometheus-adapter would serve them. Of values for the same series, the last one counts,
 * until `remove()` of its handle.
 */
export class ScriptedMetrics {
  readonly #cluster: ClusterCore;

  /** Use `cluster.metrics`. */
  constructor(cluster: ClusterCore) {
    this.#cluster = cluster;
  }

  /**
   * A metric that describes objects of the cluster: `await cluster.metrics.custom("requests_per_second", "100", { apiVersion: "v1", kind:
   * "Pod", labels: { app: "web" } })`. The first call registers `custom.metrics.k8s.io` in v1beta1 and v1beta2; a test that has its own
   * `cluster.apiServer` for one keeps it.
   * @throws {TypeError | Error} for unknown options, no quantity, and a kind that the cluster does not serve
   */
  async custom(metric: string, value: string, of: DescribedObjects): Promise<TargetHandle> {
    const { addCustomMetric } = await import("./add-metric.ts");
    return addCustomMetric(this.#cluster, metric, value, of);
  }

  /**
   * A metric of something outside of the cluster: `await cluster.metrics.external("queue_length", "30", { metricLabels: { queue: "jobs" } })`.
   * The first call registers `v1beta1.external.metrics.k8s.io`, unless a test has its own `cluster.apiServer` for it.
   * @throws {TypeError} for unknown options, and no quantity
   */
  async external(metric: string, value: string, series: ExternalSeries = {}): Promise<TargetHandle> {
    const { addExternalMetric } = await import("./add-metric.ts");
    return addExternalMetric(this.#cluster, metric, value, series);
  }
}
