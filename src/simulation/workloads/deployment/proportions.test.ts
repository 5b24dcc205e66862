import { expect, test } from "vitest";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { proportionalSizes } from "./proportions.ts";

/** The cells of TestScale in kubernetes, pkg/controller/deployment/sync_test.go: the newest ReplicaSet is the first one. */
test.each([
  [5, 10, [2, 3], [4, 6]],
  [5, 3, [2, 3], [1, 2]],
  [9, 4, [8, 1], [4, 0]],
  [7, 10, [2, 3, 2], [3, 4, 3]],
  [13, 8, [2, 8, 3], [1, 5, 2]],
  [3, 4, [1, 1, 1], [2, 1, 1]],
  [3, 2, [1, 1, 1], [1, 1, 0]],
  [4, 5, [2, 2], [3, 2]],
  [6, 0, [3, 2, 1], [0, 0, 0]],
  [10, 14, [7, 3], [10, 4]],
])("scaled from %d to %d, ReplicaSets with %j pods get %j", (before, after, sizes, expected) => {
  expect(scaled({ before, after, sizes })).toEqual(expected);
});

test.each([
  [{ before: 10, after: 20, sizes: [6, 6], surgeBefore: 2, surge: 2 }, [11, 11]],
  [{ before: 10, after: 50, sizes: [5, 8], surgeBefore: 3, surge: 6 }, [22, 34]],
])("the surge counts: %j", (cell, expected) => {
  expect(scaled(cell)).toEqual(expected);
});

interface Cell {
  readonly before: number;
  readonly after: number;
  readonly sizes: readonly number[];
  readonly surgeBefore?: number;
  readonly surge?: number;
}

function scaled({ before, after, sizes, surgeBefore = 0, surge = 0 }: Cell): readonly (number | undefined)[] {
  const replicaSets = sizes.map((replicas, i): KubeObject => {
    const annotations = { "deployment.kubernetes.io/max-replicas": String(before + surgeBefore) };
    const creationTimestamp = `2026-01-01T0${9 - i}:00:00Z`;
    return {
      apiVersion: "apps/v1",
      kind: "ReplicaSet",
      metadata: { name: `web-${i}`, annotations, creationTimestamp },
      spec: { replicas },
    };
  });
  const strategy = { type: "RollingUpdate", rollingUpdate: { maxSurge: surge, maxUnavailable: 0 } };
  const deployment = {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "web" },
    spec: { replicas: after, strategy },
  };
  const found = new Map(proportionalSizes(deployment, replicaSets));
  return replicaSets.map((one) => found.get(one));
}
