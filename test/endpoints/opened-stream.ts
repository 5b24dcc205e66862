import { type Timer, VirtualClock } from "../../src/apimachinery/clock.ts";
import { type Encodable, transient } from "../../src/codec/encodable.ts";
import type { EventEncoding } from "../../src/endpoints/responses/event-encoding.ts";
import { type EventStreamOptions, eventStream } from "../../src/endpoints/responses/event-stream.ts";
import type { ResourceEvent, ResourceWatch } from "../../src/registry/contract/resource-watch.ts";
import type { PushedBody } from "../../src/request/pushed-body.ts";
import type { StorageError } from "../../src/store/storage-error.ts";

/** A watch whose events a test adds. */
export class AddedEvents implements ResourceWatch {
  initial: readonly Encodable[] = [];
  revision = 5;
  progress = 5;
  isCrowded = false;
  ended = false;
  error: StorageError | undefined;
  closed = 0;
  #waiting: ResourceEvent[] = [];
  #callback: () => void = () => {};

  drain(): readonly ResourceEvent[] {
    return this.#waiting.splice(0);
  }

  onReady(callback: () => void): void {
    this.#callback = callback;
  }

  close(): void {
    this.closed += 1;
    this.ended = true;
    this.#waiting = [];
  }

  /** Adds changes of objects whose names are their revisions. */
  add(...revisions: readonly number[]): void {
    for (const revision of revisions) {
      this.progress = Math.max(this.progress, revision);
      this.#waiting.push({ type: "ADDED", object: named(String(revision)), revision });
    }
    this.#callback();
  }

  /** Ends as a watch that fails, or that its source closes. */
  end(error?: StorageError): void {
    this.ended = true;
    this.error = error;
    this.#callback();
  }
}

/** A clock that counts the timers that wait, and those that are canceled although they have fired. */
class CountingClock extends VirtualClock {
  waiting = 0;
  late = 0;

  override after(milliseconds: number, callback: () => void): Timer {
    this.waiting += 1;
    let isWaiting = true;
    const timer = super.after(milliseconds, () => {
      isWaiting = false;
      this.waiting -= 1;
      callback();
    });
    return {
      cancel: () => {
        if (isWaiting) this.waiting -= 1;
        else this.late += 1;
        isWaiting = false;
        timer.cancel();
      },
    };
  }
}

export function named(name: string): Encodable {
  return transient({ kind: "ConfigMap", apiVersion: "v1", metadata: { name } });
}

export function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(`${text};`);
}

function namesOf(objects: readonly Encodable[]): string {
  return objects.map(({ value }) => value.metadata.name).join(",");
}

/** Says in words what it encodes. */
export const encoding: EventEncoding = {
  contentType: "text/plain",
  initial: (objects) => bytes(`initial ${namesOf(objects)}`),
  events: (events) => bytes(`events ${namesOf(events.map(({ object }) => object))}`),
  bookmark: (revision) => bytes(`bookmark ${revision}`),
  initialEventsEnd: (revision) => bytes(`end of initial ${revision}`),
  error: ({ code, reason, message }) => bytes(`error ${code} ${reason}: ${message}`),
};

/** A stream of ten minutes over a watch to which a test adds. */
export function opened(
  options: Partial<EventStreamOptions> = {},
  prepare: (watch: AddedEvents) => void = () => {},
) {
  const watch = new AddedEvents();
  prepare(watch);
  const clock = new CountingClock(0);
  const client = new AbortController();
  const stream = eventStream({
    open: () => watch,
    encoding,
    clock,
    milliseconds: 600_000,
    endsInitialEvents: false,
    sendsBookmarks: false,
    freshness: () => undefined,
    signal: client.signal,
    ...options,
  });
  let calls = 0;
  stream.onReady(() => {
    calls += 1;
  });
  return { watch, clock, client, stream, calls: () => calls };
}

/** The pieces that are ready, but no endless number of them. */
export function piecesOf(stream: PushedBody): readonly string[] {
  const pieces: string[] = [];
  for (let piece = stream.take(); piece !== undefined; piece = stream.take()) {
    pieces.push(new TextDecoder().decode(piece));
    if (pieces.length > 100) throw new Error("the stream does not end");
  }
  return pieces;
}

/** Everything that is ready. */
export function taken(stream: PushedBody): string {
  return piecesOf(stream).join("");
}
