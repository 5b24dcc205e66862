import type { JsonObject, MutableJsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject, MutableKubeObject } from "../../../apimachinery/object-meta.ts";
import type { OwnConversion } from "../../../registry/contract/own-conversion.ts";

/** The names of a field in the core group and in events.k8s.io. */
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

/** Converts events, which are stored with the field names of the core group. */
export const eventConversion: OwnConversion = {
  // Renaming fields keeps apiVersion, kind and metadata.
  fromStored: (object) => renamed(object, toEvents) as KubeObject,
  toStored: (object) => renamed(object, toCore) as MutableKubeObject,
};

function renamed(object: JsonObject, newNames: ReadonlyMap<string, string>): JsonObject {
  const result: MutableJsonObject = {};
  for (const [name, value] of Object.entries(object)) result[newNames.get(name) ?? name] = value;
  return result;
}
