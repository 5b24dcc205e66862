import { goQuote } from "../apimachinery/go/go-quote.ts";
import { sinceOf } from "../apimachinery/release.ts";
import { allGateDependencies } from "../catalog/all-gate-dependencies.ts";
import type { EffectiveVersion } from "../catalog/effective-version.ts";
import { gateStages, lifeOfGate } from "../catalog/feature-gate-stages.ts";
import { effectiveGates, gateProblem, wholeStages } from "../catalog/feature-gates.ts";
import { dependencyProblem } from "../catalog/gate-dependencies.ts";
import { stageOf } from "../catalog/gate-life.ts";
import { FlagError } from "./flag-error.ts";

/** The values of a flag as a server starts with them. */
export interface StartedGates {
  /** The gates that change something here, and those that stand for all of a stage. */
  readonly gates: ReadonlyMap<string, boolean>;
  readonly warnings: readonly string[];
}

const goBooleans: ReadonlyMap<string, boolean> = new Map([
  ...["1", "t", "T", "TRUE", "true", "True"].map((text) => [text, true] as const),
  ...["0", "f", "F", "FALSE", "false", "False"].map((text) => [text, false] as const),
]);

/** `Gate=true` or `component:Gate=true`; only the component `kube` is served here. */
export function parseFeatureGates(values: readonly string[]): Map<string, boolean> {
  const gates = new Map<string, boolean>();
  for (const item of values.flatMap((value) => value.split(","))) {
    const [, component = "kube", gate] = /^(?:([^:]*):)?(.*)$/s.exec(item) ?? [];
    if (gate === undefined || gate === "") continue;
    if (component.trim() !== "kube") throw new FlagError(`component not registered: ${component.trim()}`);
    const equals = gate.indexOf("=");
    if (equals < 0) throw new FlagError(`missing bool value for ${gate.trim()}`);
    const [name, value] = [gate.slice(0, equals).trim(), gate.slice(equals + 1).trim()];
    const parsed = goBooleans.get(value);
    if (parsed === undefined) {
      const error = `strconv.ParseBool: parsing ${goQuote(value)}: invalid syntax`;
      throw new FlagError(`invalid value of ${name}=${value}, err: ${error}`);
    }
    gates.set(name, parsed);
  }
  return gates;
}

/**
 * The gates of `--feature-gates` with which a server starts. Gates that change nothing here are left out with a warning, so that
 * existing command lines work. Upstream: component-base, featuregate/feature_gate.go.
 * @throws {FlagError} the error with which kube-apiserver would not start
 */
export function startedGates(set: ReadonlyMap<string, boolean>, version: EffectiveVersion): StartedGates {
  const gates = new Map<string, boolean>();
  const warnings: string[] = [];
  for (const [name, value] of set) {
    const life = lifeOfGate(name);
    const isWholeStage = wholeStages.has(name);
    const problem = isWholeStage ? undefined : gateProblem(name, life, value, version);
    if (problem !== undefined) throw new FlagError(problem);
    if (life !== undefined) warnings.push(...warningsAbout(name, value, stageOf(life, version.emulation)));
    if (isWholeStage || effectiveGates.has(name)) gates.set(name, value);
    else warnings.push(`--feature-gates ${name} has no effect here`);
  }
  const problem = dependencyProblem(set, version, lifeOfGate, allGateDependencies);
  if (problem !== undefined) throw new FlagError(problem);
  return { gates, warnings: [...warnings, ...emulatedAlphas(set, version)] };
}

/** The warning about alpha features of an emulated release. Upstream: component-base, compatibility/registry.go, since 1.34. */
function emulatedAlphas(
  set: ReadonlyMap<string, boolean>,
  { binary, emulation }: EffectiveVersion,
): readonly string[] {
  if (binary === emulation || !sinceOf(binary)("1.34")) return [];
  const isOn = set.get("AllAlpha") ?? false;
  const alphas = [...gateStages({ binary, emulation })]
    .filter(([, { stage }]) => stage === "Alpha")
    .map(([name]) => name);
  // Upstream's order is random.
  const enabled = [...(isOn ? ["AllAlpha"] : []), ...alphas.filter((name) => set.get(name) ?? isOn)];
  if (enabled.length === 0) return [];
  return [
    `component has alpha features enabled in emulated version, this is unsupported: features=[${enabled.join(" ")}]`,
  ];
}

function warningsAbout(name: string, value: boolean, stage: ReturnType<typeof stageOf>): readonly string[] {
  if (stage === undefined || stage === "preAlpha") return [];
  const end = `feature gate ${name}=${value}. It will be removed in a future release.`;
  if (stage.stage === "Deprecated") return [`Setting deprecated ${end}`];
  return stage.stage === "GA" ? [`Setting GA ${end}`] : [];
}
