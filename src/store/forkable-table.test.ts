import fc from "fast-check";
import { expect, test } from "vitest";
import { ForkableTable } from "./forkable-table.ts";

const keys = Array.from({ length: 12 }, (_, index) => `key-${index}`);

const step = fc.record({
  /** Which table the step is for: one of those that exist by then. */
  table: fc.nat(),
  type: fc.constantFrom("set", "set", "delete", "fork"),
  key: fc.constantFrom(...keys),
  value: fc.nat(9),
});

test("each table has what was written to it and to those that it is a fork of", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const tables = [{ table: new ForkableTable<number>(), model: new Map<string, number>() }];
      for (const { table: number, type, key, value } of steps) {
        const { table, model } = tables[number % tables.length] ?? expect.unreachable("there is a table");
        if (type === "fork") tables.push({ table: table.fork(), model: new Map(model) });
        else if (type === "delete") {
          table.delete(key);
          model.delete(key);
        } else {
          table.set(key, value);
          model.set(key, value);
        }
      }
      for (const { table, model } of tables) {
        expect(keys.map((key) => table.get(key))).toEqual(keys.map((key) => model.get(key)));
        expect(keys.map((key) => table.has(key))).toEqual(keys.map((key) => model.has(key)));
      }
    }),
  );
});

test("values that are false in a condition are kept", () => {
  const table = new ForkableTable<number | string | boolean>();
  for (const [key, value] of [
    ["a", 0],
    ["b", ""],
    ["c", false],
  ] as const)
    table.set(key, value);
  const fork = table.fork();
  expect(["a", "b", "c"].map((key) => [fork.get(key), fork.has(key)])).toEqual([
    [0, true],
    ["", true],
    [false, true],
  ]);
});
