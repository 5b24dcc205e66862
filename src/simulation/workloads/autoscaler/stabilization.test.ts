import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { AutoscalerHistory, Recommendation, ScaleEvent } from "./autoscaler-memory.ts";
import { type Limits, normalized } from "./stabilization.ts";

const now = Date.UTC(2026, 0, 1);
const unlimited = 2 ** 31 - 1;

/** Rules with a policy of pods and one of percent; a period of 0 seconds is no policy. */
function rules(
  pods: number,
  podSeconds: number,
  percent: number,
  percentSeconds: number,
  window: number,
): JsonObject {
  const policy = (type: string, value: number, periodSeconds: number) =>
    periodSeconds === 0 ? [] : [{ type, value, periodSeconds }];
  const policies = [...policy("Pods", pods, podSeconds), ...policy("Percent", percent, percentSeconds)];
  return { selectPolicy: "Max", stabilizationWindowSeconds: window, policies };
}

const defaultUp = rules(4, 15, 100, 15, 0);
const defaultDown = rules(0, 0, 100, 15, 300);

/** Changes that are spread over the seconds before now. */
function spread(changes: readonly number[], seconds: number): readonly ScaleEvent[] {
  const interval = (seconds * 1000) / (changes.length + 1);
  return changes.map((change, i) => ({ change, time: now - interval * (i + 1) }));
}

function limits(parts: Partial<Limits>, history: Partial<AutoscalerHistory> = {}): Limits {
  const known = { due: 0, selector: "", recommendations: [], ups: [], downs: [], ...history };
  return { min: 1, max: 1000, current: 10, behavior: undefined, now, ...parts, history: known };
}

// The cells of TestConvertDesiredReplicasWithRules and TestScalingWithRules in kubernetes, pkg/controller/podautoscaler/horizontal_test.go.
test.each<[number, number, number, number, number, string]>([
  [5, 7, 3, 8, 7, "DesiredWithinRange"],
  [3, 1, 2, 8, 2, "TooFewReplicas"],
  [1, 0, 0, 10, 0, "DesiredWithinRange"],
  [20, 1000, 1, 10, 10, "TooManyReplicas"],
  [3, 1000, 1, 2000, 6, "ScaleUpLimit"],
  [1, 1000, 1, 2000, 4, "ScaleUpLimit"],
])(
  "without a behavior, %d replicas become %d within %d and %d: %d, %s",
  (current, wanted, min, max, replicas, reason) => {
    const result = normalized(wanted, limits({ current, min, max }));
    expect(result).toMatchObject({ replicas, limited: { reason, isLimited: replicas !== wanted } });
  },
);

