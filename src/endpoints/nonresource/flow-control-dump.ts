import { numberAt, objectAt, textAt } from "../../apimachinery/fields.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { Since } from "../../apimachinery/release.ts";
import { compareText } from "../../apimachinery/text-order.ts";
import type { RequestContext } from "../../request/request-context.ts";
import { type EndpointResponse, sniffedText } from "../contract/endpoint-response.ts";
import type { EndpointEnvironment } from "../contract/environment.ts";

type Rows = readonly (readonly string[])[];

/** A zero of the seats and seconds that queues add up. */
const noSeatSeconds = "0.00000000ss";
const none = "<none>";

/**
 * Answers the paths below `/debug/api_priority_and_fairness/`; undefined for other paths. A double queues no requests and
 * counts none of them by priority level, so every level is idle (apiserver, pkg/util/flowcontrol/apf_controller_debug.go).
 */
export function serveFlowControlDump(
  { path }: RequestContext,
  { store, gates }: EndpointEnvironment,
): EndpointResponse | undefined {
  if (!gates.isEnabled("APIPriorityAndFairness")) return undefined;
  const { items } = store.range({ prefix: "/registry/prioritylevelconfigurations/" });
  const levels = items
    .filter(({ corrupt }) => !corrupt)
    .map(({ value }) => value)
    .sort((a, b) => compareText(a.metadata.name ?? "", b.metadata.name ?? ""));
  switch (path.slice("/debug/api_priority_and_fairness/".length)) {
    case "dump_priority_levels":
      return table(priorityLevels(levels, gates.since));
    case "dump_queues":
      return table(queues(levels, gates.since));
    case "dump_requests":
      return table([requestColumns(gates.since)]);
    default:
      return undefined;
  }
}

function priorityLevels(levels: readonly KubeObject[], since: Since): Rows {
  const counts = ["WaitingRequests", "ExecutingRequests"];
  if (since("1.27"))
    counts.push("DispatchedRequests", "RejectedRequests", "TimedoutRequests", "CancelledRequests");
  const state = ["0", "true", "false", ...counts.map(() => "0")];
  const rows = levels.map((level) => {
    const values = hasQueues(level, since) ? state : state.map(() => none);
    return [level.metadata.name ?? "", ...values];
  });
  return [["PriorityLevelName", "ActiveQueues", "IsIdle", "IsQuiescing", ...counts], ...rows];
}

function queues(levels: readonly KubeObject[], since: Since): Rows {
  const columns = since("1.23")
    ? ["SeatsInUse", "NextDispatchR", "InitialSeatsSum", "MaxSeatsSum", "TotalWorkSum"]
    : ["VirtualStart"];
  const state = since("1.23") ? ["0", noSeatSeconds, "0", "0", noSeatSeconds] : ["0.0000"];
  const rows = levels.flatMap((level) => {
    const name = level.metadata.name ?? "";
    if (!hasQueues(level, since)) return [[name, none, none, none, ...state.map(() => none)]];
    const queuing = objectAt(level, "spec", "limited", "limitResponse", "queuing") ?? {};
    return Array.from({ length: Math.min(numberAt(queuing, "queues"), mostQueues) }, (_, index) => [
      name,
      String(index),
      "0",
      "0",
      ...state,
    ]);
  });
  return [["PriorityLevelName", "Index", "PendingRequests", "ExecutingRequests", ...columns], ...rows];
}

/** The dump shows no more queues of a level. Validation allows ten million. */
const mostQueues = 1000;

function requestColumns(since: Since): readonly string[] {
  return [
    "PriorityLevelName",
    "FlowSchemaName",
    "QueueIndex",
    "RequestIndexInQueue",
    "FlowDistingsher",
    "ArriveTime",
    ...(since("1.23") ? ["InitialSeats", "FinalSeats", "AdditionalLatency"] : []),
    ...(since("1.28") ? ["StartTime"] : []),
  ];
}

/** Since 1.28, exempt levels have the statistics of queues. */
function hasQueues(level: KubeObject, since: Since): boolean {
  return since("1.28") || textAt(level, "spec", "type") !== "Exempt";
}

/** Columns as Go's tabwriter aligns them, at least eight characters wide. The last one is not aligned. */
function table(rows: Rows): EndpointResponse {
  const [head = []] = rows;
  const widths = head.map((_, column) => Math.max(8, ...rows.map((row) => (row[column] ?? "").length + 2)));
  const lines = rows.map((row) =>
    row.map((cell, i) => (i === row.length - 1 ? cell : `${cell},`.padEnd(widths[i] ?? 0))).join(""),
  );
  return sniffedText(200, `${lines.join("\n")}\n`);
}
