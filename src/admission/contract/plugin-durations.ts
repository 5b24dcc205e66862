import type { Histogram } from "../../apimachinery/histogram.ts";
import type { Summary } from "../../apimachinery/summary.ts";
import type { AdmissionOperation } from "./admission.ts";

/** The phases by upstream's labels. */
export type AdmissionPhase = "admit" | "validate";

/** Whether a request got past a phase. */
export type PhaseVerdict = "passed" | "rejected";

const operations: readonly AdmissionOperation[] = ["CREATE", "UPDATE", "DELETE", "CONNECT"];
const phases: readonly AdmissionPhase[] = ["admit", "validate"];
const verdicts: readonly PhaseVerdict[] = ["passed", "rejected"];
const combinations = 2 * 4 * 2;

/** How often several plugins let a request pass at once. A request passes some forty plugins, which share one counter. */
export interface Passes {
  times: number;
}

interface SharedPasses {
  readonly passes: Passes;
  readonly place: number;
  /** How many of them the histogram has. */
  taken: number;
}

/** The place of a phase and an operation among the durations of a plugin. */
export function placeOf(phase: AdmissionPhase, operation: AdmissionOperation): number {
  return (phases.indexOf(phase) * 4 + operations.indexOf(operation)) * 2;
}

/**
 * How long a plugin takes by the clock of the cluster. What does not wait takes no time; that is only counted, and allocates nothing.
 */
export class PluginDurations {
  readonly #name: string;
  readonly #histogram: Histogram;
  readonly #summary: Summary | undefined;
  /** How often each combination of a phase, an operation and a verdict took no time; empty until one did. */
  #instants: number[] = [];
  readonly #shared: SharedPasses[] = [];
  /** The labels of the combinations that have occurred. */
  readonly #labels: string[] = [];

  /** `summary` gets the same observations; few durations have one. */
  constructor(name: string, histogram: Histogram, summary: Summary | undefined) {
    this.#name = name;
    this.#histogram = histogram;
    this.#summary = summary;
  }

  observe(
    phase: AdmissionPhase,
    operation: AdmissionOperation,
    verdict: PhaseVerdict,
    milliseconds: number,
  ): void {
    const at = placeOf(phase, operation) + verdicts.indexOf(verdict);
    this.#summary?.observe(this.#labelsOf(at), milliseconds / 1000);
    if (milliseconds > 0) {
      this.#histogram.observe(this.#labelsOf(at), milliseconds / 1000);
      return;
    }
    this.#countInstant(at);
  }

  /** The same as `observe` of what passed and took no time. `place` is that of the phase and the operation. */
  passAtOnce(place: number): void {
    this.#summary?.observe(this.#labelsOf(place), 0);
    this.#countInstant(place);
  }

  /** Includes what is counted for several plugins together. */
  share(passes: Passes, place: number): void {
    this.#shared.push({ passes, place, taken: passes.times });
  }

  #countInstant(at: number): void {
    if (this.#instants.length === 0) this.#instants = new Array<number>(combinations).fill(0);
    this.#instants[at] = (this.#instants[at] ?? 0) + 1;
  }

  /** Adds what took no time to the histogram. */
  flush(): void {
    for (const { passes, place, taken } of this.#shared) this.#observeInstants(place, passes.times - taken);
    for (const [at, times] of this.#instants.entries()) this.#observeInstants(at, times);
    this.reset();
  }

  #observeInstants(at: number, times: number): void {
    if (times > 0) this.#histogram.observe(this.#labelsOf(at), 0, times);
  }

  reset(): void {
    this.#instants = [];
    for (const shared of this.#shared) shared.taken = shared.passes.times;
  }

  #labelsOf(at: number): string {
    const known = this.#labels[at];
    if (known !== undefined) return known;
    const [phase, operation] = [phases[at >> 3], operations[(at >> 1) & 3]];
    const named = this.#name === "" ? "" : `name="${this.#name}",`;
    const labels = `${named}operation="${operation}",rejected="${at % 2 === 1}",type="${phase}"`;
    this.#labels[at] = labels;
    return labels;
  }
}