describe("with a behavior", () => {
  const up = (value: JsonObject) => ({ up: value, down: { ...defaultDown, stabilizationWindowSeconds: 0 } });
  const down = (value: JsonObject) => ({ up: defaultUp, down: { ...value, stabilizationWindowSeconds: 0 } });
  const events = { ups: spread([1, 5, 9], 120) };
  const downEvents = { downs: spread([1, 5, 9], 120) };

  test.each<[string, Partial<Limits>, Partial<AutoscalerHistory>, number, number, string]>([
    ["the default doubles", { behavior: up(defaultUp) }, {}, 50, 20, "ScaleUpLimit"],
    [
      "the larger policy of pods counts",
      { behavior: up(rules(100, 60, 100, 60, 0)) },
      {},
      500,
      110,
      "ScaleUpLimit",
    ],
    [
      "the larger policy of percent counts",
      { behavior: up(rules(2, 60, 100, 60, 0)) },
      {},
      500,
      20,
      "ScaleUpLimit",
    ],
    [
      "a large policy limits nothing",
      { behavior: up(rules(100, 60, 0, 0, 0)) },
      {},
      50,
      50,
      "DesiredWithinRange",
    ],
    ["percent", { behavior: up(rules(0, 0, 200, 60, 0)) }, {}, 50, 30, "ScaleUpLimit"],
    [
      "the maximum",
      { behavior: up(rules(300, 60, 0, 0, 0)), current: 100, max: 200 },
      events,
      500,
      200,
      "TooManyReplicas",
    ],
    [
      "a small percentage adds one",
      { behavior: up(rules(0, 0, 1, 60, 0)), current: 3, max: 2000 },
      {},
      1000,
      4,
      "ScaleUpLimit",
    ],
    [
      "earlier growth counts",
      { behavior: up(rules(150, 120, 0, 0, 0)), current: 100 },
      events,
      500,
      235,
      "ScaleUpLimit",
    ],
    [
      "earlier growth counts for percent",
      { behavior: up(rules(0, 0, 200, 120, 0)), current: 100 },
      events,
      500,
      255,
      "ScaleUpLimit",
    ],
    [
      "too much earlier growth",
      { behavior: up(rules(5, 120, 0, 0, 0)), current: 100 },
      events,
      500,
      100,
      "ScaleUpLimit",
    ],
    [
      "earlier changes of both directions",
      { behavior: up(rules(0, 0, 300, 300, 0)), current: 6 },
      { ups: spread([4], 120), downs: spread([2], 120) },
      24,
      16,
      "ScaleUpLimit",
    ],
    [
      "a disabled policy",
      { behavior: up({ ...defaultUp, selectPolicy: "Disabled" }) },
      {},
      50,
      10,
      "ScaleUpLimit",
    ],
    [
      "the smallest change",
      { behavior: up({ ...rules(2, 60, 50, 60, 0), selectPolicy: "Min" }), current: 1 },
      {},
      50,
      2,
      "ScaleUpLimit",
    ],
  ])("a target grows: %s", (_title, parts, history, wanted, replicas, reason) => {
    expect(normalized(wanted, limits(parts, history))).toMatchObject({ replicas, limited: { reason } });
  });

  test.each<[string, Partial<Limits>, Partial<AutoscalerHistory>, number, number, string]>([
    [
      "pods",
      { behavior: down(rules(20, 60, 0, 0, 0)), current: 1000, min: 3, max: 2000 },
      {},
      3,
      980,
      "ScaleDownLimit",
    ],
    [
      "the larger policy of pods counts",
      { behavior: down(rules(20, 60, 1, 60, 0)), current: 100 },
      {},
      2,
      80,
      "ScaleDownLimit",
    ],
    [
      "the larger policy of percent counts",
      { behavior: down(rules(1, 60, 2, 60, 0)), current: 100 },
      {},
      2,
      98,
      "ScaleDownLimit",
    ],
    ["the minimum", { behavior: down(rules(100, 60, 0, 0, 0)) }, {}, 0, 1, "TooFewReplicas"],
    [
      "the minimum before percent",
      { behavior: down(rules(0, 0, 100, 60, 0)), min: 5 },
      {},
      2,
      5,
      "TooFewReplicas",
    ],
    ["percent", { behavior: down(rules(0, 0, 50, 60, 0)) }, {}, 5, 5, "DesiredWithinRange"],
    [
      "earlier shrinking counts",
      { behavior: down(rules(5, 120, 0, 0, 0)), current: 100 },
      downEvents,
      2,
      100,
      "ScaleDownLimit",
    ],
    [
      "earlier shrinking counts for percent",
      { behavior: down(rules(0, 0, 50, 120, 0)), current: 100 },
      { downs: spread([2, 4, 6], 120) },
      0,
      56,
      "ScaleDownLimit",
    ],
    [
      "earlier changes of both directions",
      { behavior: down(rules(0, 0, 50, 180, 0)) },
      { ups: spread([2], 120), downs: spread([4], 120) },
      1,
      6,
      "ScaleDownLimit",
    ],
    [
      "too much earlier shrinking",
      { behavior: down(rules(0, 0, 10, 120, 0)), current: 100 },
      { downs: spread([10, 10, 10], 120) },
      0,
      100,
      "ScaleDownLimit",
    ],
    [
      "a disabled policy",
      { behavior: down({ ...defaultDown, selectPolicy: "Disabled" }) },
      {},
      2,
      10,
      "ScaleDownLimit",
    ],
  ])("a target shrinks: %s", (_title, parts, history, wanted, replicas, reason) => {
    expect(normalized(wanted, limits(parts, history))).toMatchObject({ replicas, limited: { reason } });
  });
});

describe("stabilization", () => {
  const past = (
    ...entries: readonly (readonly [replicas: number, secondsAgo: number])[]
  ): readonly Recommendation[] =>
    entries.map(([replicas, seconds]) => ({ replicas, time: now - seconds * 1000 }));
  const behaviorOf = (upWindow: number, downWindow: number) => ({
    up: rules(unlimited, 15, 0, 0, upWindow),
    down: rules(unlimited, 15, 0, 0, downWindow),
  });

  test.each<[string, Limits["behavior"], readonly Recommendation[], number, number, string]>([
    ["nothing recent", undefined, [], 5, 5, "ReadyForNewScale"],
    ["a higher one in five minutes", undefined, past([8, 100]), 5, 8, "ScaleDownStabilized"],
    ["a higher one before", undefined, past([8, 301]), 5, 5, "ReadyForNewScale"],
    ["a higher one in the window", behaviorOf(0, 120), past([8, 60], [9, 130]), 5, 8, "ScaleDownStabilized"],
    ["no window", behaviorOf(0, 0), past([8, 60]), 5, 5, "ReadyForNewScale"],
    ["a lower one in the window", behaviorOf(120, 0), past([12, 60], [11, 130]), 20, 12, "ScaleUpStabilized"],
    ["both directions at once", behaviorOf(120, 120), past([3, 60], [30, 60]), 20, 10, "ScaleUpStabilized"],
  ])("of 10 replicas with %s", (_title, behavior, recommendations, wanted, replicas, reason) => {
    const result = normalized(wanted, limits({ behavior }, { recommendations }));
    expect(result).toMatchObject({ replicas, stabilized: { reason } });
  });

  test("a recommendation takes the place of one that is too old", () => {
    const recommendations = past([8, 400], [7, 100]);
    expect(normalized(5, limits({}, { recommendations })).recommendations).toEqual(past([5, 0], [7, 100]));
  });
});
