import type { KubeObject } from "../../apimachinery/object-meta.ts";

/** A pod as it changes. */
export interface FollowedPod {
  /** The pod as it is now; undefined once it is gone. */
  readonly pod: () => KubeObject | undefined;
  /** Calls back after each change, until the result is called. */
  readonly onChange: (listener: () => void) => () => void;
}

/** Waits for changes, and remembers one that comes while its reader is busy. */
export class ChangeSignal {
  #hasChanged = false;
  #wake: (() => void) | undefined;
  readonly #stop: () => void;
  readonly #signal: AbortSignal;

  constructor(onChange: FollowedPod["onChange"], signal: AbortSignal) {
    this.#signal = signal;
    this.#stop = onChange(this.#note);
    signal.addEventListener("abort", this.#note);
  }

  readonly #note = (): void => {
    this.#hasChanged = true;
    this.#wake?.();
  };

  async next(): Promise<void> {
    if (!this.#hasChanged && !this.#signal.aborted) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    this.#hasChanged = false;
  }

  stop(): void {
    this.#signal.removeEventListener("abort", this.#note);
    this.#stop();
  }
}
