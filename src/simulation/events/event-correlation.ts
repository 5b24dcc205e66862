import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { Memory } from "../../controllers/controller-memory.ts";
import type { EventNames } from "./event-names.ts";
import { LatestEntries } from "./latest-entries.ts";
import type { EventSource, RecordedEvent } from "./recorded-event.ts";

/** Upstream's defaults (client-go, tools/record/events_cache.go). The tenth different message within ten minutes is combined. */
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
  /** When the first of these events happened, in milliseconds. */
  readonly first: number;
}

interface Similar {
  readonly messages: readonly string[];
  readonly last: number;
}

interface Bucket {
  readonly tokens: number;
  readonly filled: number;
}

/** Decides which events are repetitions of others, and which are too many. It remembers the newest 4,096 of each kind. */
export class EventCorrelation implements Memory {
  #similar = new LatestEntries<Similar>(remembered);
  #buckets = new LatestEntries<Bucket>(remembered);
  #written = new LatestEntries<Omit<CorrelatedEvent, "message">>(remembered);

  fork(): this {
    const copy = new EventCorrelation();
    copy.#similar = this.#similar.fork();
    copy.#buckets = this.#buckets.fork();
    copy.#written = this.#written.fork();
    // The class has no subclasses.
    return copy as this;
  }

  /** What to write about an event; undefined if the source has said too much about the object. `now` is in milliseconds. */
  observe(
    object: KubeObject,
    event: RecordedEvent,
    source: EventSource,
    now: number,
    names: EventNames,
  ): CorrelatedEvent | undefined {
    const { namespace, name = "", uid } = object.metadata;
    // Only messages, which come last, can have line breaks.
    const about = `${source.component}\n${source.host}\n${object.kind}\n${object.apiVersion}`;
    const of = `${about}\n${namespace}\n${name}\n${uid}`;
    const similar = `${of}\n${event.type}\n${event.reason}`;
    const isCombined = this.#countSimilar(similar, event.message, now);
    const message = isCombined ? combinedPrefix + event.message : event.message;
    const same = isCombined ? similar : `${similar}\n${event.fieldPath}\n${event.message}`;
    const known = this.#written.get(same);
    const written =
      known === undefined
        ? { name: names.next(name, now), count: 1, first: now }
        : { ...known, count: known.count + 1 };
    this.#written.set(same, written);
    return this.#takeToken(of, now) ? { ...written, message } : undefined;
  }

  /** Whether there are so many similar events that they are combined. */
  #countSimilar(key: string, message: string, now: number): boolean {
    const known = this.#similar.get(key);
    const isOld = known === undefined || now - known.last > similarMilliseconds;
    const before = isOld ? [] : known.messages;
    const messages = before.includes(message) ? before : [...before, message];
    const isCombined = messages.length >= similarEvents;
    this.#similar.set(key, { messages: isCombined ? before : messages, last: now });
    return isCombined;
  }

  #takeToken(key: string, now: number): boolean {
    const { tokens, filled } = this.#buckets.get(key) ?? { tokens: burst, filled: now };
    const left = Math.min(burst, tokens + (now - filled) / millisecondsPerToken);
    const isTaken = left >= 1;
    this.#buckets.set(key, { tokens: isTaken ? left - 1 : left, filled: now });
    return isTaken;
  }
}
