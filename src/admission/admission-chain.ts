import type { Clock } from "../apimachinery/clock.ts";
import { StatusError } from "../apimachinery/errors/errors.ts";
import type {
  AdmissionAttributes,
  AdmissionOperation,
  AdmissionPlugin,
  MutatingAttributes,
} from "./contract/admission.ts";
import type { AdmissionMetrics } from "./contract/admission-metrics.ts";
import { inTurn } from "./contract/in-turn.ts";
import { record } from "./contract/notes.ts";
import { type AdmissionPhase, PluginDurations } from "./contract/plugin-durations.ts";

/** The plugins in upstream's order: first all of them mutate, perhaps twice, then all of them validate. */
export interface AdmissionChain {
  readonly plugins: readonly AdmissionPlugin[];
  readonly admit: (attributes: MutatingAttributes) => Promise<void> | void;
  readonly validate: (attributes: AdmissionAttributes) => Promise<void> | void;
}

/** What measures how long plugins take. */
export interface ChainMeasures {
  readonly clock: Clock;
  readonly metrics: AdmissionMetrics;
}

/** The chain of these plugins. It is synchronous unless a plugin returns a promise. */
export function admissionChain(plugins: readonly AdmissionPlugin[], measures: ChainMeasures): AdmissionChain {
  const admitOnce = phaseOf<MutatingAttributes>("admit", plugins, ({ admit }) => admit, measures);
  const validateOnce = phaseOf<AdmissionAttributes>(
    "validate",
    plugins,
    ({ validate }) => validate,
    measures,
  );
  const admitTwice = (attributes: MutatingAttributes) => {
    const pending = admitOnce(attributes);
    if (pending !== undefined) return pending.then(() => admitAgain(attributes, admitOnce));
    return admitAgain(attributes, admitOnce);
  };
  const admit = new Measured("", "admit", admitTwice, measures);
  const validate = new Measured("", "validate", validateOnce, measures);
  return {
    plugins,
    admit: (attributes) => admit.runAll(attributes),
    validate: (attributes) => validate.runAll(attributes),
  };
}

/** The second run, if a plugin asked for it. Upstream: apiserver, pkg/admission/reinvocation.go. */
function admitAgain(
  attributes: MutatingAttributes,
  admitOnce: AdmissionChain["admit"],
): Promise<void> | void {
  const { reinvocation } = attributes;
  if (reinvocation === undefined || !reinvocation.shouldReinvoke) return;
  reinvocation.isReinvoke = true;
  return admitOnce(attributes);
}

type Handle<A> = (attributes: A) => Promise<void> | void;

/** All plugins that take part in a phase, one after the other. */
function phaseOf<A extends AdmissionAttributes>(
  phase: AdmissionPhase,
  plugins: readonly AdmissionPlugin[],
  handleOf: (plugin: AdmissionPlugin) => Handle<A> | undefined,
  measures: ChainMeasures,
): Handle<A> {
  const participants = plugins.flatMap((plugin) => {
    const { name, handles } = plugin;
    const handle = handleOf(plugin);
    return handle === undefined ? [] : [{ handles, measured: new Measured(name, phase, handle, measures) }];
  });
  /** Those that handle an operation, in their order, found when it first occurs. There are four operations. */
  const byOperation = new Map<AdmissionOperation, readonly Measured<A>[]>();
  const ofOperation = (operation: AdmissionOperation): readonly Measured<A>[] => {
    const handling = participants.filter(({ handles }) => handles(operation)).map(({ measured }) => measured);
    byOperation.set(operation, handling);
    return handling;
  };
  return (attributes) => {
    const { operation } = attributes;
    // What does not wait takes no time, so the clock is read once, and again after each plugin that waits.
    let start = measures.clock.now();
    const place = PluginDurations.placeOf(phase, operation);
    return inTurn(byOperation.get(operation) ?? ofOperation(operation), (measured) => {
      return measured.run(attributes, start, place)?.then(() => {
        start = measures.clock.now();
      });
    });
  };
}

/**
 * What a plugin does in a phase, or all plugins together, measured by the clock of the cluster: only what is waited for takes time.
 * Upstream: apiserver, pkg/admission/metrics/metrics.go.
 */
class Measured<A extends AdmissionAttributes> {
  readonly #plugin: string;
  readonly #phase: AdmissionPhase;
  readonly #handle: Handle<A>;
  readonly #clock: Clock;
  readonly #durations: PluginDurations;

  /** `plugin` is empty for all of them together. */
  constructor(plugin: string, phase: AdmissionPhase, handle: Handle<A>, { clock, metrics }: ChainMeasures) {
    this.#plugin = plugin;
    this.#phase = phase;
    this.#handle = handle;
    this.#clock = clock;
    this.#durations = metrics.durationsOf(plugin);
  }

  /** For all plugins together. */
  runAll(attributes: A): Promise<void> | void {
    const place = PluginDurations.placeOf(this.#phase, attributes.operation);
    return this.run(attributes, this.#clock.now(), place);
  }

  /** `start` is the time of the clock, `place` that of the phase and the operation. */
  run(attributes: A, start: number, place: number): Promise<void> | void {
    const handle = this.#handle;
    let pending: Promise<void> | void;
    try {
      pending = handle(attributes);
    } catch (error) {
      throw this.#refused(attributes, 0, error);
    }
    if (pending !== undefined) return this.#waited(attributes, start, pending);
    this.#durations.passAtOnce(place);
  }

  async #waited(attributes: A, start: number, pending: Promise<void>): Promise<void> {
    try {
      await pending;
    } catch (error) {
      throw this.#refused(attributes, this.#clock.now() - start, error);
    }
    const milliseconds = this.#clock.now() - start;
    this.#durations.observe(this.#phase, attributes.operation, "passed", milliseconds);
  }

  /** Returns the error. */
  #refused(attributes: A, milliseconds: number, error: unknown): unknown {
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

/** A chain that rejects every request. @throws the error that `refuse` returns */
export function refusingChain(refuse: (attributes: AdmissionAttributes) => Error): AdmissionChain {
  const admit = (attributes: AdmissionAttributes): never => {
    throw refuse(attributes);
  };
  return { plugins: [], admit, validate: admit };
}
