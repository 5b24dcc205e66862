import type { EffectiveVersion } from "./effective-version.ts";
import { effectiveGates } from "./feature-gates.ts";
import { type GateLife, type GateStage, gateLives, isGateOf, stageOf } from "./gate-life.ts";
import { livesOfIneffectiveGates } from "./ineffective-gates.ts";

const ineffectiveGates: ReadonlyMap<string, GateLife> = gateLives(livesOfIneffectiveGates);

/** The life of a gate of kube-apiserver, whether or not it has an effect here; undefined for a gate that no release has. */
export function lifeOfGate(name: string): GateLife | undefined {
  return effectiveGates.get(name) ?? ineffectiveGates.get(name);
}

/** The gates of a server with their states in the release that it emulates. */
export function gateStages({
  binary,
  emulation,
}: Pick<EffectiveVersion, "binary" | "emulation">): ReadonlyMap<string, GateStage> {
  const stages = new Map<string, GateStage>();
  const names = [...effectiveGates.keys(), ...ineffectiveGates.keys()];
  for (const name of names.toSorted()) {
    const life = lifeOfGate(name);
    const stage = life && isGateOf(life, binary) ? stageOf(life, emulation) : undefined;
    if (stage !== undefined && stage !== "preAlpha") stages.set(name, stage);
  }
  return stages;
}
