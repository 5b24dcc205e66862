import { expect, test } from "vitest";
import { flawsOfHistory, type History, type HistoryEvent, type Operation, type Version } from "./history.ts";

const version = (revision: number, value: string, uid = "u"): Version => ({
  uid,
  revision,
  left: value,
  right: value,
});
const event = (type: HistoryEvent["type"], of: Version, key = "a"): HistoryEvent => ({
  type,
  key,
  version: of,
});
const operation = (what: Operation["what"], startedAt: number, more: Partial<Operation>): Operation => ({
  what,
  key: "a",
  startedAt,
  endedAt: startedAt + 1,
  status: 200,
  ...more,
});

/** One client creates, updates and deletes an object; another reads meanwhile. */
const operations: readonly Operation[] = [
  operation("create", 0, { value: "1", version: version(11, "1"), status: 201 }),
  operation("get", 2, { version: version(11, "1") }),
  operation("update", 4, { value: "2", expected: 11, version: version(12, "2") }),
  operation("update", 6, { value: "3", expected: 11, status: 409 }),
  operation("list", 8, { items: new Map([["a", version(12, "2")]]), revision: 12 }),
  operation("delete", 10, {}),
  operation("get", 12, { status: 404 }),
];
const events: readonly HistoryEvent[] = [
  event("ADDED", version(11, "1")),
  event("MODIFIED", version(12, "2")),
  event("DELETED", version(13, "2")),
];
const history: History = { start: 10, operations, events, isComplete: true };

test("a history of one client is without flaws", () => {
  expect(flawsOfHistory(history)).toEqual([]);
});

test("a write whose outcome its client does not know may have happened or not", () => {
  const unknown = operation("update", 14, { key: "b", value: "4", status: undefined });
  expect(flawsOfHistory({ ...history, operations: [...operations, unknown] })).toEqual([]);
});

test("a read may see the state before or after a write at the same time", () => {
  const write = operation("update", 4, { value: "2", expected: 11, version: version(12, "2"), endedAt: 30 });
  for (const seen of [version(11, "1"), version(12, "2")]) {
    const read = operation("get", 5, { version: seen });
    const some = [operations[0] as Operation, read, write];
    expect(flawsOfHistory({ ...history, operations: some, events: events.slice(0, 2) })).toEqual([]);
  }
});

const without = (index: number) => events.filter((_, at) => at !== index);
const changed = (index: number, more: Partial<Operation>) =>
  operations.map((one, at) => (at === index ? { ...one, ...more } : one));

test.each<[string, Partial<History>, RegExp]>([
  ["a lost event", { events: without(1) }, /revision 13 follows 11 directly/],
  [
    "a lost event of a history with other writers",
    { events: without(1), isComplete: false },
    /without its event/,
  ],
  [
    "events out of order",
    { events: [events[1], events[0], events[2]] as HistoryEvent[] },
    /revision 11 follows 12/,
  ],
  [
    "an event that comes twice",
    { events: [events[0], ...events] as HistoryEvent[] },
    /revision 11 follows 11/,
  ],
  [
    "a half written object",
    {
      events: [
        events[0],
        event("MODIFIED", { ...version(12, "2"), right: "1" }),
        events[2],
      ] as HistoryEvent[],
    },
    /half written/,
  ],
  [
    "an object with another uid",
    { events: [events[0], event("MODIFIED", version(12, "2", "v")), events[2]] as HistoryEvent[] },
    /another uid/,
  ],
  [
    "an event without a write",
    { operations: operations.filter(({ what }) => what !== "delete") },
    /0 deletes of a have 1 events/,
  ],
  [
    "a lost delete",
    { events: without(2), operations: operations.slice(0, 6) },
    /1 deletes of a have 0 events/,
  ],
  ["an event of another client", { operations: operations.slice(1) }, /event without a write: ADDED a at 11/],
  ["a write over another revision", { operations: changed(2, { expected: 10 }) }, /written over revision 11/],
  [
    "a stale read",
    { operations: changed(4, { items: new Map([["a", version(11, "1")]]), revision: 11 }) },
    /a list of 11, not 12/,
  ],
  [
    "a read from the future",
    { operations: changed(1, { version: version(12, "2") }) },
    /a state that it did not have/,
  ],
  ["a torn list", { operations: changed(4, { items: new Map() }) }, /a list of another state of a/],
  ["an object that is not found", { operations: changed(1, { status: 404 }) }, /not found, but it exists/],
  [
    "a conflict without one",
    { operations: changed(3, { expected: 12 }).slice(0, 4), events: events.slice(0, 2) },
    /a conflict without one/,
  ],
])("%s is found", (_title, more, flaw) => {
  expect(flawsOfHistory({ ...history, ...more }).join("\n")).toMatch(flaw);
});
