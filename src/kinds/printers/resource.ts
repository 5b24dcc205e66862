import { objectAt, sizeAt, textAt, valueAt } from "../../apimachinery/fields.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { ageOf, nameOf, timeSince } from "../../codec/tables/cell-text.ts";
import { type GroupPrinters, type Printer, textColumns } from "../../codec/tables/printer.ts";

const nameAndAge: Printer = {
  cells: (object, now) => [nameOf(object), ageOf(object, now)],
};

/** Dynamic resource allocation. */
export const resourcePrinters: GroupPrinters = {
  deviceclasses: nameAndAge,
  devicetaintrules: {
    columns: textColumns("Name", "Key", "Value", "Effect", "TimeAdded", "Age"),
    cells: (rule, now) => [
      nameOf(rule),
      textAt(rule, "spec", "taint", "key"),
      textAt(rule, "spec", "taint", "value"),
      textAt(rule, "spec", "taint", "effect"),
      timeAdded(rule, now),
      ageOf(rule, now),
    ],
  },
  podschedulingcontexts: {
    columns: textColumns("Name", "SelectedNode", "Age"),
    cells: (object, now) => [nameOf(object), textAt(object, "spec", "selectedNode"), ageOf(object, now)],
  },
  resourceclaims: {
    cells: (claim, now) => [nameOf(claim), claimState(claim), ageOf(claim, now)],
  },
  resourceclaimtemplates: nameAndAge,
  resourceclasses: {
    columns: textColumns("Name", "DriverName", "Age"),
    cells: (object, now) => [nameOf(object), textAt(object, "driverName"), ageOf(object, now)],
  },
  resourceslices: {
    cells: (slice, now) => [
      nameOf(slice),
      textAt(slice, "spec", "nodeName"),
      textAt(slice, "spec", "driver"),
      textAt(slice, "spec", "pool", "name"),
      ageOf(slice, now),
    ],
  },
};

/** All that holds, in the order of a claim's life but for its end. */
function claimState(claim: KubeObject): string {
  const isDeleted = Boolean(claim.metadata.deletionTimestamp);
  const isAllocated = objectAt(claim, "status", "allocation") !== undefined;
  const states: string[] = [];
  if (isDeleted) states.push("deleted");
  if (!isAllocated && !isDeleted) states.push("pending");
  if (isAllocated) states.push("allocated");
  if (isAllocated && sizeAt(claim, "status", "reservedFor") > 0) states.push("reserved");
  return states.join(",");
}

function timeAdded(rule: KubeObject, now: number): string {
  const time = valueAt(rule, "spec", "taint", "timeAdded");
  return typeof time === "string" ? timeSince(time, now) : "";
}
