import { integerAt, objectAt, textAt, valueAt } from "../../../apimachinery/fields.ts";
import { goTrim } from "../../../apimachinery/go-trim.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { nameOf, timeSince } from "../../../codec/tables/cell-text.ts";
import type { Printer } from "../../../codec/tables/printer.ts";

/** White space by the definition of Go's unicode package. */
const SPACE =
  "\t\n\v\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000";

export const eventPrinter: Printer = {
  cells: (event, now) => [
    lastSeen(event, now),
    textAt(event, "type"),
    textAt(event, "reason"),
    involvedObject(event),
    textAt(event, "involvedObject", "fieldPath"),
    sourceText(event),
    goTrim(textAt(event, "message"), SPACE),
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

/** Events from events.k8s.io that are not series have no count. */
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
