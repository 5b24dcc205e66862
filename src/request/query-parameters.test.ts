import { expect, test } from "vitest";
import { noQuery, queryOfPairs, searchParamsOf } from "./query-parameters.ts";

test("parameters of pairs are those of URLSearchParams", () => {
  const pairs = [
    ["a", "1"],
    ["b", ""],
    ["a", "2"],
  ] as const;
  const query = queryOfPairs(pairs);
  const expected = new URLSearchParams("a=1&b=&a=2");
  for (const name of ["a", "b", "c"]) {
    expect([query.get(name), query.getAll(name), query.has(name)]).toEqual([
      expected.get(name),
      expected.getAll(name),
      expected.has(name),
    ]);
  }
  expect([[...query.keys()], [...query]]).toEqual([[...expected.keys()], [...expected]]);
  expect(String(searchParamsOf(query))).toBe(String(expected));
});

test("parameters that are URLSearchParams already are not copied", () => {
  const parameters = new URLSearchParams("a=1");
  expect(searchParamsOf(parameters)).toBe(parameters);
});

test("a byte that is not UTF-8 becomes U+FFFD", () => {
  expect([...searchParamsOf(queryOfPairs([["a", "\udcff"]]))]).toEqual([["a", "\ufffd"]]);
});

test("no query has no parameters", () => {
  expect([noQuery.get("a"), noQuery.has("a")]).toEqual([null, false]);
  expect([noQuery.getAll("a"), [...noQuery.keys()], [...noQuery]]).toEqual([[], [], []]);
});
