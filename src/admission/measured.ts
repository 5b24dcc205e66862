import type { Clock } from "../apimachinery/clock.ts";
import { StatusError } from "../apimachinery/errors/errors.ts";
import type { AdmissionAttributes } from "./contract/admission.ts";
import type { AdmissionMetrics } from "./contract/admission-metrics.ts";
import { record } from "./contract/notes.ts";
import { type AdmissionPhase, type PluginDurations, placeOf } from "./contract/plugin-durations.ts";

/** What measures how long plugins take. */
export interface ChainMeasures {
  readonly clock: Clock;
  readonly metrics: AdmissionMetrics;
}

/** What a plugin does in a phase. It refuses by throwing. */
export type Handle<A> = (attributes: A) => Promise<void> | void;

/**
 * What a plugin does in a phase, or all plugins together, measured by the clock of the cluster: only what is waited for takes time.
 * Upstream: apiserver, pkg/admission/metrics/metrics.go.
 */
export class Measured<A extends AdmissionAttributes> {
  readonly handle: Handle<A>;
  readonly #plugin: string;
  readonly #phase: AdmissionPhase;
  readonly #clock: Clock;
  readonly #durations: PluginDurations;

  /** `plugin` is empty for all of them together. */
  constructor(plugin: string, phase: AdmissionPhase, handle: Handle<A>, { clock, metrics }: ChainMeasures) {
    this.handle = handle;
    this.#plugin = plugin;
    this.#phase = phase;
    this.#clock = clock;
    this.#durations = metrics.durationsOf(plugin);
  }

  /** `start` is the time of the clock. */
  run(attributes: A, start: number): Promise<void> | void {
    let pending: Promise<void> | void;
    try {
      pending = this.handle(attributes);
    } catch (error) {
      throw this.refused(attributes, 0, error);
    }
    if (pending !== undefined) return this.waited(attributes, start, pending);
    this.passed(attributes);
  }

  /** Counts a request that passed and took no time. */
  passed({ operation }: A): void {
    this.#durations.passAtOnce(placeOf(this.#phase, operation));
  }

  /** Waits for what the plugin does, and counts the outcome. */
  async waited(attributes: A, start: number, pending: Promise<void>): Promise<void> {
    try {
      await pending;
    } catch (error) {
      throw this.refused(attributes, this.#clock.now() - start, error);
    }
    const milliseconds = this.#clock.now() - start;
    this.#durations.observe(this.#phase, attributes.operation, "passed", milliseconds);
  }

  /** Counts a refusal and notes its reason. Returns the error. */
  refused(attributes: A, milliseconds: number, error: unknown): unknown {
    this.#durations.observe(this.#phase, attributes.operation, "rejected", milliseconds);
    if (this.#plugin !== "") noteRefusal(attributes, this.#plugin, this.#phase, error);
    return error;
  }
}

/** The step of a plugin that refuses a request, unless a webhook or a policy has said why. */
function noteRefusal(
  attributes: AdmissionAttributes,
  plugin: string,
  phase: AdmissionPhase,
  error: unknown,
): void {
  if (attributes.notes === undefined || !(error instanceof StatusError)) return;
  const isNoted = attributes.notes.admission?.some(
    (step) => step.plugin === plugin && (step.outcome === "denied" || step.outcome === "failed"),
  );
  if (isNoted) return;
  record(attributes, {
    plugin,
    phase,
    name: "",
    source: "",
    outcome: "denied",
    message: error.message,
    cost: 0,
  });
}
