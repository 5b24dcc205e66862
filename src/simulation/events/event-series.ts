import type { Memory } from "../../controllers/controller-memory.ts";
import { LatestEntries } from "./latest-entries.ts";

/** Upstream's constants `finishTime` and `refreshTime` (client-go, tools/events/event_broadcaster.go), in milliseconds. */
const finish = 360_000;
const refresh = 1_800_000;
const remembered = 4096;

/** What to write: a new Event if the count is 1, otherwise the series of the one with this name. */
export interface SeriesWrite {
  readonly name: string;
  /** That of the first event. */
  readonly note: string;
  /** When the first event happened. */
  readonly first: number;
  readonly count: number;
}

interface Entry extends SeriesWrite {
  /** When the event happened last. */
  readonly last: number;
  /** When the Event was written last. */
  readonly written: number;
}

/** Decides which events repeat others. It remembers the newest 4,096. */
export class EventSeries implements Memory {
  #entries = new LatestEntries<Entry>(remembered);

  fork(): this {
    const copy = new EventSeries();
    copy.#entries = this.#entries.fork();
    // The class has no subclasses.
    return copy as this;
  }

  /**
   * What to write about an event, of which `key` tells what makes two events the same; undefined if nothing. The first repetition starts a
   * series, and the later ones are written every 30 minutes at most. Upstream also writes the last count of a series that has ended; here, an idle
   * cluster writes nothing. `now` is in milliseconds.
   */
  observe(key: string, note: string, now: number, newName: () => string): SeriesWrite | undefined {
    const known = this.#entries.get(key);
    if (known === undefined || now - known.last > finish) {
      const begin = { name: newName(), note, first: now, count: 1 };
      this.#entries.set(key, { ...begin, last: now, written: now });
      return begin;
    }
    const isDue = known.count === 1 || now - known.written >= refresh;
    const next = { ...known, count: known.count + 1, last: now, written: isDue ? now : known.written };
    this.#entries.set(key, next);
    return isDue ? next : undefined;
  }
}
