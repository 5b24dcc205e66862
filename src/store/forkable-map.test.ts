import fc from "fast-check";
import { expect, test } from "vitest";
import { ForkableMap } from "./forkable-map.ts";

type Write = readonly [key: string, value: number | undefined];

const keys = fc.constantFrom("", "a", "a/", "a/b", "a/c", "b", "\u{1f600}", "\uffff");
const writes: fc.Arbitrary<readonly Write[]> = fc.array(
  fc.tuple(keys, fc.option(fc.nat(9), { nil: undefined })),
);

function write(map: ForkableMap<number> | Map<string, number>, changes: readonly Write[]): void {
  for (const [key, value] of changes) {
    if (value === undefined) map.delete(key);
    else map.set(key, value);
  }
}

/** The values of a plain map, in the order of the keys' UTF-8 bytes. */
function inOrder(model: ReadonlyMap<string, number>, prefix: string): readonly number[] {
  return [...model]
    .filter(([key]) => key.startsWith(prefix))
    .sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    .map(([, value]) => value);
}

test("a map and its forks hold what was written to each", () => {
  const check = (map: ForkableMap<number>, model: ReadonlyMap<string, number>) => {
    for (const key of ["", "a", "a/", "a/b", "a/c", "b", "\u{1f600}", "\uffff"]) {
      expect([map.get(key), map.has(key)]).toEqual([model.get(key), model.has(key)]);
    }
    for (const prefix of ["", "a", "a/", "\u{1f600}"]) {
      expect(map.values(prefix)).toEqual(inOrder(model, prefix));
      expect(map.values(prefix, 2)).toEqual(inOrder(model, prefix).slice(0, 2));
    }
  };
  fc.assert(
    fc.property(writes, writes, writes, (before, here, there) => {
      const map = new ForkableMap<number>();
      const model = new Map<string, number>();
      write(map, before);
      write(model, before);
      const fork = map.fork();
      const forked = new Map(model);
      write(map, here);
      write(model, here);
      write(fork, there);
      write(forked, there);
      check(map, model);
      check(fork, forked);
    }),
  );
});

test("no values are asked for", () => {
  const map = new ForkableMap<number>();
  map.set("a", 1);
  expect(map.values("", 0)).toEqual([]);
});

test("no more values are returned than asked for, however many there are", () => {
  const map = new ForkableMap<number>();
  for (let n = 0; n < 200; n++) map.set(String(1000 + n), n);
  expect(map.values("", 1)).toEqual([0]);
  expect(map.values("11", 3)).toEqual([100, 101, 102]);
  expect(map.values("").length).toBe(200);
});

test("deleting a key that does not exist changes nothing", () => {
  const map = new ForkableMap<number>();
  map.set("b", 1);
  map.delete("a");
  expect(map.values("")).toEqual([1]);
});
