import { describe, expect, test } from "vitest";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { formatTime } from "../../../apimachinery/time.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";
import {
  type Calculation,
  replicasForAverage,
  replicasForShare,
  replicasForUtilization,
  replicasForValue,
  sumOfValues,
} from "./replica-calculator.ts";
import { toleranceOf } from "./tolerances.ts";

const now = Date.UTC(2026, 0, 1);
const minute = 60_000;
const newest: FeatureGates = { since: () => true, isEnabled: () => true };

type Kind = "ready" | "unready" | "hot" | "pending" | "failed" | "deleting";

/** A pod that requests as many cores in each of its two containers. */
function pod(kind: Kind, index: number, cores: string): KubeObject {
  const container = (name: string) => ({ name, ...(cores && { resources: { requests: { cpu: cores } } }) });
  const started = formatTime(kind === "hot" ? now : now - 10 * minute);
  const isReady = kind === "ready" || kind === "hot";
  const ready = { type: "Ready", status: isReady ? "True" : "False", lastTransitionTime: started };
  const phases: { readonly [kind: string]: string } = { pending: "Pending", failed: "Failed" };
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: `p${index}`, ...(kind === "deleting" && { deletionTimestamp: started }) },
    spec: { containers: [container("a"), container("b")] },
    status: { phase: phases[kind] ?? "Running", startTime: started, conditions: [ready] },
  };
}

function calculation(
  current: number,
  kinds: readonly Kind[] = Array(current).fill("ready"),
  cores: readonly string[] = [],
): Calculation {
  const pods = kinds.map((kind, index) => pod(kind, index, cores[index] ?? "1"));
  return { current, pods, gates: newest, now, tolerance: toleranceOf(undefined, newest) };
}

/** The metrics of the first pods. */
const metricsOf = (values: readonly number[]) =>
  new Map(
    values.map((value, i) => [`p${i}`, { value: BigInt(value), timestamp: now, window: minute }] as const),
  );

const [ready, unready, hot, pending, failed, deleting] = [
  "ready",
  "unready",
  "hot",
  "pending",
  "failed",
  "deleting",
] as const;

