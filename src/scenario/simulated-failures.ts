import type { PodLife } from "./pod-life.ts";
import type { PodScript } from "./pod-scripts.ts";

/** A failure of a simulated cluster itself, as plain data that its controllers read. */
export type SimulatedFailure =
  | { readonly type: "nodeDown"; readonly node: string }
  /** The clock of a node is this many milliseconds ahead; behind, if the number is negative. */
  | { readonly type: "nodeClockSkew"; readonly node: string; readonly by: number }
  | { readonly type: "drainBlocked"; readonly namespace: string; readonly labels: Labels }
  | { readonly type: "quotaUsedUp"; readonly namespace: string }
  | { readonly type: "podWebhookDown"; readonly labels: Labels }
  | { readonly type: "imageUnavailable"; readonly image: string | RegExp; readonly life: PodLife };

interface Labels {
  readonly [label: string]: string;
}

/** A failure in effect. */
export interface FailureInEffect {
  readonly id: number;
  readonly failure: SimulatedFailure;
  /** Counts a hit: the failure shows in the API. */
  readonly struck: () => void;
}

/** A part of a simulated cluster. */
export type SimulatedPart = "workloads" | "kubelets";

/** The failures of a simulated cluster. A fork has none of them: like faults of requests, they belong to one cluster. */
export class SimulatedFailures {
  /** The parts of the cluster that are simulated. */
  readonly #parts: readonly string[];
  #current: readonly FailureInEffect[] = [];
  #lastId: number;
  #changed: () => void = () => {};

  constructor(parts: readonly string[], lastId = 0) {
    this.#parts = parts;
    this.#lastId = lastId;
  }

  /** In the order in which they began. */
  get current(): readonly FailureInEffect[] {
    return this.#current;
  }

  /** The failures in effect as scripts of pods, the latest first. Their ids are those of no script that a test gives. */
  get scripts(): readonly PodScript[] {
    return this.#current.toReversed().flatMap(({ id, failure }) => {
      if (failure.type !== "imageUnavailable") return [];
      return [{ id: -id, selector: { image: failure.image }, life: failure.life }];
    });
  }

  /**
   * Lets a failure of a part of the cluster be in effect until the returned function is called.
   * @throws {Error} that names the part of a simulated cluster that is missing
   */
  begin(failure: SimulatedFailure, needed: SimulatedPart, struck: () => void): () => void {
    if (!this.#parts.includes(needed))
      throw new Error(
        `${failure.type} needs the part "${needed}" of a simulated cluster: createCluster({ simulate: true }), or simulate: ["${needed}"]`,
      );
    this.#lastId += 1;
    const begun: FailureInEffect = { id: this.#lastId, failure, struck };
    this.#set([...this.#current, begun]);
    return () => this.#set(this.#current.filter((one) => one !== begun));
  }

  /** Calls the function with each change from now on, in place of an earlier one. */
  onChange(changed: () => void): void {
    this.#changed = changed;
  }

  fork(): SimulatedFailures {
    return new SimulatedFailures(this.#parts, this.#lastId);
  }

  #set(failures: readonly FailureInEffect[]): void {
    this.#current = failures;
    this.#changed();
  }
}
