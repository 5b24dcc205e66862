import { describe, expect, test } from "vitest";
import {
  AddedEvents,
  bytes,
  encoding,
  named,
  opened,
  piecesOf,
  taken,
} from "../../../test/endpoints/opened-stream.ts";
import { VirtualClock } from "../../apimachinery/clock.ts";
import { badRequest } from "../../apimachinery/errors/errors.ts";
import {
  callbackFailed,
  compacted,
  restored,
  type StorageError,
  tooSlow,
} from "../../store/storage-error.ts";
import type { EventEncoding } from "./event-encoding.ts";
import { UnencodableEvents } from "./event-framing.ts";

/** Lets what waits for promises go on. */
function turn(): Promise<void> {
  return new VirtualClock(0).advance(0);
}

describe("a stream of events", () => {
  test("says once when it sends the end of the initial events", () => {
    let ends = 0;
    const onInitialEventsEnd = () => {
      ends += 1;
    };
    const { stream, watch } = opened({ endsInitialEvents: true, onInitialEventsEnd }, (watch) => {
      watch.initial = [named("a")];
    });
    expect(ends).toBe(0);
    expect(taken(stream)).toBe("initial a;end of initial 5;");
    watch.add(7);
    expect(taken(stream)).toBe("events 7;");
    expect(ends).toBe(1);
  });

  test("sends the initial objects, the end of them, and then what changes, in one piece if it waits", () => {
    const { stream, watch } = opened({ endsInitialEvents: true }, (watch) => {
      watch.initial = [named("a"), named("b")];
      watch.add(6);
    });
    expect(taken(stream)).toBe("initial a,b;end of initial 5;events 6;");
    watch.add(7, 8);
    watch.add(9);
    expect(taken(stream)).toBe("events 7,8,9;");
    expect([stream.ended, watch.closed]).toEqual([false, 0]);
  });

  test("encodes five hundred of the initial objects at once", () => {
    const { stream } = opened({}, (watch) => {
      watch.initial = Array.from({ length: 1001 }, (_, index) => named(String(index)));
    });
    const sizes = piecesOf(stream).map((piece) => piece.split(",").length);
    expect(sizes).toEqual([500, 500, 1]);
  });

  test("encodes events that come while pieces of others wait", () => {
    const { stream, watch } = opened({ sendsBookmarks: true });
    const revisions = Array.from({ length: 40 }, (_, index) => 6 + index);
    watch.add(...revisions);
    expect(new TextDecoder().decode(stream.take())).toBe(`events ${revisions.slice(0, 32)};`);
    watch.add(46);
    expect(piecesOf(stream)).toEqual([`events ${revisions.slice(32)};`, "events 46;"]);
  });

  test("encodes later events in pieces, so that a client that does not read has no copy of them all", () => {
    const { stream, watch, clock } = opened({ sendsBookmarks: true });
    const revisions = Array.from({ length: 70 }, (_, index) => 6 + index);
    watch.add(...revisions);
    expect(new TextDecoder().decode(stream.take())).toBe(`events ${revisions.slice(0, 32)};`);
    watch.add(76);
    watch.end();
    expect([watch.closed, clock.waiting]).toEqual([1, 0]);
    expect(piecesOf(stream)).toEqual([
      `events ${revisions.slice(32, 64)};`,
      `events ${[...revisions.slice(64), 76]};`,
    ]);
    expect(stream.ended).toBe(true);
  });

  test("calls its reader when something is ready, and is urgent while its watch is crowded", () => {
    const { stream, watch, calls } = opened();
    expect([calls(), stream.isUrgent]).toEqual([0, false]);
    watch.isCrowded = true;
    watch.add(6);
    expect([calls(), stream.isUrgent]).toEqual([1, true]);
  });

  test("of a watch that its source ends has what waits, and no error", () => {
    const { stream, watch, clock } = opened({ sendsBookmarks: true });
    watch.add(6);
    watch.end();
    expect([watch.closed, clock.waiting]).toEqual([1, 0]);
    expect(taken(stream)).toBe("events 6;");
    expect(stream.ended).toBe(true);
  });

  test.each<[title: string, error: StorageError, expected: string]>([
    [
      "the revision that has expired",
      compacted({ requested: 3, compactRevision: 5, revision: 9 }),
      "error 410 Expired: too old resource version: 3 (4);",
    ],
    [
      "any other failure as an internal error",
      callbackFailed(new Error("inner")),
      "error 500 InternalError: Internal error occurred: the watcher's callback threw;",
    ],
    ["nothing if the client was too slow", tooSlow(100), ""],
    ["nothing if the store was restored", restored(), ""],
  ])("that ends with an error says %s", (_title, error, expected) => {
    const { stream, watch } = opened({ sendsBookmarks: true });
    watch.add(6);
    watch.end(error);
    expect(taken(stream)).toBe(`events 6;${expected}`);
    expect(stream.ended).toBe(true);
  });

  test("says no error to a client that has left", () => {
    const { stream, watch, client } = opened();
    client.abort();
    watch.end(callbackFailed(new Error("inner")));
    expect([taken(stream), stream.ended]).toEqual(["", true]);
  });

  test("ends when its time is over, with what waits, although the client does not read", async () => {
    const { stream, watch, clock, calls } = opened({ sendsBookmarks: true });
    await clock.advance(599_999);
    expect(watch.closed).toBe(0);
    watch.add(6);
    const before = calls();
    await clock.advance(1);
    expect([watch.closed, clock.waiting, calls()]).toEqual([1, 0, before + 1]);
    expect(stream.ended).toBe(false);
    expect([taken(stream), stream.ended]).toEqual(["events 6;", true]);
  });

  test("ends when its time is over while a client reads", async () => {
    const { stream, watch, clock } = opened();
    expect(taken(stream)).toBe("");
    await clock.advance(600_000);
    expect([taken(stream), stream.ended, watch.closed > 0]).toEqual(["", true, true]);
  });

  test("that the reader closes ends at once, and calls it once", () => {
    const { stream, watch, clock, calls } = opened({ sendsBookmarks: true });
    watch.add(6);
    const before = calls();
    stream.close();
    stream.close();
    expect([stream.ended, watch.closed, clock.waiting, calls()]).toEqual([true, 1, 0, before + 1]);
    expect(taken(stream)).toBe("");
  });

  test("can be iterated", async () => {
    const { stream, watch } = opened({}, (watch) => watch.add(6));
    const pieces: string[] = [];
    for await (const piece of stream) {
      pieces.push(new TextDecoder().decode(piece));
      if (pieces.length === 1) watch.add(7);
      else watch.end();
    }
    expect(pieces).toEqual(["events 6;", "events 7;"]);
  });
});

