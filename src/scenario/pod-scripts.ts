import { checkOptions, type OptionType } from "../apimachinery/option-checks.ts";
import { pattern } from "./failure-option-types.ts";
import { labels, objectName } from "./label-option-type.ts";
import { lifeCheck, type PodLife, type PodSelector } from "./pod-life.ts";
import type { Stage, StageSet, StageSource } from "./stages/stage.ts";

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
   * @throws {TypeError} for an unknown member of the selector, a value that no pod has, and what is not a script
   * @throws {Error} if the cluster does not simulate kubelets, which play scripts
   */
  script(selector: PodSelector, life: PodLife): ScriptHandle;
  /**
   * Plays Stages of KWOK (`kwok.x-k8s.io/v1alpha1`), as YAML or JSON text or as objects: `await cluster.pods.stages(yaml)`. While there are stages
   * for pods, they decide about all pods on simulated nodes and on those with the annotation `kwok.x-k8s.io/node: fake`, in place of scripts.
   * Stages for nodes and for other kinds are played too. Of stages with the same name, the latest counts.
   * @throws {Error} for what cannot be played, which names the stage and the field; then nothing changes
   */
  stages(stages: StageSource): Promise<ScriptHandle>;
}

/** A script in effect. */
export interface PodScript {
  readonly id: number;
  readonly selector: PodSelector;
  readonly life: PodLife;
}

const namePattern: OptionType = {
  accepts: `${objectName.accepts}, or a regular expression`,
  isValid: (value) => value instanceof RegExp || objectName.isValid(value),
};
const selectorTypes = {
  image: pattern,
  name: namePattern,
  namespace: namePattern,
  node: namePattern,
  container: namePattern,
  labels,
  annotations: labels,
};

/** The scripts of a cluster. */
export class PodScripts implements Pods {
  /** The parts of the cluster that are simulated. */
  readonly #parts: readonly string[];
  #scripts: readonly PodScript[] = [];
  #stages: readonly (readonly Stage[])[] = [];
  #stageSet: StageSet = { id: 0, stages: [] };
  #lastId = 0;
  #changed: () => void = () => {};

  constructor(parts: readonly string[]) {
    this.#parts = parts;
  }

  script(selector: PodSelector, life: PodLife): ScriptHandle {
    checkOptions("script", selector, selectorTypes);
    const check: unknown = Object(life)[lifeCheck];
    if (typeof check !== "function")
      throw new TypeError(
        "script: the second argument must be a script, such as running() of kubedouble/scenarios",
      );
    check(life, this.#parts);
    const added: PodScript = { id: this.#lastId + 1, selector, life };
    const remove = () => this.#set(this.#scripts.filter((script) => script !== added));
    this.#set([...this.#scripts, added]);
    return { remove, [Symbol.dispose]: remove };
  }

  async stages(stages: StageSource): Promise<ScriptHandle> {
    const { latestStages, readStages } = await import("./stages/read-stages.ts");
    const added = readStages(stages, this.#parts);
    const set = (all: readonly (readonly Stage[])[]) => {
      this.#stages = all;
      this.#stageSet = { id: this.#stageSet.id + 1, stages: latestStages(all) };
      this.#changed();
    };
    const remove = () => set(this.#stages.filter((one) => one !== added));
    set([...this.#stages, added]);
    return { remove, [Symbol.dispose]: remove };
  }

  /** In the order in which they count: the latest first. */
  get current(): readonly PodScript[] {
    return this.#scripts.toReversed();
  }

  /** The stages in effect. */
  get currentStages(): StageSet {
    return this.#stageSet;
  }

  /** Calls the function with each change from now on, in place of an earlier one. */
  onChange(changed: () => void): void {
    this.#changed = changed;
  }

  /** The same scripts. Later changes are not shared. */
  fork(): PodScripts {
    const copy = new PodScripts(this.#parts);
    copy.#scripts = this.#scripts;
    copy.#stages = this.#stages;
    copy.#stageSet = this.#stageSet;
    copy.#lastId = this.#lastId;
    return copy;
  }

  #set(scripts: readonly PodScript[]): void {
    this.#scripts = scripts;
    this.#lastId += 1;
    this.#changed();
  }
}
