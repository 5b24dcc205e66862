import { expect, test } from "vitest";
import { AbsentOwners } from "./absent-owners.ts";

test("owners are absent until a load brings them", () => {
  const owners = new AbsentOwners(new Set(["a"]));
  owners.update(["b", "c"], ["a", "b"]);
  expect([...owners.uids]).toEqual(["c"]);
  expect([owners.has("c"), owners.has("b")]).toEqual([true, false]);
});

test("snapshots and forks do not change with the cluster", () => {
  const owners = new AbsentOwners();
  owners.update(["a"], []);
  const [saved, fork] = [owners.uids, owners.fork()];
  owners.update(["b"], ["a"]);
  expect([[...saved], [...fork.uids], [...owners.uids]]).toEqual([["a"], ["a"], ["b"]]);
  owners.restore(saved);
  expect(owners.has("a")).toBe(true);
});
