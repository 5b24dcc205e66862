import { textAt } from "../../apimachinery/fields.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { parseQuantity } from "../../apimachinery/quantity.ts";
import { timeMilliseconds } from "../../apimachinery/time.ts";
import type { StampedFamily, StampedSample } from "./metric-families.ts";
import { type MeasuredContainer, measured, type StatsSource } from "./stats-summary.ts";

/** What is known of the containers and the machine among the metrics of `/metrics/cadvisor`. Upstream: cadvisor, metrics/prometheus.go. */
export function containerFamilies(node: KubeObject, source: StatsSource): readonly StampedFamily[] {
  const time = source.now;
  const { pods } = measured(node, source);
  const samples = (reading: (container: MeasuredContainer) => number, more: StampedSample["labels"] = {}) =>
    pods.flatMap(({ pod, containers }) =>
      containers.map((container) => ({
        labels: { ...labelsOf(pod, container), ...more },
        value: reading(container),
        time,
      })),
    );
  const machine = (resource: string) => [{ labels: {}, value: capacityOf(node, resource), time }];
  return [
    {
      name: "container_cpu_usage_seconds_total",
      type: "counter",
      help: "Cumulative cpu time consumed in seconds.",
      samples: samples(({ used }) => used.coreNanoSeconds / 1e9, { cpu: "total" }),
    },
    {
      name: "container_memory_usage_bytes",
      type: "gauge",
      help: "Current memory usage in bytes, including all memory regardless of when it was accessed",
      samples: samples(({ used }) => used.memoryBytes),
    },
    {
      name: "container_memory_working_set_bytes",
      type: "gauge",
      help: "Current working set in bytes.",
      samples: samples(({ used }) => used.memoryBytes),
    },
    {
      name: "container_start_time_seconds",
      type: "gauge",
      help: "Start time of the container since unix epoch in seconds.",
      samples: samples(({ startedAt }) => startedAt / 1000),
    },
    {
      name: "machine_cpu_cores",
      type: "gauge",
      help: "Number of logical CPU cores.",
      samples: machine("cpu"),
    },
    {
      name: "machine_memory_bytes",
      type: "gauge",
      help: "Amount of memory installed on the machine.",
      samples: machine("memory"),
    },
  ];
}

/** What a kubelet says about itself: its node and how much it runs, among the metrics of `/metrics`. */
export function kubeletFamilies(node: KubeObject, source: StatsSource): readonly StampedFamily[] {
  const { pods } = measured(node, source);
  const running = pods.reduce((sum, { containers }) => sum + containers.length, 0);
  return [
    {
      name: "kubelet_node_name",
      type: "gauge",
      stability: "ALPHA",
      help: "The node's name. The count is always 1.",
      samples: [{ labels: { node: node.metadata.name ?? "" }, value: 1 }],
    },
    // The names of older releases are others.
    ...(source.since("1.19") ? runningFamilies(pods.length, running) : []),
    ...processFamilies(node),
  ];
}

function runningFamilies(pods: number, containers: number): readonly StampedFamily[] {
  return [
    {
      name: "kubelet_running_pods",
      type: "gauge",
      stability: "ALPHA",
      help: "Number of pods that have a running pod sandbox",
      samples: [{ labels: {}, value: pods }],
    },
    {
      name: "kubelet_running_containers",
      type: "gauge",
      stability: "ALPHA",
      help: "Number of containers currently running",
      samples: [{ labels: { container_state: "running" }, value: containers }],
    },
  ];
}

/** When the kubelet started, which is all that is known among the metrics of `/metrics/probes`. */
export function processFamilies({ metadata }: KubeObject): readonly StampedFamily[] {
  const value = timeMilliseconds(metadata.creationTimestamp ?? "") / 1000;
  const help = "Start time of the process since unix epoch in seconds.";
  const name = "process_start_time_seconds";
  return [{ name, type: "gauge", stability: "ALPHA", help, samples: [{ labels: {}, value }] }];
}

function labelsOf({ metadata }: KubeObject, container: MeasuredContainer): StampedSample["labels"] {
  const { name = "", namespace = "", uid = "" } = metadata;
  return {
    container: container.name,
    id: `/kubepods/pod${uid}/${container.id}`,
    image: container.image,
    name: container.id,
    namespace,
    pod: name,
  };
}

function capacityOf(node: KubeObject, resource: string): number {
  const text = textAt(node, "status", "capacity", resource);
  return text === "" ? 0 : parseQuantity(text).asApproximateFloat();
}
