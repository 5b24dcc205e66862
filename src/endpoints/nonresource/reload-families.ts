import type { ConfigurationReloads } from "../../authentication/contract/configuration-reloads.ts";
import type { FeatureGates } from "../../catalog/feature-gates.ts";
import type { MetricFamily, Samples } from "../contract/metric-family.ts";

/**
 * The metrics of a configuration that is read again when it changes.
 * Upstream: apiserver, pkg/server/options, authenticationconfig/metrics/metrics.go and authorizationconfig/metrics/metrics.go.
 */
export function reloadFamilies(
  subject: "authentication" | "authorization",
  reloads: ConfigurationReloads | undefined,
  gates: FeatureGates,
): readonly MetricFamily[] {
  if (reloads === undefined || !gates.since("1.30")) return [];
  const { serverHash, configurationHash } = reloads;
  const server = `apiserver_id_hash="${serverHash}"`;
  const prefix = `apiserver_${subject}_config_controller`;
  const samples = (member: "count" | "last"): Samples =>
    new Map(
      (["failure", "success"] as const)
        .filter((status) => reloads[status].count > 0)
        .map((status) => [`${server},status="${status}"`, reloads[status][member]]),
    );
  const families: readonly MetricFamily[] = [
    {
      name: `${prefix}_automatic_reload_last_timestamp_seconds`,
      type: "gauge",
      help: `Timestamp of the last automatic reload of ${subject} configuration split by status and apiserver identity.`,
      samples: samples("last"),
    },
    {
      name: `${prefix}_automatic_reloads_total`,
      type: "counter",
      help: `Total number of automatic reloads of ${subject} configuration split by status and apiserver identity.`,
      samples: samples("count"),
    },
  ];
  if (!gates.since("1.34")) return families;
  const info: MetricFamily = {
    name: `${prefix}_last_config_info`,
    type: "gauge",
    help: `Information about the last applied ${subject} configuration with hash as label, split by apiserver identity.`,
    samples: new Map([[`${server},hash="${configurationHash}"`, 1]]),
  };
  return [...families, info];
}
