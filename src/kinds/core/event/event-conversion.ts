import type { JsonObject, MutableJsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject, MutableKubeObject } from "../../../apimachinery/object-meta.ts";
import type { OwnConversion } from "../../../registry/contract/own-conversion.ts";

/** What core calls a field, and what events.k8s.io does. */
const names: readonly (readonly [core: string, events: string])[] = [
  ["involvedObject", "regarding"],
  ["message", "note"],
  ["source", "deprecatedSource"],
  ["firstTimestamp", "deprecatedFirstTimestamp"],
  ["lastTimestamp", "deprecatedLastTimestamp"],
  ["count", "deprecatedCount"],
  ["reportingComponent", "reportingController"],
];
const toEvents = new Map(names);
const toCore = new Map(names.map(([core, events]) => [events, core]));

/** Events are stored as core calls their fields. */
export const eventConversion: OwnConversion = {
  // Renaming fields keeps what every object has to have.
  fromStored: (object) => renamed(object, toEvents) as KubeObject,
  toStored: (object) => renamed(object, toCore) as MutableKubeObject,
};

function renamed(object: JsonObject, newNames: ReadonlyMap<string, string>): JsonObject {
  const result: MutableJsonObject = {};
  for (const [name, value] of Object.entries(object)) result[newNames.get(name) ?? name] = value;
  return result;
}
