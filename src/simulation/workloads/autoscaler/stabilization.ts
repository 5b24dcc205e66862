import { numberAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { type AutoscalerHistory, type Recommendation, withEntry } from "./autoscaler-memory.ts";
import { scaleDownLimit, scaleUpLimit } from "./scaling-policies.ts";

/** `--horizontal-pod-autoscaler-downscale-stabilization`, in seconds. */
const downscaleStabilization = 300;

/** What limits the replicas that metrics propose. */
export interface Limits {
  readonly min: number;
  readonly max: number;
  readonly current: number;
  /** `spec.behavior`, with the defaults of the API; undefined without one. */
  readonly behavior: { readonly up: JsonObject; readonly down: JsonObject } | undefined;
  readonly history: AutoscalerHistory;
  readonly now: number;
}

/** A reason and a message of a condition. */
export interface Explanation {
  readonly reason: string;
  readonly message: string;
}

/** The replicas within the limits, and why. */
export interface Normalized {
  readonly replicas: number;
  /** Why the target is able to scale. */
  readonly stabilized: Explanation;
  readonly limited: Explanation & { readonly isLimited: boolean };
  /** All recommendations with this one. */
  readonly recommendations: readonly Recommendation[];
}

const readyForNewScale: Explanation = {
  reason: "ReadyForNewScale",
  message: "recommended size matches current size",
};

const scaleUpStabilized: Explanation = {
  reason: "ScaleUpStabilized",
  message: "recent recommendations were lower than current one, applying the lowest recent recommendation",
};

const scaleDownStabilized: Explanation = {
  reason: "ScaleDownStabilized",
  message: "recent recommendations were higher than current one, applying the highest recent recommendation",
};

const withinRange: Explanation = {
  reason: "DesiredWithinRange",
  message: "the desired count is within the acceptable range",
};

const scaleUpLimited: Explanation = {
  reason: "ScaleUpLimit",
  message: "the desired replica count is increasing faster than the maximum scale rate",
};

const scaleDownLimited: Explanation = {
  reason: "ScaleDownLimit",
  message: "the desired replica count is decreasing faster than the maximum scale rate",
};

const tooManyReplicas: Explanation = {
  reason: "TooManyReplicas",
  message: "the desired replica count is more than the maximum replica count",
};

const tooFewReplicas: Explanation = {
  reason: "TooFewReplicas",
  message: "the desired replica count is less than the minimum replica count",
};

/**
 * The replicas of a target within its limits: first recent recommendations count, then the rates, the minimum and the maximum. Upstream:
 * `normalizeDesiredReplicas`, `normalizeDesiredReplicasWithBehaviors` (pkg/controller/podautoscaler/horizontal.go).
 */
export function normalized(proposed: number, limits: Limits): Normalized {
  const { behavior } = limits;
  const stable =
    behavior === undefined ? stabilized(proposed, limits) : stabilizedBy(behavior, proposed, limits);
  const limit =
    behavior === undefined ? limited(stable.replicas, limits) : limitedBy(behavior, stable.replicas, limits);
  return {
    replicas: limit.replicas,
    stabilized: stable.replicas === proposed ? readyForNewScale : stable.why,
    limited: { ...limit.why, isLimited: limit.replicas !== stable.replicas },
    recommendations: stable.recommendations,
  };
}

interface Stabilized {
  readonly replicas: number;
  readonly why: Explanation;
  readonly recommendations: readonly Recommendation[];
}

/** The highest recommendation of the last minutes. */
function stabilized(proposed: number, { history, now }: Limits): Stabilized {
  const cutoff = now - downscaleStabilization * 1000;
  const { recommendations } = history;
  const recent = recommendations.filter(({ time }) => time >= cutoff);
  return {
    replicas: Math.max(proposed, ...recent.map(({ replicas }) => replicas)),
    why: scaleDownStabilized,
    recommendations: withEntry(
      recommendations,
      { replicas: proposed, time: now },
      ({ time }) => time < cutoff,
    ),
  };
}

/** Between the lowest recommendation of one window and the highest one of another. Upstream: `stabilizeRecommendationWithBehaviors`. */
function stabilizedBy(
  { up, down }: NonNullable<Limits["behavior"]>,
  proposed: number,
  { current, history, now }: Limits,
): Stabilized {
  const upCutoff = now - numberAt(up, "stabilizationWindowSeconds") * 1000;
  const downWindow = down["stabilizationWindowSeconds"];
  const downCutoff = now - (typeof downWindow === "number" ? downWindow : downscaleStabilization) * 1000;
  const { recommendations } = history;
  const since = (cutoff: number) =>
    recommendations.filter(({ time }) => time > cutoff).map(({ replicas }) => replicas);
  const lowest = Math.min(proposed, ...since(upCutoff));
  const highest = Math.max(proposed, ...since(downCutoff));
  const oldest = Math.min(upCutoff, downCutoff);
  return {
    replicas: Math.min(Math.max(current, lowest), highest),
    why: proposed >= current ? scaleUpStabilized : scaleDownStabilized,
    recommendations: withEntry(
      recommendations,
      { replicas: proposed, time: now },
      ({ time }) => time < oldest,
    ),
  };
}

interface Limited {
  readonly replicas: number;
  readonly why: Explanation;
}

/** Without a behavior, a target at most doubles, or grows to 4. Upstream: `convertDesiredReplicasWithRules`. */
function limited(wanted: number, { current, min, max }: Limits): Limited {
  const fastest = Math.max(2 * current, 4);
  if (wanted < min) return { replicas: min, why: tooFewReplicas };
  const [most, why] = max > fastest ? [fastest, scaleUpLimited] : [max, tooManyReplicas];
  return wanted > most ? { replicas: most, why } : { replicas: wanted, why: withinRange };
}

/** Upstream: `convertDesiredReplicasWithBehaviorRate`. */
function limitedBy(
  { up, down }: NonNullable<Limits["behavior"]>,
  wanted: number,
  { current, min, max, history, now }: Limits,
): Limited {
  if (wanted > current) {
    // After changes of the policies, the limit may be on the other side.
    const fastest = Math.max(scaleUpLimit(current, history, up, now), current);
    const [most, why] = max > fastest ? [fastest, scaleUpLimited] : [max, tooManyReplicas];
    if (wanted > most) return { replicas: most, why };
  }
  if (wanted < current) {
    const fastest = Math.min(scaleDownLimit(current, history, down, now), current);
    const [least, why] = min < fastest ? [fastest, scaleDownLimited] : [min, tooFewReplicas];
    if (wanted < least) return { replicas: least, why };
  }
  return { replicas: wanted, why: withinRange };
}
