import { textAt } from "../../apimachinery/fields.ts";
import { parseGroupVersion } from "../../apimachinery/group-version.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { isStagedNode, type PlayedStage } from "../contract/played-stages.ts";
import type { SimulationEnvironment } from "../contract/simulation-environment.ts";
import { chosenDelay, chosenStage } from "./stage-choice.ts";
import type { StageJob, StageMemory } from "./stage-memory.ts";

const nodes = { group: "", resource: "nodes" };
const pods = { group: "", resource: "pods" };

/** What happens to an object next, and when; without a time, nothing until it changes. */
export interface NextStage {
  readonly stage: PlayedStage | undefined;
  readonly due: number | undefined;
}

/** The objects that stages are for. */
export class StagedObjects {
  readonly #environment: SimulationEnvironment;
  readonly #memory: StageMemory;

  constructor(environment: SimulationEnvironment, memory: StageMemory) {
    this.#environment = environment;
    this.#memory = memory;
  }

  /** The keys of the objects that a change concerns: the object, and the pods that a node has had before it existed. */
  observe(object: KubeObject): readonly string[] {
    const { name = "" } = object.metadata;
    const isNew = object.apiVersion === "v1" && object.kind === "Node" && isStagedNode(object);
    const own = this.#stagesFor(groupOf(object), object.kind).length > 0 ? [keyOf(object)] : [];
    if (!isNew || this.#memory.nodes.has(name)) return own;
    this.#memory.nodes.set(name, true);
    const all = this.#environment.lister.list(pods, "");
    return [...own, ...all.filter((pod) => textAt(pod, "spec", "nodeName") === name).map(keyOf)];
  }

  /** The keys of all objects that a stage is for. */
  all(): ReadonlySet<string> {
    const { stages, api, lister } = this.#environment;
    const kinds = new Map(stages.current.stages.map((stage) => [`${groupOf(stage)}/${stage.kind}`, stage]));
    const objects = [...kinds.values()].flatMap((stage) => {
      const [resource] = api.resourcesOf({ group: groupOf(stage), kind: stage.kind });
      return resource === undefined ? [] : lister.list(resource, "");
    });
    return new Set(objects.map(keyOf));
  }

  /** The object of a key, if stages may be played for it. */
  at(key: string): KubeObject | undefined {
    const { api, lister } = this.#environment;
    const [group = "", kind = "", namespace = "", name = ""] = key.split(" ");
    const [resource] = api.resourcesOf({ group, kind });
    const object = resource === undefined ? undefined : lister.get(resource, namespace, name);
    return object !== undefined && this.#isManaged(object) ? object : undefined;
  }

  /** What happens to an object next. A change of the object or of the stages makes the choice again. */
  jobOf(key: string, object: KubeObject): NextStage {
    const candidates = this.#stagesFor(groupOf(object), object.kind);
    const { id: set } = this.#environment.stages.current;
    const { resourceVersion = "" } = object.metadata;
    const known = this.#memory.jobs.get(key);
    const isCurrent = known?.resourceVersion === resourceVersion && known.set === set;
    const job = isCurrent ? known : this.#newJob(object, candidates, known?.played ?? { at: 0, count: 0 });
    if (!isCurrent) this.#memory.jobs.set(key, job);
    return { stage: candidates.find(({ name }) => name === job.stage), due: job.due };
  }

  #newJob(object: KubeObject, candidates: readonly PlayedStage[], played: StageJob["played"]): StageJob {
    const { clock, identifiers, stages } = this.#environment;
    const now = clock.now();
    const { resourceVersion = "" } = object.metadata;
    const next = chosenStage(candidates, object, identifiers.number);
    const due = next === undefined ? undefined : now + chosenDelay(next, object, now, identifiers.number);
    return { resourceVersion, set: stages.current.id, stage: next?.name ?? "", due, played };
  }

  /** The next stage of the object is played, once. Returns how many have been played at this time. */
  played(key: string): number {
    const job = this.#memory.jobs.get(key);
    if (job === undefined) return 0;
    const at = this.#environment.clock.now();
    const count = job.played.at === at ? job.played.count + 1 : 1;
    this.#memory.jobs.set(key, { ...job, due: undefined, played: { at, count } });
    return count;
  }

  #stagesFor(group: string, kind: string): readonly PlayedStage[] {
    const { stages } = this.#environment.stages.current;
    return stages.filter((stage) => stage.kind === kind && groupOf(stage) === group);
  }

  /** Nodes, and the pods on them, must be managed; stages for other kinds are for all of their objects. */
  #isManaged(object: KubeObject): boolean {
    if (object.apiVersion !== "v1") return true;
    if (object.kind === "Node") return isStagedNode(object);
    if (object.kind !== "Pod") return true;
    const node = this.#environment.lister.get(nodes, "", textAt(object, "spec", "nodeName"));
    return node !== undefined && isStagedNode(node);
  }
}

/** The key of an object. Groups, kinds and names have no space. */
export function keyOf(object: KubeObject): string {
  const { namespace = "", name = "" } = object.metadata;
  return `${groupOf(object)} ${object.kind} ${namespace} ${name}`;
}

function groupOf({ apiVersion }: { readonly apiVersion: string }): string {
  return parseGroupVersion(apiVersion)?.group ?? "";
}
