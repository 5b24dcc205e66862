import { describe, expect, test } from "vitest";
import { Keyspace } from "./keyspace.ts";
import { type StoredValue, Version } from "./stored-value.ts";
import { ValueReader } from "./value-reader.ts";

interface Item {
  readonly n: number;
  readonly unit?: { readonly name: string };
}

/** A release that shows 1 as it is and every other number tenfold, and that cannot read negative ones. */
function readerOf(): { reader: ValueReader<Item>; asked: number[] } {
  const asked: number[] = [];
  const reader = new ValueReader<Item>((value) => {
    asked.push(value.n);
    if (value.n === -2) throw new Error("the conversion failed");
    if (value.n === -3) throw "no reason";
    if (value.n < 0) return { unreadable: `${value.n} is unknown` };
    return { value: value.n === 1 ? value : { n: value.n * 10, unit: { name: "tenth" } } };
  });
  return { reader, asked };
}

const first = new Version<Item>("put", "k", { n: 1 }, { app: "web" }, 4, undefined);
const written = (n: number, type: "put" | "delete" | "corrupt" = "put") =>
  new Version<Item>(type, "k", { n }, { app: "web" }, 6, first);

describe("a value that another release wrote", () => {
  test("is shown in the form of this one, with its revisions and labels, and is stale", () => {
    const shown = readerOf().reader.read(written(2));
    expect(shown).toMatchObject({ key: "k", value: { n: 20 }, labels: { app: "web" }, corrupt: false });
    expect(shown).toMatchObject({ createRevision: 4, modRevision: 6, version: 2 });
    expect(shown.stale).toEqual({ unreadable: undefined });
    expect([shown.value, shown.value.unit].map((part) => Object.isFrozen(part))).toEqual([true, true]);
  });

  test("is not stale if its form is the same", () => {
    const shown = readerOf().reader.read(written(1));
    expect([shown.value, shown.stale]).toEqual([{ n: 1 }, undefined]);
  });

  test("is read once, and the same each time", () => {
    const { reader, asked } = readerOf();
    const stored = written(2);
    expect(reader.read(stored)).toBe(reader.read(stored));
    expect(asked).toEqual([2]);
  });

  test.each([
    [-1, "-1 is unknown"],
    [-2, "the conversion failed"],
    [-3, "no reason"],
  ])("is corrupt if it is %d, because %s", (n, unreadable) => {
    const { reader } = readerOf();
    expect(reader.hasUnreadable).toBe(false);
    expect(reader.read(written(n))).toMatchObject({ value: { n }, corrupt: true, stale: { unreadable } });
    expect(reader.hasUnreadable).toBe(true);
    reader.read(written(2));
    expect(reader.hasUnreadable).toBe(true);
  });

  test("is shown as deleted if it is the last one of a deleted key", () => {
    const shown = readerOf().reader.read(written(2, "delete"));
    expect(shown).toMatchObject({ tombstone: true, corrupt: false, value: { n: 20 }, version: 1 });
  });

  test("does not share its bytes, which can differ", () => {
    const stored = written(2);
    stored.encoded("json", () => Uint8Array.of(2));
    const shown = readerOf().reader.read(stored);
    expect(shown.encoded("json", ({ n }) => Uint8Array.of(n))).toEqual(Uint8Array.of(20));
  });
});

test("a value that was corrupt when it was written, or that this release wrote, is shown as it is", () => {
  const { reader, asked } = readerOf();
  const [corrupt, own] = [written(2, "corrupt"), written(3)];
  reader.keep(own);
  expect([reader.read(corrupt), reader.read(own)]).toEqual([corrupt, own]);
  expect([reader.read(corrupt) === corrupt, reader.read(own) === own, asked]).toEqual([true, true, []]);
  expect(reader.hasUnreadable).toBe(false);
});

test("a range selects among the values as they are shown, however other releases have selected", () => {
  const keyspace = Keyspace.empty<Item>(1);
  for (const n of [1, 2, 3, -1]) {
    keyspace.write(
      new Version<Item>("put", `k/${n}`, { n }, {}, keyspace.revision + 1, undefined),
      undefined,
      0,
    );
  }
  const isLarge = ({ value }: StoredValue<Item>) => value.n >= 20;
  const options = {
    prefix: "k/",
    limit: 1,
    select: isLarge,
    selection: { key: "large", name: undefined },
  };
  expect(keyspace.range(options).items).toEqual([]);
  const { reader } = readerOf();
  const page = reader.range(keyspace, options);
  expect(page.items.map(({ key, value }) => [key, value.n])).toEqual([["k/2", 20]]);
  expect([page.more, page.remaining, page.revision]).toEqual([true, 1, 5]);
  const all = reader.range(keyspace, { prefix: "k/" }).items;
  expect(all.map(({ value, corrupt }) => [value.n, corrupt])).toEqual([
    [-1, true],
    [1, false],
    [20, false],
    [30, false],
  ]);
});
