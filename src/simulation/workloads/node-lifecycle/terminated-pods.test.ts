import { expect, test } from "vitest";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { TerminatedPods } from "./terminated-pods.ts";

const pod = (name: string, day: number, status: KubeObject["status"]): KubeObject => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name, namespace: "n", creationTimestamp: `2026-01-0${day}T00:00:00Z` },
  status,
});
const put = (object: KubeObject) => ({ type: "put", object, isFound: false }) as const;
const evicted = { phase: "Failed", reason: "Evicted" };

test("evicted pods come first, then old ones, then by name", () => {
  const known = new TerminatedPods();
  const failed = { phase: "Failed" };
  known.take(put(pod("b", 2, failed)));
  known.take(put(pod("a", 2, { phase: "Succeeded" })));
  known.take(put(pod("runs", 1, { phase: "Running" })));
  known.take(put(pod("old", 1, failed)));
  known.take(put(pod("new", 3, failed)));
  expect(known.above(0)).toEqual(["n/old", "n/a", "n/b", "n/new"]);
  const fork = known.fork();
  known.take(put(pod("new", 3, evicted)));
  known.take({ ...put(pod("a", 2, failed)), type: "delete" });
  expect(known.above(0)).toEqual(["n/new", "n/old", "n/b"]);
  expect([known.above(1), known.above(3), known.above(4)]).toEqual([["n/new", "n/old"], [], []]);
  expect(fork.above(2)).toEqual(["n/old", "n/a"]);
});
