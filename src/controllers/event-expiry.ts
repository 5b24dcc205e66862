import type { Clock } from "../apimachinery/clock.ts";
import { isJsonObject } from "../apimachinery/json.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import type { Controller } from "./contract/controller.ts";
import type { LoadRecord } from "./contract/load-record.ts";
import type { EventEnds } from "./event-ends.ts";

/** The time to live of an Event after its last change: `--event-ttl`. */
const eventMilliseconds = 60 * 60 * 1000;

/** Removes an Event from the store as etcd does when a lease ends: regardless of finalizers. */
export type ExpireEvent = (namespace: string, name: string) => void;

/** Removes Events that are an hour old. In a real server, the lease of the key in etcd does that. */
export function eventExpiry(
  clock: Clock,
  loads: Pick<LoadRecord, "timeOfEvent">,
  expire: ExpireEvent,
  ends: EventEnds,
): Controller {
  return {
    name: "event-expiry",
    kinds: ["Event"],
    observe: ({ type, object, isFound }) => {
      if (object.kind !== "Event" || object.apiVersion !== "v1") return [];
      const key = keyOf(object);
      if (type === "put")
        ends.set(key, (isFound ? lastWrite(object, loads) : clock.now()) + eventMilliseconds);
      else ends.delete(key);
      return ["events"];
    },
    reconcile: async () => {
      for (let first = ends.first(); first !== undefined; first = ends.first()) {
        const left = first.end - clock.now();
        if (left > 0) return left;
        ends.delete(first.key);
        const [namespace = "", name = ""] = first.key.split("/");
        expire(namespace, name);
      }
      return undefined;
    },
  };
}

/**
 * The time of the last write of an Event whose write was not observed, as precise as its fields say. A loaded Event has the times of
 * the cluster it comes from, and is written when it is loaded.
 */
function lastWrite({ metadata }: KubeObject, loads: Pick<LoadRecord, "timeOfEvent">): number {
  const { uid, creationTimestamp, managedFields } = metadata;
  const loaded = loads.timeOfEvent(uid ?? "") ?? 0;
  const entries = Array.isArray(managedFields) ? managedFields.filter(isJsonObject) : [];
  const times = [creationTimestamp, ...entries.map(({ time }) => time)];
  return Math.max(loaded, ...times.map((time) => (typeof time === "string" ? Date.parse(time) : 0)));
}

function keyOf({ metadata }: KubeObject): string {
  return `${metadata.namespace}/${metadata.name}`;
}
