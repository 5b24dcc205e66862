import fc from "fast-check";
import { expect, test } from "vitest";
import { isSameToken, TokenTable } from "./token-table.ts";

const token = fc.string({ unit: fc.constantFrom("a", "b", "\0", "é", "\ud800"), maxLength: 4 });

test("a table is a map of its tokens", () => {
  const operations = fc.array(fc.tuple(fc.constantFrom("set", "delete"), token, fc.nat(9)));
  fc.assert(
    fc.property(operations, fc.array(token), (steps, asked) => {
      const [table, map] = [new TokenTable<number>(), new Map<string, number>()];
      for (const [operation, key, value] of steps) {
        if (operation === "set") {
          table.set(key, value);
          map.set(key, value);
        } else {
          table.delete(key);
          map.delete(key);
        }
      }
      for (const key of asked) expect(table.get(key)).toBe(map.get(key));
    }),
  );
});

test("tokens are the same if all characters are", () => {
  fc.assert(fc.property(token, token, (a, b) => isSameToken(a, b) === (a === b)));
});

test("a comparison looks at every character, however early the tokens differ", () => {
  let looks = 0;
  /** A text that counts how often a character of it is looked at. */
  class Counted extends String {
    override charCodeAt(at: number): number {
      looks += 1;
      return super.charCodeAt(at);
    }
  }
  const secret = "0123456789";
  const steps = ["x123456789", "012345678x", "0123456789", "x"].map((guess) => {
    looks = 0;
    // The function calls only what texts have.
    isSameToken(new Counted(secret) as unknown as string, guess);
    return looks;
  });
  expect(steps).toEqual([10, 10, 10, 10]);
});
