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

/**
 * How long a plugin takes by the clock of the cluster. What does not wait takes no time; that is only counted, and allocates nothing,
 * because a request passes some forty plugins.
 */
export class PluginDurations {
  readonly #histogram: Histogram;
  readonly #summary: Summary | undefined;
  /** The labels of each combination of a phase, an operation and a verdict. */
  readonly #labels: readonly string[];
  readonly #instants: Float64Array;

  /** `summary` gets the same observations; few durations have one. */
  constructor(name: string, histogram: Histogram, summary: Summary | undefined) {
    this.#histogram = histogram;
    this.#summary = summary;
    this.#labels = phases.flatMap((type) =>
      operations.flatMap((operation) => verdicts.map((verdict) => labelsOf(name, operation, verdict, type))),
    );
    this.#instants = new Float64Array(this.#labels.length);
  }

  observe(
    phase: AdmissionPhase,
    operation: AdmissionOperation,
    verdict: PhaseVerdict,
    milliseconds: number,
  ): void {
    const at = (phases.indexOf(phase) * 4 + operations.indexOf(operation)) * 2 + verdicts.indexOf(verdict);
    this.#summary?.observe(this.#labels[at] ?? "", milliseconds / 1000);
    if (milliseconds > 0) this.#histogram.observe(this.#labels[at] ?? "", milliseconds / 1000);
    else this.#instants[at] = (this.#instants[at] ?? 0) + 1;
  }

  /** Adds what took no time to the histogram. */
  flush(): void {
    for (const [at, labels] of this.#labels.entries()) {
      const times = this.#instants[at] ?? 0;
      if (times > 0) this.#histogram.observe(labels, 0, times);
    }
    this.reset();
  }

  reset(): void {
    this.#instants.fill(0);
  }
}

function labelsOf(
  name: string,
  operation: AdmissionOperation,
  verdict: PhaseVerdict,
  type: AdmissionPhase,
): string {
  const named = name === "" ? "" : `name="${name}",`;
  return `${named}operation="${operation}",rejected="${verdict === "rejected"}",type="${type}"`;
}
