import type { GroupVersionResource } from "../apimachinery/group-version.ts";
import type { AdmissionAttributes, AdmissionPlugin, MutatingAttributes } from "./contract/admission.ts";
import { type AdmissionPhase, type Passes, placeOf } from "./contract/plugin-durations.ts";
import { type ChainMeasures, type Handle, Measured } from "./measured.ts";

/** The plugins in upstream's order: first all of them mutate, perhaps twice, then all of them validate. */
export interface AdmissionChain {
  readonly plugins: readonly AdmissionPlugin[];
  readonly admit: (attributes: MutatingAttributes) => Promise<void> | void;
  readonly validate: (attributes: AdmissionAttributes) => Promise<void> | void;
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
    admit: (attributes) => admit.run(attributes, measures.clock.now()),
    validate: (attributes) => validate.run(attributes, measures.clock.now()),
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

/** All plugins that take part in a phase, one after the other. */
function phaseOf<A extends AdmissionAttributes>(
  phase: AdmissionPhase,
  plugins: readonly AdmissionPlugin[],
  handleOf: (plugin: AdmissionPlugin) => Handle<A> | undefined,
  measures: ChainMeasures,
): Handle<A> {
  const participants = plugins.flatMap((plugin) => {
    const handle = handleOf(plugin);
    return handle === undefined
      ? []
      : [{ plugin, measured: new Measured(plugin.name, phase, handle, measures) }];
  });
  /** The runs by operation, made when it first occurs. There are four operations. */
  const runs = new Map<AdmissionAttributes["operation"], PhaseRun<A>>();
  return (attributes) => {
    const { operation } = attributes;
    let found = runs.get(operation);
    if (found === undefined) {
      const members = participants
        .filter(({ plugin }) => plugin.handles(operation))
        .map((participant, place) => ({ ...participant, place }));
      const names = members.map(({ plugin }) => plugin.name);
      const passes = measures.metrics.passesOf(names, placeOf(phase, operation));
      found = new PhaseRun(members, passes, measures);
      runs.set(operation, found);
    }
    return found.run(attributes);
  };
}

interface Member<A extends AdmissionAttributes> {
  /** Its place among the members. */
  readonly place: number;
  readonly plugin: AdmissionPlugin;
  readonly measured: Measured<A>;
}

/** The plugins that handle an operation in a phase. A write concerns few of some forty, and only these are called. */
class PhaseRun<A extends AdmissionAttributes> {
  readonly #members: readonly Member<A>[];
  /** Counts for all members. */
  readonly #passes: Passes;
  readonly #clock: ChainMeasures["clock"];
  /** The members that look at a resource. */
  readonly #concerned = new WeakMap<GroupVersionResource, readonly Member<A>[]>();

  constructor(members: readonly Member<A>[], passes: Passes, { clock }: ChainMeasures) {
    this.#members = members;
    this.#passes = passes;
    this.#clock = clock;
  }

  /** Calls the members from this place on. */
  run(attributes: A, from = 0): Promise<void> | void {
    // What does not wait takes no time, so the clock is read once, and again after each plugin that waits.
    const start = this.#clock.now();
    for (const { place, measured } of this.#concernedBy(attributes.gvr)) {
      if (place < from) continue;
      let pending: Promise<void> | void;
      try {
        pending = measured.handle(attributes);
      } catch (error) {
        this.#countPassed(attributes, from, place);
        throw measured.refused(attributes, 0, error);
      }
      if (pending === undefined) continue;
      this.#countPassed(attributes, from, place);
      const waited = measured.waited(attributes, start, pending);
      return waited.then(() => this.run(attributes, place + 1));
    }
    if (from === 0) this.#passes.times += 1;
    else this.#countPassed(attributes, from);
  }

  /** Counts members that have let a request pass at once. */
  #countPassed(attributes: A, from: number, end?: number): void {
    for (const { measured } of this.#members.slice(from, end)) measured.passed(attributes);
  }

  #concernedBy(gvr: GroupVersionResource): readonly Member<A>[] {
    const known = this.#concerned.get(gvr);
    if (known !== undefined) return known;
    const found = this.#members.filter(({ plugin: { concerns } }) => concerns === undefined || concerns(gvr));
    this.#concerned.set(gvr, found);
    return found;
  }
}

/** A chain that rejects every request. @throws the error that `refuse` returns */
export function refusingChain(refuse: (attributes: AdmissionAttributes) => Error): AdmissionChain {
  const admit = (attributes: AdmissionAttributes): never => {
    throw refuse(attributes);
  };
  return { plugins: [], admit, validate: admit };
}
