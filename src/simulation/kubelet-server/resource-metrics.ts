import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { Since } from "../../apimachinery/release.ts";
import type { StampedFamily, StampedSample } from "./metric-families.ts";
import { type MeasuredNode, measured, type StatsSource } from "./stats-summary.ts";
import type { UsedResources } from "./used-resources.ts";

/** What uses resources, as the names and descriptions of metrics call it. */
type Holder = "container" | "node" | "pod";

/** Something that uses resources, as labels name it. */
interface User {
  readonly labels: StampedSample["labels"];
  readonly used: UsedResources;
}

/** The metrics of `/metrics/resource` in a release. Upstream: pkg/kubelet/metrics/collectors/resource_metrics.go. */
export function resourceFamilies(node: KubeObject, source: StatsSource): readonly StampedFamily[] {
  const { since, now } = source;
  const all = measured(node, source);
  const holders = holdersIn(all, since);
  const families = [...holders].flatMap(([holder, users]): readonly StampedFamily[] => {
    const samples = (reading: (used: UsedResources) => number) =>
      users.map(({ labels, used }) => ({ labels, value: reading(used), time: now }));
    const cpu = samples(({ coreNanoSeconds }) => coreNanoSeconds / 1e9);
    const memory = samples(({ memoryBytes }) => memoryBytes);
    // Those of pods and containers did not come from the container runtime at first (kubernetes/kubernetes#131915).
    const swap = since(holder === "node" ? "1.28" : "1.34") ? samples(() => 0) : [];
    return usageFamilies(holder, { cpu, memory, swap }, since);
  });
  return [...families, startFamily(all, source), ...scrapeFamilies(since)];
}

function holdersIn({ pods, used }: MeasuredNode, since: Since): ReadonlyMap<Holder, readonly User[]> {
  const holders = new Map<Holder, readonly User[]>([
    ["node", [{ labels: {}, used }]],
    [
      "container",
      pods.flatMap(({ pod, containers }) =>
        containers.map((container) => ({
          labels: { container: container.name, ...labelsOf(pod) },
          used: container.used,
        })),
      ),
    ],
  ]);
  if (since("1.20"))
    holders.set(
      "pod",
      pods.map((one) => ({ labels: labelsOf(one.pod), used: one.used })),
    );
  return holders;
}

function labelsOf({ metadata: { name = "", namespace = "" } }: KubeObject): StampedSample["labels"] {
  return { pod: name, namespace };
}

function usageFamilies(
  holder: Holder,
  { cpu, memory, swap }: { readonly [resource in "cpu" | "memory" | "swap"]: readonly StampedSample[] },
  since: Since,
): readonly StampedFamily[] {
  const stability = since("1.29") ? "STABLE" : "ALPHA";
  const swapUsage = holder === "container" ? "amount of the container swap usage" : `${holder} swap usage`;
  const currentSwap = holder === "container" ? swapUsage : `swap usage of the ${holder}`;
  return [
    {
      name: `${holder}_cpu_usage_seconds_total`,
      type: "counter",
      stability,
      help: `Cumulative cpu time consumed by the ${holder} in core-seconds`,
      samples: cpu,
    },
    {
      name: `${holder}_memory_working_set_bytes`,
      type: "gauge",
      stability,
      help: `Current working set of the ${holder} in bytes`,
      samples: memory,
    },
    {
      name: `${holder}_swap_usage_bytes`,
      type: "gauge",
      stability: "ALPHA",
      help: `Current ${currentSwap} in bytes. Reported only on non-windows systems`,
      samples: swap,
    },
  ];
}

function startFamily({ pods }: MeasuredNode, { since }: StatsSource): StampedFamily {
  const samples = pods.flatMap(({ pod, containers }) =>
    containers.map(({ name, startedAt }) => ({
      labels: { container: name, ...labelsOf(pod) },
      value: startedAt / 1000,
      // Before, a kubelet stamps it with the start itself.
      time: since("1.29") ? undefined : startedAt,
    })),
  );
  return {
    name: "container_start_time_seconds",
    type: "gauge",
    stability: since("1.29") ? "STABLE" : "ALPHA",
    help: "Start time of the container since unix epoch in seconds",
    samples: since("1.22") ? samples : [],
  };
}

/** The metric that says that nothing has failed. It has another name since 1.29, and the old one is hidden in the release after that. */
function scrapeFamilies(since: Since): readonly StampedFamily[] {
  const about = {
    type: "gauge",
    help: "1 if there was an error while getting container metrics, 0 otherwise",
    samples: [{ labels: {}, value: 0 }],
  } as const;
  const present: StampedFamily = { name: "resource_scrape_error", stability: "STABLE", ...about };
  const past: StampedFamily = { name: "scrape_error", stability: "ALPHA", ...about };
  if (!since("1.29")) return [past];
  return since("1.30") ? [present] : [present, { ...past, deprecated: "1.29.0" }];
}
