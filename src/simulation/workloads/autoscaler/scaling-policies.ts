import { listAt, numberAt, textAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { AutoscalerHistory, ScaleEvent } from "./autoscaler-memory.ts";

/** The scale events that policies count. */
type ScaleEvents = Pick<AutoscalerHistory, "ups" | "downs">;

/** A direction in which policies limit a change. */
interface Direction {
  /** What a policy allows, from the replicas at the beginning of its period. */
  readonly allowed: (start: number, policy: JsonObject) => number;
  readonly widest: (...limits: number[]) => number;
  readonly narrowest: (...limits: number[]) => number;
}

const up: Direction = {
  // Rounded up, because a small percentage of few replicas would never add one.
  allowed: (start, policy) =>
    textAt(policy, "type") === "Percent"
      ? Math.ceil(start * (1 + numberAt(policy, "value") / 100))
      : start + numberAt(policy, "value"),
  widest: Math.max,
  narrowest: Math.min,
};

const down: Direction = {
  allowed: (start, policy) =>
    textAt(policy, "type") === "Percent"
      ? Math.trunc(start * (1 - numberAt(policy, "value") / 100))
      : start - numberAt(policy, "value"),
  widest: Math.min,
  narrowest: Math.max,
};

/**
 * The most replicas that the policies of `behavior.scaleUp` allow now. Upstream: `calculateScaleUpLimitWithScalingRules`
 * (pkg/controller/podautoscaler/horizontal.go).
 */
export function scaleUpLimit(current: number, events: ScaleEvents, rules: JsonObject, now: number): number {
  return limitOf(up, current, events, rules, now);
}

/** The fewest replicas that the policies of `behavior.scaleDown` allow now. Upstream: `calculateScaleDownLimitWithBehaviors`. */
export function scaleDownLimit(current: number, events: ScaleEvents, rules: JsonObject, now: number): number {
  return limitOf(down, current, events, rules, now);
}

function limitOf(
  { allowed, widest, narrowest }: Direction,
  current: number,
  { ups, downs }: ScaleEvents,
  rules: JsonObject,
  now: number,
): number {
  const select = textAt(rules, "selectPolicy");
  if (select === "Disabled") return current;
  const limits = listAt(rules, "policies").map((policy) => {
    const since = now - numberAt(policy, "periodSeconds") * 1000;
    return allowed(current - changeSince(ups, since) + changeSince(downs, since), policy);
  });
  return select === "Min" ? narrowest(...limits) : widest(...limits);
}

function changeSince(events: readonly ScaleEvent[], since: number): number {
  return events.reduce((sum, { change, time }) => (time > since ? sum + change : sum), 0);
}

/** The longest period of the policies, in milliseconds: events that are older count for none. */
export function longestPeriod(rules: JsonObject): number {
  const periods = listAt(rules, "policies").map((policy) => numberAt(policy, "periodSeconds"));
  return Math.max(0, ...periods) * 1000;
}
