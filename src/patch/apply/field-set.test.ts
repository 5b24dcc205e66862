import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { emptySet, type FieldSet, hasPath, isSorted, leavesOf, type Path, pathsOf } from "./field-set.ts";
import {
  difference,
  equalSets,
  intersection,
  isSubset,
  knownIfEqual,
  recursiveDifference,
  setOf,
  union,
} from "./field-set-algebra.ts";

const element = fc.constantFrom("f:a", "f:b", "f:c", 'k:{"n":1}', 'k:{"n":10}', 'v:"x"', "i:0");
const path = fc.array(element, { minLength: 1, maxLength: 4 });
const paths = fc.array(path, { maxLength: 12 });

/** Sets of paths as plain lists. */
const keyOf = (steps: Path): string => JSON.stringify(steps);
const keysOf = (list: readonly Path[]): readonly string[] => [...new Set(list.map(keyOf))].sort();
const contents = (set: FieldSet): readonly string[] => keysOf([...pathsOf(set)]);
const isBelow = (steps: Path, other: Path): boolean =>
  steps.length >= other.length && other.every((step, i) => step === steps[i]);

function isInOrder(node: FieldSet): boolean {
  return isSorted(Object.keys(node)) && Object.values(node).every(isInOrder);
}

describe("a field set behaves like a list of paths", () => {
  const operations: readonly [
    string,
    (a: FieldSet, b: FieldSet) => FieldSet,
    (a: readonly Path[], b: readonly Path[]) => readonly Path[],
  ][] = [
    ["union", union, (a, b) => [...a, ...b]],
    [
      "difference",
      difference,
      (a, b) => a.filter((steps) => !b.some((other) => keyOf(other) === keyOf(steps))),
    ],
    [
      "recursive difference",
      recursiveDifference,
      (a, b) => a.filter((steps) => !b.some((other) => isBelow(steps, other))),
    ],
    [
      "intersection",
      intersection,
      (a, b) => a.filter((steps) => b.some((other) => keyOf(other) === keyOf(steps))),
    ],
  ];

  test.each(operations)("%s", (_title, operation, model) => {
    fc.assert(
      fc.property(paths, paths, (a, b) => {
        const result = operation(setOf(...a), setOf(...b));
        expect(contents(result)).toEqual(keysOf(model(a, b)));
        // In upstream's order and canonical form.
        expect(isInOrder(result)).toBe(true);
        expect(result).toEqual(setOf(...pathsOf(result)));
      }),
    );
  });

  test("isSubset, equalSets and hasPath", () => {
    fc.assert(
      fc.property(paths, paths, path, (a, b, steps) => {
        const has = new Set(b.map(keyOf));
        expect(isSubset(setOf(...a), setOf(...b))).toBe(a.every((one) => has.has(keyOf(one))));
        expect(equalSets(setOf(...a), setOf(...b))).toBe(`${keysOf(a)}` === `${keysOf(b)}`);
        expect(hasPath(setOf(...b), steps)).toBe(has.has(keyOf(steps)));
      }),
    );
  });
});

describe("an operation that changes nothing returns its operand", () => {
  const some = setOf(["f:a"], ["f:b", "f:c"], ["f:b"]);
  test.each<[string, () => FieldSet]>([
    ["union with a subset", () => union(some, setOf(["f:b", "f:c"]))],
    ["union with a container of its own", () => union(some, setOf(["f:b"]))],
    ["union with itself", () => union(some, some)],
    ["union with the empty set", () => union(some, emptySet)],
    ["union of the empty set with it", () => union(emptySet, some)],
    ["difference from disjoint paths", () => difference(some, setOf(["f:z"], ["f:a", "f:z"]))],
    ["recursive difference from paths below", () => recursiveDifference(some, setOf(["f:a", "f:z"]))],
    ["intersection with itself", () => intersection(some, some)],
  ])("%s", (_title, result) => {
    expect(result()).toBe(some);
  });
});

describe("a container without the paths below it", () => {
  const container = setOf(["f:b"], ["f:b", "f:c"]);

  test("is what a difference leaves when it takes all of them", () => {
    expect(difference(container, setOf(["f:b", "f:c"]))).toEqual(setOf(["f:b"]));
    expect(recursiveDifference(container, setOf(["f:b", "f:c"]))).toEqual(setOf(["f:b"]));
  });

  test("is what two containers with other paths share", () => {
    expect(intersection(container, setOf(["f:b"], ["f:b", "f:d"]))).toEqual(setOf(["f:b"]));
    expect(intersection(container, setOf(["f:b", "f:d"]))).toEqual(emptySet);
  });
});

test("a set is a subset of itself", () => {
  const some = setOf(["f:a", "f:b"]);
  expect([isSubset(some, some), isSubset(emptySet, emptySet)]).toEqual([true, true]);
});

test("the paths of a set are listed by container, direct elements first", () => {
  const set = setOf(["f:b", "f:c"], ["f:b"], ["f:a", "f:d"], ["f:e"]);
  expect([...pathsOf(set)]).toEqual([["f:b"], ["f:e"], ["f:a", "f:d"], ["f:b", "f:c"]]);
});

test("the leaves of a set are its paths without paths below them", () => {
  expect(leavesOf(setOf(["f:a"], ["f:a", "f:b"], ["f:c"]))).toEqual(setOf(["f:a", "f:b"], ["f:c"]));
});

test("elements are in order only without duplicates", () => {
  expect(
    [
      ["f:a", "f:b"],
      ["f:b", "f:a"],
      ["f:a", "f:a"],
    ].map(isSorted),
  ).toEqual([true, false, false]);
});

test("the whole object is in no set", () => {
  expect(hasPath(emptySet, [])).toBe(false);
});

test("a set that is known already stays the same object", () => {
  fc.assert(
    fc.property(paths, paths, (a, b) => {
      const [known, set, same] = [setOf(...a), setOf(...b), setOf(...a)];
      expect(knownIfEqual(known, same)).toBe(known);
      expect(knownIfEqual(known, set)).toBe(equalSets(known, set) ? known : set);
      expect(knownIfEqual(undefined, set)).toBe(set);
    }),
  );
  const [small, large] = [setOf(["f:a"]), setOf(["f:a"], ["f:b"])];
  expect([knownIfEqual(small, large), knownIfEqual(large, small)]).toEqual([large, small]);
});
