import type { Release } from "../../apimachinery/release.ts";
import { sinceOf } from "../../apimachinery/release.ts";
import type { MetricFamily } from "../contract/metric-family.ts";
import type { MetricsOptions } from "../contract/metrics-options.ts";
import { type RegisteredFamilies, registered } from "./metric-life.ts";

/**
 * The metrics about the metrics of a server, which count themselves as well. Upstream: component-base, metrics/registry.go.
 */
export function withRegistryFamilies(
  families: readonly MetricFamily[],
  release: Release,
  options: MetricsOptions,
): RegisteredFamilies["shown"] {
  const { shown, hidden } = registered([...families, ...about(release, new Map(), 0, 0)], release, options);
  const levels = new Map<string, number>();
  for (const { stability, deprecated } of shown) {
    const version = deprecated === undefined ? "" : `${deprecated}.0`;
    const labels = `deprecated_version="${version}",stability_level="${stability}"`;
    levels.set(labels, (levels.get(labels) ?? 0) + 1);
  }
  const counted = registered(about(release, levels, options.disabled.size, hidden), release, options).shown;
  const names = new Set(counted.map(({ family }) => family.name));
  return [...shown.filter(({ family }) => !names.has(family.name)), ...counted];
}

function about(
  release: Release,
  levels: ReadonlyMap<string, number>,
  disabled: number,
  hidden: number,
): readonly MetricFamily[] {
  const noun = sinceOf(release)("1.28") ? "metrics" : "metric";
  return [
    {
      name: `disabled_${noun}_total`,
      type: "counter",
      help: "The count of disabled metrics.",
      samples: new Map([["", disabled]]),
    },
    {
      name: `hidden_${noun}_total`,
      type: "counter",
      help: "The count of hidden metrics.",
      samples: new Map([["", hidden]]),
    },
    {
      name: `registered_${noun}_total`,
      type: "counter",
      help: "The count of registered metrics broken by stability level and deprecation version.",
      samples: levels,
    },
  ];
}