// The cells of TestReplicaCalc... in kubernetes, pkg/controller/podautoscaler/replica_calculator_test.go.
describe("the utilization of CPU", () => {
  const whole = { name: "cpu", container: "" };
  test.each<[string, number, readonly Kind[], readonly number[], number, [number, number]]>([
    ["grows", 3, [ready, ready, ready], [600, 1000, 1400], 30, [5, 50]],
    ["grows less with unready pods", 3, [unready, ready, ready], [600, 1000, 1400], 30, [4, 60]],
    ["grows less with starting pods", 3, [hot, ready, ready], [600, 1000, 1400], 30, [4, 60]],
    ["stays if unready pods would shrink it", 3, [ready, unready, unready], [800, 1000, 1400], 30, [3, 40]],
    ["ignores failed pods", 2, [ready, ready, failed, failed], [1000, 1400], 30, [4, 60]],
    ["ignores pods that terminate", 2, [ready, ready, deleting, deleting], [1000, 1400], 30, [4, 60]],
    ["shrinks", 5, [ready, ready, ready, ready, ready], [200, 600, 1000, 500, 500], 50, [3, 28]],
    [
      "shrinks without unready pods",
      5,
      [ready, ready, ready, unready, unready],
      [200, 600, 1000, 500, 500],
      50,
      [2, 30],
    ],
    [
      "shrinks without starting pods",
      5,
      [ready, ready, ready, hot, hot],
      [200, 600, 1000, 500, 500],
      50,
      [2, 30],
    ],
    ["shrinks without pending pods", 5, [ready, pending, pending, pending, pending], [200], 50, [1, 10]],
    [
      "leaves metrics of no pods out",
      4,
      [ready, ready, ready, ready],
      [8000, 19000, 6000, 14000, 6400, 4000],
      100,
      [24, 587],
    ],
    [
      "counts pods without metrics as busy when it shrinks",
      4,
      [ready, ready, ready, ready],
      [800, 190],
      100,
      [3, 24],
    ],
    ["stays at the target without some metrics", 2, [ready, ready], [2000], 100, [2, 100]],
    ["stays if pods without metrics would shrink it", 2, [ready, ready], [3800], 100, [2, 190]],
    ["stays if pods without metrics would grow it", 2, [ready, ready], [1200], 100, [2, 60]],
    ["stays with unready pods and missing metrics", 3, [unready, ready, ready], [200, 900], 50, [3, 45]],
    ["grows with unready pods and missing metrics", 3, [unready, ready, ready], [200, 4000], 50, [4, 200]],
    [
      "shrinks with unready pods and missing metrics",
      4,
      [unready, ready, ready, ready],
      [200, 200, 200],
      50,
      [3, 10],
    ],
    ["never grows when it shrinks, in a rolling update", 2, [ready, ready, ready], [200, 200], 50, [2, 10]],
  ])("%s", (_title, current, kinds, values, target, [replicas, utilization]) => {
    const result = replicasForUtilization(calculation(current, kinds), metricsOf(values), whole, target);
    expect(result).toMatchObject({ replicas, utilization });
  });

  test("is of one container, by its name", () => {
    const metrics = metricsOf([300, 500, 700]);
    const container = { name: "cpu", container: "b" };
    const result = replicasForUtilization(calculation(3), metrics, container, 30);
    expect(result).toEqual({ replicas: 5, utilization: 50, usage: 500n });
  });

  test("counts pods without metrics as at the target, if that is above 100 %", () => {
    const before = calculation(4, [unready, ready, ready, ready], ["1", "1", "2", "2"]);
    expect(replicasForUtilization(before, metricsOf([400, 200, 200]), whole, 300)).toMatchObject({
      replicas: 2,
      utilization: 6,
    });
  });

  test.each<[string, string, string, number, number]>([
    ["within 10 %", "", "", 102, 3],
    ["beyond 0 %", "0", "0", 101, 4],
    ["within 200 % upwards", "", "2", 190, 3],
    ["beyond 8 % upwards", "2", "0.08", 109, 4],
    ["within 36 % downwards", "0.36", "", 65, 3],
    ["beyond 34 % downwards", "0.34", "", 65, 2],
  ])("%s of the target", (_title, down, up, percent, replicas) => {
    const behavior = {
      scaleDown: { ...(down && { tolerance: down }) },
      scaleUp: { ...(up && { tolerance: up }) },
    };
    const before = { ...calculation(3), tolerance: toleranceOf(behavior, newest) };
    const value = percent * 20;
    const result = replicasForUtilization(before, metricsOf([value, value, value]), whole, 100);
    expect(result.replicas).toBe(replicas);
  });

  test.each([
    ["1.32", false, 4],
    ["1.33", true, 3],
  ])("10 %% above the target in %s", (_release, isNew, replicas) => {
    const gates: FeatureGates = { since: (release) => isNew || release !== "1.33", isEnabled: () => false };
    const before = { ...calculation(3), gates, tolerance: toleranceOf(undefined, gates) };
    const result = replicasForUtilization(before, metricsOf([1100, 1100, 1100]), whole, 50);
    expect(result).toMatchObject({ utilization: 55, replicas });
  });

  test.each<[string, Calculation, readonly number[], string, string]>([
    [
      "without requests",
      calculation(1, [ready], [""]),
      [400],
      "",
      "missing request for cpu in container a of Pod p0",
    ],
    ["of a container that is not there", calculation(1), [400], "c", "container c not found in Pod p0"],
    [
      "without pods",
      calculation(0),
      [400],
      "",
      "no pods returned by selector while calculating replica count",
    ],
    [
      "of pods that are not ready",
      calculation(1, [unready]),
      [400],
      "",
      "did not receive metrics for targeted pods (pods might be unready)",
    ],
  ])("fails %s", (_title, before, values, container, message) => {
    const resource = { name: "cpu", container };
    expect(() => replicasForUtilization(before, metricsOf(values), resource, 50)).toThrow(message);
  });

  test("counts what a pod requests as a whole", () => {
    const before = calculation(1, [ready], [""]);
    const pods = before.pods.map((one) => ({
      ...one,
      spec: { ...Object(one["spec"]), resources: { requests: { cpu: "2" } } },
    }));
    expect(replicasForUtilization({ ...before, pods }, metricsOf([3000]), whole, 50)).toMatchObject({
      utilization: 150,
      replicas: 3,
    });
  });
});

