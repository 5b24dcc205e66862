import type { Clock, Timer } from "../apimachinery/clock.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import type { Controller, ControllerClient } from "./controller.ts";

/** How long an Event is kept after its last change: `--event-ttl`. */
const eventMilliseconds = 60 * 60 * 1000;

/** Removes Events that are an hour old. A real server leaves it to the lease of the key in etcd. */
export function eventExpiry(clock: Clock, client: ControllerClient): Controller {
  const timers = new Map<string, Timer>();
  return {
    name: "event-expiry",
    observe: ({ type, object }) => {
      if (object.kind !== "Event") return [];
      const key = keyOf(object);
      timers.get(key)?.cancel();
      timers.delete(key);
      if (type === "put")
        timers.set(
          key,
          clock.after(eventMilliseconds, () => void expire(key)),
        );
      return [];
    },
    reconcile: () => Promise.resolve(),
  };

  async function expire(key: string): Promise<void> {
    timers.delete(key);
    const [namespace = "", name = ""] = key.split("/");
    // Somebody else may have deleted it; whatever else goes wrong, the Event stays.
    await client.delete("v1", "Event", name, { namespace }).catch(() => {});
  }
}

function keyOf({ metadata }: KubeObject): string {
  return `${metadata.namespace}/${metadata.name}`;
}
