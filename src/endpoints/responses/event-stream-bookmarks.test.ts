import { describe, expect, test } from "vitest";
import { type AddedEvents, opened, taken } from "../../../test/endpoints/opened-stream.ts";
import { tooSlow } from "../../store/storage-error.ts";

describe("bookmarks", () => {
  test("are sent every minute and two seconds before the end, if there is progress", async () => {
    const { stream, watch, clock } = opened({ sendsBookmarks: true, milliseconds: 150_000 });
    const sent: [second: number, text: string][] = [];
    for (let second = 1; second <= 150; second += 1) {
      watch.progress += 1;
      await clock.advance(1000);
      const text = taken(stream);
      if (text !== "") sent.push([second, text]);
    }
    expect(sent).toEqual([
      [60, "bookmark 65;"],
      [120, "bookmark 125;"],
      [148, "bookmark 153;"],
    ]);
    // The stream keeps no timer that has fired, however long it lasts.
    expect([stream.ended, clock.waiting, clock.late]).toEqual([true, 0, 0]);
  });

  test.each([2000, 2001])("of a watch of %i milliseconds need time before its end", async (milliseconds) => {
    const { stream, watch, clock } = opened({ sendsBookmarks: true, milliseconds });
    watch.progress = 9;
    await clock.advance(1);
    await clock.advance(1);
    expect(taken(stream)).toBe(milliseconds > 2000 ? "bookmark 9;" : "");
  });

  test("are not sent to a client that does not ask for them", async () => {
    const { stream, watch, clock } = opened();
    watch.progress = 9;
    await clock.advance(599_000);
    expect(taken(stream)).toBe("");
    expect(clock.waiting).toBe(1);
  });

  test("follow the events that wait", async () => {
    const { stream, watch, clock } = opened({ sendsBookmarks: true });
    watch.add(6);
    await clock.advance(60_000);
    expect(taken(stream)).toBe("events 6;bookmark 6;");
  });

  // Upstream: apiserver, pkg/storage/cacher/cache_watcher.go, process.
  test.each<
    [title: string, prepare: (watch: AddedEvents) => void, later: readonly number[], expected: string]
  >([
    ["without any change", () => {}, [], ""],
    ["after a change", () => {}, [6], "bookmark 6;"],
    [
      "while its events are from before it was opened",
      (watch) => {
        watch.progress = 8;
      },
      [6, 8],
      "",
    ],
    [
      "when an event is from after it was opened",
      (watch) => {
        watch.progress = 8;
      },
      [6, 9],
      "bookmark 9;",
    ],
  ])("%s", async (_title, prepare, later, expected) => {
    const { stream, watch, clock } = opened({ sendsBookmarks: true }, prepare);
    if (later.length > 0) watch.add(...later);
    taken(stream);
    await clock.advance(60_000);
    expect(taken(stream)).toBe(expected);
  });

  test("are not sent once the time is over or the watch has ended", async () => {
    for (const end of [(watch: AddedEvents) => watch.end(), (watch: AddedEvents) => watch.end(tooSlow(1))]) {
      const { stream, watch, clock } = opened({ sendsBookmarks: true });
      watch.progress = 9;
      await clock.advance(60_000);
      end(watch);
      expect(taken(stream)).toBe("");
    }
    const { stream, watch, clock } = opened({ sendsBookmarks: true, milliseconds: 60_000 });
    watch.progress = 9;
    await clock.advance(60_000);
    expect(taken(stream)).toBe("");
  });
});
