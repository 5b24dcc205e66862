import { numberAt, objectAt, textAt } from "../../apimachinery/fields.ts";
import { Distribution } from "../../apimachinery/histogram.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { Since } from "../../apimachinery/release.ts";
import type { Store } from "../../store/store.ts";
import type { EndpointEnvironment } from "../contract/environment.ts";
import type { FlowCounts, FlowMetrics } from "../contract/flow-metrics.ts";
import type { InFlightMetrics } from "../contract/in-flight-metrics.ts";
import type { MetricFamily, Samples } from "../contract/metric-family.ts";

/** Helps call it a system until 1.23. */
function subsystemOf(since: Since): string {
  return `API Priority and Fairness ${since("1.24") ? "sub" : ""}system`;
}

function seatsHelp(since: Since): string {
  const seats = "Concurrency (number of seats)";
  const end = `requests in the ${subsystemOf(since)}`;
  const stage = "initial stage for a WATCH, any stage otherwise";
  if (since("1.24")) return `${seats} occupied by the currently executing (${stage}) ${end}`;
  // Upstream misspells it.
  return `${seats} occupided by the currently executing ${since("1.23") ? "(all phases count) " : ""}${end}`;
}

function executingHelp(since: Since): string {
  const end = `in the ${subsystemOf(since)}`;
  if (since("1.24"))
    return `Number of requests in initial (for a WATCH) or any (for a non-WATCH) execution stage ${end}`;
  return `Number of requests ${since("1.23") ? "in regular execution phase" : "currently executing"} ${end}`;
}

function dispatchedHelp(since: Since): string {
  const what = since("1.24") ? "executed" : "released";
  return `Number of requests ${what} by ${subsystemOf(since)}${since("1.24") ? "" : " for service"}`;
}

/**
 * The metrics of API Priority and Fairness. Requests take one seat each and never wait, since a double does not queue them.
 * Upstream: apiserver, pkg/util/flowcontrol/metrics/metrics.go.
 */
export function flowFamilies({
  flows,
  gates,
  store,
  inFlight,
}: EndpointEnvironment): readonly MetricFamily[] {
  if (!gates.isEnabled("APIPriorityAndFairness")) return [];
  const levels = priorityLevels(store);
  const limits = nominalLimits(levels, inFlight);
  const limitsHelp = "Nominal number of execution seats configured for each priority level";
  const olderHelp = `Shared concurrency limit in the ${subsystemOf(gates.since)}`;
  const queued = flows.all.filter(([, { priorityLevel }]) => queues(levels.get(priorityLevel)));
  return [
    ...executionFamilies(flows.all, gates.since),
    ...resultFamilies(flows.all, gates.since),
    gauge("nominal_limit_seats", limitsHelp, limits),
    gauge("request_concurrency_limit", gates.since("1.28") ? limitsHelp : olderHelp, limits),
    {
      name: "apiserver_flowcontrol_request_wait_duration_seconds",
      type: "histogram",
      help: "Length of time a request spent waiting in its queue",
      histogram: { bounds: waitBounds, series: new Map(queued.map(waits)) },
    },
  ];
}

function gauge(name: string, help: string, samples: Samples): MetricFamily {
  return { name: `apiserver_flowcontrol_${name}`, type: "gauge", help, samples };
}

/** What happens to requests at the moment. */
function executionFamilies(flows: FlowMetrics["all"], since: Since): readonly MetricFamily[] {
  const executing = new Map(flows.map(([labels, counts]) => [labels, counts.executing]));
  return [
    gauge("current_executing_requests", executingHelp(since), executing),
    gauge("current_executing_seats", seatsHelp(since), executing),
    gauge("request_concurrency_in_use", seatsHelp(since), executing),
    gauge(
      "current_inqueue_requests",
      `Number of requests currently pending in queues of the ${subsystemOf(since)}`,
      new Map(flows.map(([labels]) => [labels, 0])),
    ),
  ];
}

/** What happened to requests. */
function resultFamilies(flows: FlowMetrics["all"], since: Since): readonly MetricFamily[] {
  const rejected = flows.filter(([, counts]) => counts.rejected > 0);
  return [
    {
      name: "apiserver_flowcontrol_dispatched_requests_total",
      type: "counter",
      help: dispatchedHelp(since),
      samples: new Map(flows.map(([labels, counts]) => [labels, counts.dispatched])),
    },
    {
      name: "apiserver_flowcontrol_rejected_requests_total",
      type: "counter",
      help: `Number of requests rejected by ${subsystemOf(since)}`,
      samples: new Map(
        rejected.map(([labels, counts]) => [`${labels},reason="concurrency-limit"`, counts.rejected]),
      ),
    },
  ];
}

const waitBounds: readonly number[] = [0, 0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30];

/** Whether requests go through a queue on their way, if only for no time. */
function queues(level: KubeObject | undefined): boolean {
  return level !== undefined && textAt(level, "spec", "limited", "limitResponse", "type") === "Queue";
}

/** No request has waited. */
function waits([labels, { dispatched }]: readonly [string, FlowCounts]): readonly [string, Distribution] {
  const distribution = new Distribution(waitBounds);
  distribution.observe(0, dispatched);
  return [`execute="true",${labels}`, distribution];
}

/** The levels by name. */
function priorityLevels(store: Store<KubeObject>): ReadonlyMap<string, KubeObject> {
  const { items } = store.range({ prefix: "/registry/prioritylevelconfigurations/" });
  const levels = items.filter(({ corrupt }) => !corrupt).map(({ value }) => value);
  return new Map(levels.map((level) => [level.metadata.name ?? "", level]));
}

/** Each priority level has its share of the seats (apiserver, pkg/util/flowcontrol/apf_controller.go). */
function nominalLimits(levels: ReadonlyMap<string, KubeObject>, { limit }: InFlightMetrics): Samples {
  const shares = [...levels].map(([name, level]) => [name, sharesOf(level)] as const);
  const all = shares.reduce((sum, [, share]) => sum + share, 0);
  return new Map(
    shares.map(([name, share]) => [
      `priority_level="${name}"`,
      all === 0 ? 0 : Math.ceil((limit * share) / all),
    ]),
  );
}

/** The stored version may be one of those with another name for the shares. */
function sharesOf(level: KubeObject): number {
  const spec = objectAt(level, "spec") ?? {};
  const limited = objectAt(spec, "limited") ?? objectAt(spec, "exempt") ?? {};
  return numberAt(limited, "nominalConcurrencyShares") || numberAt(limited, "assuredConcurrencyShares");
}
