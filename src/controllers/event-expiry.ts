import type { Clock } from "../apimachinery/clock.ts";
import { StatusError } from "../apimachinery/errors.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import type { Controller, ControllerClient } from "./controller.ts";

/** How long an Event is kept after its last change: `--event-ttl`. */
const eventMilliseconds = 60 * 60 * 1000;

/** Removes Events that are an hour old. A real server leaves it to the lease of the key in etcd. */
export function eventExpiry(clock: Clock, client: ControllerClient): Controller {
  /** By key, in milliseconds since the epoch. */
  const ends = new Map<string, number>();
  return {
    name: "event-expiry",
    observe: ({ type, object }) => {
      if (object.kind !== "Event" || object.apiVersion !== "v1") return [];
      const key = keyOf(object);
      if (type === "put") ends.set(key, clock.now() + eventMilliseconds);
      else ends.delete(key);
      return [key];
    },
    reconcile: async (key) => {
      const left = (ends.get(key) ?? Number.NaN) - clock.now();
      if (left <= 0) await remove(key);
      return left > 0 ? left : undefined;
    },
  };

  async function remove(key: string): Promise<void> {
    const [namespace = "", name = ""] = key.split("/");
    try {
      await client.delete("v1", "Event", name, { namespace });
    } catch (error) {
      const isGone = error instanceof StatusError && error.status.reason === "NotFound";
      if (!isGone) throw error;
    }
  }
}

function keyOf({ metadata }: KubeObject): string {
  return `${metadata.namespace}/${metadata.name}`;
}
