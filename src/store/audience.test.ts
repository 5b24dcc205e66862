import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Audience, type Listener, type WatchFilter } from "./audience.ts";
import { type StoredValue, type StoreEvent, Version } from "./stored-value.ts";

interface Thing {
  readonly color: string;
  readonly size: number;
}

class Reader implements Listener<Thing> {
  readonly events: StoreEvent<Thing>[] = [];
  publish(event: StoreEvent<Thing>): void {
    this.events.push(event);
  }
}

let revision = 0;

function version(value: Thing, previous?: StoredValue<Thing>): StoredValue<Thing> {
  return new Version("put", "things/a", value, {}, ++revision, previous);
}

function put(value: Thing, before?: Thing): StoreEvent<Thing> {
  const previous = before && version(before);
  const current = version(value, previous);
  return { type: "put", revision, key: "things/a", value: current, previous };
}

function deletion(value: Thing): StoreEvent<Thing> {
  const previous = version(value);
  return { type: "delete", revision: ++revision, key: "things/a", value: previous, previous };
}

/** Selects a color and sizes from `least` on; the color is pinned, if there is one. */
function filterOf(color: string | undefined, least: number): WatchFilter<Thing> {
  const pin = color === undefined ? undefined : { field: "color", read: colorOf, value: color };
  return {
    key: `${color} ${least}`,
    selects: ({ value }) => (color === undefined || value.color === color) && value.size >= least,
    pin,
  };
}

const colorOf = ({ value }: StoredValue<Thing>) => value.color;

const things = fc.record({ color: fc.constantFrom("red", "blue"), size: fc.nat(3) });
const filters = fc.option(
  fc
    .tuple(fc.option(fc.constantFrom("red", "blue", "green"), { nil: undefined }), fc.nat(3))
    .map((parts) => filterOf(...parts)),
  { nil: undefined },
);
const events = fc.oneof(
  fc.tuple(things, fc.option(things, { nil: undefined })).map((parts) => put(...parts)),
  things.map(deletion),
);

describe("an audience", () => {
  test("gives each listener the events that its filter selects, before or after, in order", () => {
    fc.assert(
      fc.property(fc.array(filters, { maxLength: 12 }), fc.array(events), (wanted, happened) => {
        const audience = new Audience<Thing, Reader>();
        const readers = wanted.map((filter) => {
          const reader = new Reader();
          audience.add(reader, filter);
          return { filter, reader };
        });
        for (const event of happened) audience.publish(event);
        for (const { filter, reader } of readers) {
          const seen = happened.filter(
            ({ type, value, previous }) =>
              filter === undefined ||
              (type === "put" && filter.selects(value)) ||
              (previous !== undefined && filter.selects(previous)),
          );
          expect(reader.events).toEqual(seen);
        }
      }),
    );
  });

  test("forgets who leaves, and is empty in the end", () => {
    fc.assert(
      fc.property(fc.array(filters), (wanted) => {
        const audience = new Audience<Thing, Reader>();
        const readers = wanted.map((filter) => ({ filter, reader: new Reader() }));
        for (const { reader, filter } of readers) audience.add(reader, filter);
        expect(new Set(audience.listeners())).toEqual(new Set(readers.map(({ reader }) => reader)));
        for (const { reader, filter } of readers) {
          expect(audience.isEmpty).toBe(false);
          audience.delete(reader, filter);
          audience.delete(reader, filter);
        }
        audience.publish(put({ color: "red", size: 3 }));
        expect([audience.isEmpty, audience.listeners()]).toEqual([true, []]);
        expect(readers.flatMap(({ reader }) => reader.events)).toEqual([]);
      }),
    );
  });

  test("asks a filter once for all its listeners, and not at all about other values of a pinned field", () => {
    const audience = new Audience<Thing, Reader>();
    let asked = 0;
    const counting = (filter: WatchFilter<Thing>): WatchFilter<Thing> => ({
      ...filter,
      selects: (stored) => {
        asked++;
        return filter.selects(stored);
      },
    });
    for (let i = 0; i < 100; i++) audience.add(new Reader(), counting(filterOf(`color ${i}`, 0)));
    for (let i = 0; i < 100; i++) audience.add(new Reader(), counting(filterOf(undefined, 3)));
    audience.publish(put({ color: "red", size: 1 }));
    expect(asked).toBe(1);
    audience.publish(put({ color: "color 7", size: 1 }, { color: "color 8", size: 1 }));
    expect(asked).toBe(1 + 2 + 3);
  });
});
