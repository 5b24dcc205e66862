import { checkOptions, type OptionType } from "../apimachinery/option-checks.ts";
import { labels } from "./label-option-type.ts";
import type { PodLife, PodSelector } from "./pod-life.ts";
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
   * @throws {TypeError} for an unknown member of the selector, and for what is not a script
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

const pattern: OptionType = {
  accepts: "text that is not empty, or a regular expression",
  isValid: (value) => (typeof value === "string" && value !== "") || value instanceof RegExp,
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
    if (typeof life !== "object" || life === null || typeof life.name !== "string")
      throw new TypeError(
        "script: the second argument must be a script, such as running() of kubedouble/scenarios",
      );
    const added: PodScript = { id: this.#lastId + 1, selector, life };
    const remove = () => this.#set(this.#scripts.filter((script) => script !== added));
    this.#set([...this.#scripts, added]);
    return { remove, [Symbol.dispose]: remove };
  }

  async stages(stages: StageSource): Promise<ScriptHandle> {
    if (!this.#parts.includes("kubelets"))
      throw new Error(
        'stages: a cluster plays them with the part "kubelets": createCluster({ simulate: true }), or --simulate',
      );
    const { readStages } = await import("./stages/read-stages.ts");
    const added = readStages(stages);
    const remove = () => this.#setStages(this.#stages.filter((one) => one !== added));
    this.#setStages([...this.#stages, added]);
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

  /** Of each name of a kind, the latest stage counts. */
  #setStages(stages: readonly (readonly Stage[])[]): void {
    this.#stages = stages;
    const byName = new Map(
      stages.flat().map((stage) => [`${stage.apiVersion}/${stage.kind}/${stage.name}`, stage]),
    );
    this.#stageSet = { id: this.#stageSet.id + 1, stages: [...byName.values()] };
    this.#changed();
  }
}
