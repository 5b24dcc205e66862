import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { Memory } from "../../controllers/controller-memory.ts";
import type { EventSource, RecordedEvent } from "./recorded-event.ts";

/** Upstream's defaults (client-go, tools/record/events_cache.go). */
const similarEvents = 10;
const similarMilliseconds = 600_000;
const burst = 25;
const millisecondsPerToken = 300_000;
const remembered = 4096;
const combinedPrefix = "(combined from similar events): ";

/** The Event to write: a new one if the count is 1, otherwise an update of the one with this name. */
export interface CorrelatedEvent {
  readonly name: string;
  readonly message: string;
  readonly count: number;
}

interface Similar {
  readonly messages: ReadonlySet<string>;
  readonly last: number;
}

interface Bucket {
  readonly tokens: number;
  readonly filled: number;
}

/** Decides which events are repetitions of others, and which are too many. It remembers the newest 4,096 of each kind. */
export class EventCorrelation implements Memory {
  #similar = new Map<string, Similar>();
  #buckets = new Map<string, Bucket>();
  #written = new Map<string, { readonly name: string; readonly count: number }>();
  /** Distinguishes Events of one instant. */
  #instant = { now: 0, names: 0 };

  fork(): this {
    const copy = new EventCorrelation();
    copy.#similar = new Map(this.#similar);
    copy.#buckets = new Map(this.#buckets);
    copy.#written = new Map(this.#written);
    copy.#instant = { ...this.#instant };
    // The class has no subclasses.
    return copy as this;
  }

  /** What to write about an event; undefined if the source has said too much about the object. `now` is in milliseconds. */
  observe(
    object: KubeObject,
    event: RecordedEvent,
    source: EventSource,
    now: number,
  ): CorrelatedEvent | undefined {
    const about = [
      source.component,
      source.host,
      object.kind,
      object.metadata.namespace,
      object.metadata.name,
    ];
    const of = JSON.stringify([...about, object.metadata.uid, object.apiVersion]);
    const similar = JSON.stringify([of, event.type, event.reason]);
    const isCombined = this.#countSimilar(similar, event.message, now);
    const message = isCombined ? combinedPrefix + event.message : event.message;
    const same = isCombined ? similar : JSON.stringify([similar, event.fieldPath, event.message]);
    const known = this.#written.get(same);
    const written =
      known === undefined
        ? { name: `${object.metadata.name}.${this.#nanoseconds(now)}`, count: 1 }
        : { name: known.name, count: known.count + 1 };
    remember(this.#written, same, written);
    return this.#takeToken(of, now) ? { ...written, message } : undefined;
  }

  /** Whether there are so many similar events that they are combined. */
  #countSimilar(key: string, message: string, now: number): boolean {
    const known = this.#similar.get(key);
    const isOld = known === undefined || now - known.last > similarMilliseconds;
    const messages = new Set(isOld ? [] : known.messages).add(message);
    if (messages.size <= similarEvents) {
      remember(this.#similar, key, { messages, last: now });
      return false;
    }
    remember(this.#similar, key, { messages: known?.messages ?? messages, last: now });
    return true;
  }

  #takeToken(key: string, now: number): boolean {
    const { tokens, filled } = this.#buckets.get(key) ?? { tokens: burst, filled: now };
    const left = Math.min(burst, tokens + (now - filled) / millisecondsPerToken);
    const isTaken = left >= 1;
    remember(this.#buckets, key, { tokens: isTaken ? left - 1 : left, filled: now });
    return isTaken;
  }

  /** The hexadecimal nanoseconds at the end of an Event's name, unlike those of all others. */
  #nanoseconds(now: number): string {
    const instant = Math.floor(now);
    const names = instant === this.#instant.now ? this.#instant.names + 1 : 0;
    this.#instant = { now: instant, names };
    return (BigInt(instant) * 1_000_000n + BigInt(names)).toString(16);
  }
}

/** Sets an entry, and forgets the oldest one if there are too many. */
function remember<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  map.set(key, value);
  if (map.size <= remembered) return;
  for (const oldest of map.keys()) {
    map.delete(oldest);
    return;
  }
}
