import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Keyspace } from "./keyspace.ts";
import { type StoredValue, Version } from "./stored-value.ts";

interface Item {
  readonly color: string;
}

function write(keyspace: Keyspace<Item>, key: string, color: string | undefined): void {
  const revision = keyspace.revision + 1;
  const previous = keyspace.get(key, revision);
  if (color === undefined && previous === undefined) return;
  const type = color === undefined ? "delete" : "put";
  keyspace.write(new Version(type, key, { color: color ?? "" }, {}, revision, previous), previous, revision);
}

const colors = ["red", "green", "blue"];
const selects =
  (color: string) =>
  ({ value }: StoredValue<Item>) =>
    value.color === color;
const isNamed =
  (name: string) =>
  ({ key }: StoredValue<Item>) =>
    key.endsWith(`/${name}`);

const names = fc.constantFrom("a", "b", "m", "z", "\u{1f600}", "\uffee", "x-1", "x-2");
const keys = fc
  .tuple(fc.constantFrom("p/one/", "p/two/", "p/two-b/", "p/", "q/one/"), names, fc.nat(30))
  .map(([folder, name, number]) => `${folder}${number < 15 ? name : `${name}${number}`}`);
const steps = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.record({ key: keys, color: fc.option(fc.constantFrom(...colors)) }) },
    { weight: 1, arbitrary: fc.constantFrom("fork" as const, "compact" as const) },
    { weight: 2, arbitrary: fc.record({ ago: fc.nat(5), limit: fc.nat(3), name: names }) },
  ),
  { maxLength: 60 },
);

/** All selections, at a revision and with a limit, with and without what is known of them. */
function expectSamePages(keyspace: Keyspace<Item>, at: number, limit: number, name: string): void {
  for (const prefix of ["p/", "p/two/", "q/", ""]) {
    for (const color of colors) {
      const options = { prefix, at, limit, select: selects(color) };
      const selection = { key: color, name: undefined };
      expect(keyspace.range({ ...options, selection })).toEqual(keyspace.range(options));
    }
    const options = { prefix, at, limit, select: isNamed(name) };
    expect(keyspace.range({ ...options, selection: { key: `name ${name}`, name } })).toEqual(
      keyspace.range(options),
    );
  }
}

describe("a range that knows its selection", () => {
  test("selects the same values, whatever was written and read before", () => {
    fc.assert(
      fc.property(steps, (taken) => {
        let keyspace = Keyspace.empty<Item>(1);
        const forks: Keyspace<Item>[] = [];
        for (let index = 0; index < 150; index++) write(keyspace, `p/one/${index}`, colors[index % 2]);
        for (const step of taken) {
          if (step === "fork") {
            forks.push(keyspace);
            keyspace = keyspace.fork();
          } else if (step === "compact") keyspace.compact(keyspace.revision - 2);
          else if ("key" in step) write(keyspace, step.key, step.color ?? undefined);
          else {
            const at = Math.max(keyspace.compactRevision, keyspace.revision - step.ago);
            expectSamePages(keyspace, at, step.limit, step.name);
          }
        }
        for (const one of [...forks, keyspace]) expectSamePages(one, one.revision, 0, "x-1");
      }),
      { numRuns: 20 },
    );
  });

  test("asks again only for values near those that have changed", () => {
    const keyspace = Keyspace.empty<Item>(1);
    for (let index = 0; index < 10_000; index++) {
      write(keyspace, `p/${String(index).padStart(5, "0")}`, "red");
    }
    let asked = 0;
    const range = () => {
      asked = 0;
      const select = ({ value }: StoredValue<Item>) => {
        asked += 1;
        return value.color === "blue";
      };
      return keyspace.range({ prefix: "p/", select, selection: { key: "blue", name: undefined } }).items;
    };
    expect([range(), asked]).toEqual([[], 10_000]);
    // The first and the last leaf can have other keys, too; here they have not.
    expect([range(), asked]).toEqual([[], 0]);
    write(keyspace, "p/05000", "blue");
    expect(range().map(({ key }) => key)).toEqual(["p/05000"]);
    expect(asked).toBeLessThanOrEqual(64);
  });

  test("reads few keys of each folder for a name", () => {
    const keyspace = Keyspace.empty<Item>(1);
    for (let index = 0; index < 9000; index++) {
      write(keyspace, `p/${index % 3}/${String(index).padStart(5, "0")}`, "red");
    }
    let asked = 0;
    const select = ({ key }: StoredValue<Item>) => {
      asked += 1;
      return key.endsWith("/04711");
    };
    const selection = { key: "04711", name: "04711" };
    expect(keyspace.range({ prefix: "p/", select, selection }).items.map(({ key }) => key)).toEqual([
      "p/1/04711",
    ]);
    expect(asked).toBe(1);
  });
});
