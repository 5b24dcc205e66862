import fc from "fast-check";
import { expect, test } from "vitest";
import { LatestEntries } from "./latest-entries.ts";

const keys = ["a", "b", "c", "d", "e", "f", "g"];

/** The same as a list of pairs, the oldest first. */
function model(most: number, sets: readonly (readonly [string, number])[]): ReadonlyMap<string, number> {
  const entries = new Map<string, number>();
  for (const [key, value] of sets) {
    entries.delete(key);
    entries.set(key, value);
  }
  return new Map([...entries].slice(-most));
}

const calls = fc.array(fc.tuple(fc.constantFrom(...keys), fc.nat(100)), { maxLength: 80 });

test("the entries that were set last stay, also in a fork", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5 }), calls, calls, (most, before, after) => {
      const entries = new LatestEntries<number>(most);
      for (const [key, value] of before) entries.set(key, value);
      const fork = entries.fork();
      for (const [key, value] of after) fork.set(key, value);
      const [first, all] = [model(most, before), model(most, [...before, ...after])];
      for (const key of keys) {
        expect([entries.get(key), fork.get(key)]).toEqual([first.get(key), all.get(key)]);
      }
    }),
  );
});
