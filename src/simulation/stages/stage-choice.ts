import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { PlayedStage } from "../contract/played-stages.ts";

/** A number from 0 to `bound`, exclusive. */
type Random = (bound: number) => number;

/**
 * The next stage of an object: one of those that select it, by their weights (KWOK, pkg/utils/lifecycle/lifecycle.go, Match). Without any weight,
 * all are as likely.
 */
export function chosenStage(
  stages: readonly PlayedStage[],
  object: KubeObject,
  random: Random,
): PlayedStage | undefined {
  const matching = stages.filter((stage) => stage.selects(object));
  if (matching.length <= 1) return matching[0];
  const weighed = matching.map((stage) => ({ stage, weight: stage.weight(object) }));
  const total = weighed.reduce((sum, { weight = 0 }) => sum + weight, 0);
  if (total <= 0) {
    const known = weighed.filter(({ weight }) => weight !== undefined);
    const candidates = known.length > 0 ? known : weighed;
    return candidates[random(candidates.length)]?.stage;
  }
  let offset = random(total);
  for (const { stage, weight = 0 } of weighed) {
    if (weight <= 0) continue;
    offset -= weight;
    if (offset < 0) return stage;
  }
  return matching.at(-1);
}

/** The milliseconds until a stage is played. */
export function chosenDelay(stage: PlayedStage, object: KubeObject, now: number, random: Random): number {
  const { least, most } = stage.delay(object, now);
  if (most === undefined) return Math.max(0, least);
  if (most <= least) return Math.max(0, most);
  return Math.max(0, least + random(Math.ceil(most - least)));
}
