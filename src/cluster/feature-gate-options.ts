import { unknownName } from "../apimachinery/option-checks.ts";
import type { EffectiveVersion } from "../catalog/effective-version.ts";
import {
  effectiveGates,
  type FeatureGates,
  featureGates,
  gateProblem,
  knownGates,
  wholeStages,
} from "../catalog/feature-gates.ts";
import { dependenciesOfEffectiveGates, dependencyProblem } from "../catalog/gate-dependencies.ts";

/**
 * The gates of a server with these values. `title` names the option in errors.
 * @throws {Error} for a gate that changes nothing here, with the nearest one that does, and for a value with which kube-apiserver
 * would not start, in its words
 */
export function completeFeatureGates(
  given: ReadonlyMap<string, boolean>,
  version: EffectiveVersion,
  title: string,
): FeatureGates {
  for (const [name, value] of given) {
    if (wholeStages.has(name)) continue;
    const life = effectiveGates.get(name);
    if (life === undefined) throw unknownName(`${title}: unknown gate`, name, knownGates());
    const problem = gateProblem(name, life, value, version);
    if (problem !== undefined) throw new Error(`${title}: ${problem}`);
  }
  const problem = dependencyProblem(
    given,
    version,
    (name) => effectiveGates.get(name),
    dependenciesOfEffectiveGates,
  );
  if (problem !== undefined) throw new Error(`${title}: ${problem}`);
  return featureGates(version.binary, given, version.emulation);
}