describe("a stream whose store is not fresh enough", () => {
  test("opens its watch when it is", async () => {
    let arrive = (): void => {};
    const freshness = () => new Promise<void>((resolve) => (arrive = resolve));
    const { stream, watch, clock, calls } = opened({ freshness }, (watch) => watch.add(6));
    expect([taken(stream), clock.waiting]).toEqual(["", 0]);
    arrive();
    await turn();
    expect([calls(), clock.waiting, taken(stream)]).toEqual([1, 1, "events 6;"]);
    watch.add(7);
    expect(taken(stream)).toBe("events 7;");
  });

  test("says why it never is", async () => {
    const { stream, calls } = opened({ freshness: () => Promise.reject(badRequest("too large")) });
    await turn();
    expect([calls(), stream.ended]).toEqual([1, false]);
    expect([taken(stream), stream.ended]).toEqual(["error 400 BadRequest: too large;", true]);
  });

  test("opens nothing for a client that has left", async () => {
    let opens = 0;
    const open = () => {
      opens += 1;
      return new AddedEvents();
    };
    for (const freshness of [() => Promise.resolve(), () => Promise.reject(badRequest("too large"))]) {
      const { stream, clock } = opened({ freshness, open });
      stream.close();
      await turn();
      expect([opens, taken(stream), stream.ended, clock.waiting]).toEqual([0, "", true, 0]);
    }
  });
});

test("a watch that cannot be opened ends with the reason", () => {
  const { stream, clock } = opened({
    open: () => {
      throw "no reason";
    },
  });
  expect([taken(stream), stream.ended, clock.waiting]).toEqual([
    "error 500 InternalError: Internal error occurred: no reason;",
    true,
    0,
  ]);
});

test("events that cannot be encoded end the stream without a word", () => {
  const refusing: EventEncoding = {
    ...encoding,
    events: () => {
      throw new UnencodableEvents();
    },
  };
  const { stream, watch } = opened({ encoding: refusing });
  watch.add(6);
  expect([taken(stream), stream.ended, watch.closed]).toEqual(["", true, 1]);
});

describe("events that a webhook converts", () => {
  /** An encoding whose events wait, and what ends the wait. */
  function slow() {
    let settle: { resolve: (piece: Uint8Array) => void; reject: (error: unknown) => void } | undefined;
    const events = () =>
      new Promise<Uint8Array>((resolve, reject) => {
        settle = { resolve, reject };
      });
    return {
      encoding: { ...encoding, events },
      resolve: (text: string) => settle?.resolve(bytes(text)),
      reject: (error: unknown) => settle?.reject(error),
    };
  }

  test("are sent when they are converted, and later ones after them", async () => {
    const { encoding, resolve } = slow();
    const { stream, watch, calls } = opened({ encoding });
    watch.add(6);
    expect(stream.take()).toBeUndefined();
    watch.add(7);
    expect([stream.take(), watch.drain().length]).toEqual([undefined, 1]);
    const before = calls();
    resolve("converted");
    await turn();
    expect(calls()).toBe(before + 1);
    expect(taken(stream)).toBe("converted;");
    watch.add(8);
    stream.take();
    resolve("next");
    await turn();
    expect(taken(stream)).toBe("next;");
  });

  test("that cannot be converted end the stream with the reason", async () => {
    const { encoding, reject } = slow();
    const { stream, watch } = opened({ encoding });
    watch.add(6);
    stream.take();
    reject(new Error("no answer"));
    await turn();
    expect([taken(stream), stream.ended]).toEqual([
      "error 500 InternalError: Internal error occurred: no answer;",
      true,
    ]);
  });

  test("reach no client that has left", async () => {
    for (const outcome of ["resolve", "reject"] as const) {
      const { encoding, [outcome]: settle } = slow();
      const { stream, watch } = opened({ encoding });
      watch.add(6);
      stream.take();
      stream.close();
      settle("late");
      await turn();
      expect([taken(stream), stream.ended]).toEqual(["", true]);
    }
  });
});
