import { type Release, type Since, sinceOf } from "../apimachinery/release.ts";
import { livesOfEffectiveGates } from "./effective-gates.ts";
import type { EffectiveVersion } from "./effective-version.ts";
import { type GateLife, type GateStage, gateLives, isGateOf, isOnIn, stageOf } from "./gate-life.ts";

/** Gates that later releases gave another name. */
const renamed: ReadonlyMap<string, string> = new Map([
  ["UserNamespacesStatelessPodsSupport", "UserNamespacesSupport"],
]);

/** The gates that stand for all of a stage. */
export const wholeStages: ReadonlyMap<string, GateStage["stage"]> = new Map([
  ["AllAlpha", "Alpha"],
  ["AllBeta", "Beta"],
]);

/** The life of every gate that has an effect here. */
export const effectiveGates: ReadonlyMap<string, GateLife> = gateLives(livesOfEffectiveGates);

/** The gates that have an effect here. */
export function knownGates(): readonly string[] {
  return [...effectiveGates.keys()];
}

/** The enabled feature gates of a release. */
export interface FeatureGates {
  /** Whether the release is the given one or a newer one, as some rules changed without a gate. */
  readonly since: Since;
  /** Gates that this project does not know are disabled. */
  readonly isEnabled: (name: string) => boolean;
}

/** The gates of a release, changed by `--feature-gates`. With `emulation`, they have the defaults of that release. */
export function featureGates(
  release: Release,
  set: ReadonlyMap<string, boolean> = new Map(),
  emulation: Release = release,
): FeatureGates {
  const enabled = new Set<string>();
  for (const [name, life] of effectiveGates) {
    if (!renamed.has(name) && (wholeStageValue(life, emulation, set) ?? isOnIn(life, emulation)))
      enabled.add(name);
  }
  for (const [name, isOn] of set) {
    const known = renamed.get(name) ?? name;
    if (isOn) enabled.add(known);
    else enabled.delete(known);
  }
  return { since: sinceOf(release), isEnabled: (name) => enabled.has(name) };
}

/** What `AllAlpha` or `AllBeta` says of a gate; undefined if nothing. Locked gates stay as they are. */
export function wholeStageValue(
  life: GateLife,
  release: Release,
  set: ReadonlyMap<string, boolean>,
): boolean | undefined {
  for (const [whole, stage] of wholeStages) {
    const value = set.get(whole);
    if (value === undefined) continue;
    const state = stageOf(life, release);
    if (typeof state === "object" && state.stage === stage && !state.isLocked) return value;
  }
  return undefined;
}

/**
 * Why a server does not start with this value of a gate, in its words; undefined if it does. Upstream: component-base,
 * featuregate/feature_gate.go, `unsafeSetFromMap`.
 */
export function gateProblem(
  name: string,
  life: GateLife | undefined,
  value: boolean,
  { binary, emulation, minCompatibility }: EffectiveVersion,
): string | undefined {
  if (life === undefined || !isGateOf(life, binary)) return `unrecognized feature gate: ${name}`;
  const stage = stageOf(life, emulation);
  const cannot = `cannot set feature gate ${name} to ${value}, feature is`;
  if (stage === "preAlpha") {
    const compatibility = sinceOf(binary)("1.35") ? `, min compatibility version ${minCompatibility}` : "";
    return `${cannot} PreAlpha at emulated version ${emulation}${compatibility}`;
  }
  return stage?.isLocked && stage.isOn !== value ? `${cannot} locked to ${stage.isOn}` : undefined;
}
