import { expect, test } from "vitest";
import { LoadRecord } from "./load-record.ts";

const load = { uids: [], events: [], absentOwners: [], time: 0 };
const absentIn = ({ notes }: LoadRecord) => [...notes.absentOwners];

test("owners are absent until a load brings them", () => {
  const record = new LoadRecord({ absentOwners: new Set(["a"]), eventTimes: new Map() });
  record.add({ ...load, absentOwners: ["b", "c"], uids: ["a", "b"] });
  expect(absentIn(record)).toEqual(["c"]);
  expect([record.isAbsentOwner("c"), record.isAbsentOwner("b")]).toEqual([true, false]);
});

test("snapshots and forks do not change with the cluster", () => {
  const record = new LoadRecord();
  record.add({ ...load, absentOwners: ["a"] });
  const [saved, fork] = [record.notes, record.fork()];
  record.add({ ...load, absentOwners: ["b"], uids: ["a"] });
  expect([[...saved.absentOwners], absentIn(fork), absentIn(record)]).toEqual([["a"], ["a"], ["b"]]);
  record.restore(saved);
  expect(record.isAbsentOwner("a")).toBe(true);
});
