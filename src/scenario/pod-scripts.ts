import { checkOptions, type OptionType } from "../apimachinery/option-checks.ts";
import { labels } from "./label-option-type.ts";
import type { PodLife, PodSelector } from "./pod-life.ts";

/** What ends a script: its pods live on as others do. */
export interface ScriptHandle {
  remove(): void;
  [Symbol.dispose](): void;
}

/** Scripts of the lives of pods in a simulated cluster. */
export interface Pods {
  /**
   * Lets pods live as a script says, also those that run already: `cluster.pods.script({ image: /nginx/ }, running({ readyAfter: "2s" }))`.
   * The latest script that matches counts. Scripts are functions of `kubedouble/scenarios`.
   * @throws {TypeError} for an unknown member of the selector, and for what is not a script
   */
  script(selector: PodSelector, life: PodLife): ScriptHandle;
}

/** A script in effect. */
export interface PodScript {
  readonly id: number;
  readonly selector: PodSelector;
  readonly life: PodLife;
}

const pattern: OptionType = {
  accepts: "text or a regular expression",
  isValid: (value) => typeof value === "string" || value instanceof RegExp,
};
const selectorTypes = {
  image: pattern,
  name: pattern,
  namespace: pattern,
  node: pattern,
  container: pattern,
  labels,
  annotations: labels,
};

/** The scripts of a cluster. */
export class PodScripts implements Pods {
  #scripts: readonly PodScript[];
  #lastId = 0;
  #changed: () => void = () => {};

  constructor(scripts: readonly PodScript[] = []) {
    this.#scripts = scripts;
    this.#lastId = scripts.at(-1)?.id ?? 0;
  }

  script(selector: PodSelector, life: PodLife): ScriptHandle {
    checkOptions("script", selector, selectorTypes);
    if (typeof life !== "object" || life === null || typeof life.name !== "string")
      throw new TypeError(
        "script: the second argument must be a script, such as running() of kubedouble/scenarios",
      );
    this.#lastId += 1;
    const added: PodScript = { id: this.#lastId, selector, life };
    this.#set([...this.#scripts, added]);
    const remove = () => this.#set(this.#scripts.filter((script) => script !== added));
    return { remove, [Symbol.dispose]: remove };
  }

  /** In the order in which they count: the latest first. */
  get current(): readonly PodScript[] {
    return this.#scripts.toReversed();
  }

  /** Calls the function with each change from now on, in place of an earlier one. */
  onChange(changed: () => void): void {
    this.#changed = changed;
  }

  /** The same scripts. Later changes are not shared. */
  fork(): PodScripts {
    return new PodScripts(this.#scripts);
  }

  #set(scripts: readonly PodScript[]): void {
    this.#scripts = scripts;
    this.#changed();
  }
}