describe("the average value of pods", () => {
  test.each<[string, number, readonly Kind[], readonly number[], number, [number, bigint]]>([
    ["grows", 3, [ready, ready, ready], [20000, 10000, 30000], 15000, [4, 20000n]],
    [
      "counts unready and starting pods",
      3,
      [ready, ready, unready],
      [50000, 10000, 30000],
      15000,
      [6, 30000n],
    ],
    [
      "counts them also if few others are ready",
      3,
      [unready, ready, hot],
      [50000, 15000, 30000],
      15000,
      [7, 31666n],
    ],
    ["shrinks", 5, [ready, ready, ready, ready, ready], Array(5).fill(12000), 20000, [3, 12000n]],
    ["stays within the tolerance", 3, [ready, ready, ready], [20000, 21000, 21000], 20000, [3, 20666n]],
    ["stays without some metrics", 5, Array(5).fill(ready), [20000, 19000, 21000], 20000, [5, 20000n]],
    ["never grows when it shrinks", 2, [ready, ready, ready], [10000, 10000], 17000, [2, 10000n]],
  ])("%s", (_title, current, kinds, values, target, [replicas, usage]) => {
    const result = replicasForAverage(calculation(current, kinds), metricsOf(values), "", BigInt(target));
    expect(result).toEqual({ replicas, usage });
  });
});

describe("a value that is no pod's", () => {
  test.each<[string, number, readonly Kind[], bigint, bigint, number]>([
    ["grows", 3, [ready, ready, ready], 20000n, 15000n, 4],
    ["counts ready pods only", 3, [unready, ready, unready], 50000n, 10000n, 5],
    ["may shrink for unready pods", 3, [unready, ready, unready], 8600n, 4400n, 2],
    ["shrinks", 5, Array(5).fill(ready), 12000n, 20000n, 3],
    ["stays within the tolerance", 3, [ready, ready, ready], 20666n, 20000n, 3],
    ["starts pods whatever the tolerance", 0, [], 20500n, 20000n, 2],
    ["is never too large", 3, [ready, ready, ready], 2n ** 63n - 1n, 1n, 2 ** 31 - 1],
  ])("%s", (_title, current, kinds, usage, target, replicas) => {
    expect(replicasForValue(calculation(current, kinds), usage, target)).toEqual({ replicas, usage });
  });

  test.each<[string, number, bigint, bigint, [number, bigint]]>([
    ["grows", 3, 20000n, 5000n, [4, 6667n]],
    ["shrinks", 5, 6000n, 2000n, [3, 1200n]],
    ["stays within the tolerance", 4, 20166n, 5000n, [4, 5042n]],
    ["is never too large", 1, 2n ** 63n - 1n, 1n, [2 ** 31 - 1, 2n ** 63n - 1n]],
  ])("spread over all pods %s", (_title, current, value, target, [replicas, usage]) => {
    const { tolerance } = calculation(current);
    expect(replicasForShare({ current, tolerance }, value, target)).toEqual({ replicas, usage });
  });

  test("the sum of values is an int64", () => {
    expect(sumOfValues([2n ** 63n - 1n, 5n])).toBe(2n ** 63n - 1n);
    expect(sumOfValues([1n, 2n])).toBe(3n);
  });
});
