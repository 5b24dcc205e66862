import { integerAt, objectAt, textAt, valueAt } from "../../../apimachinery/fields.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { nameOf, timeSince } from "../../../codec/tables/cell-text.ts";
import type { Printer } from "../../../codec/tables/printer.ts";

/** White space as Go's unicode package has it. */
const OUTER_SPACE = /^[\t-\r \u0085\p{Z}]+|[\t-\r \u0085\p{Z}]+$/gu;

export const eventPrinter: Printer = {
  cells: (event, now) => [
    lastSeen(event, now),
    textAt(event, "type"),
    textAt(event, "reason"),
    involvedObject(event),
    textAt(event, "involvedObject", "fieldPath"),
    sourceText(event),
    textAt(event, "message").replace(OUTER_SPACE, ""),
    firstSeen(event, now),
    count(event),
    nameOf(event),
  ],
};

function firstSeen(event: KubeObject, now: number): string {
  return timeSince(event.firstTimestamp ?? event.eventTime, now);
}

function lastSeen(event: KubeObject, now: number): string {
  const series = objectAt(event, "series");
  if (series !== undefined) return timeSince(series.lastObservedTime, now);
  const last = valueAt(event, "lastTimestamp");
  return typeof last === "string" ? timeSince(last, now) : firstSeen(event, now);
}

/** Events that are no series have no count when they come from events.k8s.io. */
function count(event: KubeObject): number | bigint {
  const series = objectAt(event, "series");
  return series === undefined ? integerAt(event, "count") || 1 : integerAt(series, "count");
}

function involvedObject(event: KubeObject): string {
  const kind = textAt(event, "involvedObject", "kind").toLowerCase();
  const name = textAt(event, "involvedObject", "name");
  return name === "" ? kind : `${kind}/${name}`;
}

function sourceText(event: KubeObject): string {
  const component = textAt(event, "source", "component") || textAt(event, "reportingComponent");
  const host = textAt(event, "source", "host") || textAt(event, "reportingInstance");
  return host === "" ? component : `${component}, ${host}`;
}
