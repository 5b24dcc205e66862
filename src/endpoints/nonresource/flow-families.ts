import { numberAt, objectAt, textAt } from "../../apimachinery/fields.ts";
import { Distribution } from "../../apimachinery/histogram.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { Store } from "../../store/store.ts";
import type { EndpointEnvironment } from "../contract/environment.ts";
import type { FlowCounts } from "../contract/flow-metrics.ts";
import type { InFlightMetrics } from "../contract/in-flight-metrics.ts";
import type { MetricFamily, Samples } from "../contract/metric-family.ts";

const subsystem = "API Priority and Fairness subsystem";
const seatsHelp = `Concurrency (number of seats) occupied by the currently executing (initial stage for a WATCH, any stage otherwise) requests in the ${subsystem}`;

/**
 * The metrics of API Priority and Fairness. Requests take one seat each and never wait, since a double does not queue them.
 * Upstream: apiserver, pkg/util/flowcontrol/metrics/metrics.go.
 */
export function flowFamilies(environment: EndpointEnvironment): readonly MetricFamily[] {
  const { flows, gates } = environment;
  if (!gates.isEnabled("APIPriorityAndFairness")) return [];
  const gauge = (name: string, help: string, samples: Samples): MetricFamily => ({
    name: `apiserver_flowcontrol_${name}`,
    type: "gauge",
    help,
    samples,
  });
  const samplesOf = (value: (counts: FlowCounts) => number): Samples =>
    new Map(flows.all.map(([labels, counts]) => [labels, value(counts)]));
  const executing = samplesOf((counts) => counts.executing);
  const levels = priorityLevels(environment.store);
  const limits = nominalLimits(levels, environment.inFlight);
  const queued = flows.all.filter(([, { priorityLevel }]) => queues(levels.get(priorityLevel)));
  return [
    gauge(
      "current_executing_requests",
      `Number of requests in initial (for a WATCH) or any (for a non-WATCH) execution stage in the ${subsystem}`,
      executing,
    ),
    gauge("current_executing_seats", seatsHelp, executing),
    gauge(
      "current_inqueue_requests",
      `Number of requests currently pending in queues of the ${subsystem}`,
      samplesOf(() => 0),
    ),
    {
      name: "apiserver_flowcontrol_dispatched_requests_total",
      type: "counter",
      help: `Number of requests executed by ${subsystem}`,
      samples: samplesOf((counts) => counts.dispatched),
    },
    gauge(
      "nominal_limit_seats",
      "Nominal number of execution seats configured for each priority level",
      limits,
    ),
    {
      name: "apiserver_flowcontrol_rejected_requests_total",
      type: "counter",
      help: `Number of requests rejected by ${subsystem}`,
      samples: new Map(
        flows.all
          .filter(([, { rejected }]) => rejected > 0)
          .map(([labels, { rejected }]) => [`${labels},reason="concurrency-limit"`, rejected]),
      ),
    },
    gauge("request_concurrency_in_use", seatsHelp, executing),
    gauge(
      "request_concurrency_limit",
      gates.since("1.28")
        ? "Nominal number of execution seats configured for each priority level"
        : `Shared concurrency limit in the ${subsystem}`,
      limits,
    ),
    {
      name: "apiserver_flowcontrol_request_wait_duration_seconds",
      type: "histogram",
      help: "Length of time a request spent waiting in its queue",
      histogram: { bounds: waitBounds, series: new Map(queued.map(waits)) },
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
