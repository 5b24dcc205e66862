import { textAt } from "../../apimachinery/fields.ts";
import { parseGroupVersion } from "../../apimachinery/group-version.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { Controller, ObjectChange } from "../../controllers/contract/controller.ts";
import type { ControllerMemory } from "../../controllers/controller-memory.ts";
import { isStagedNode, type PlayedStage } from "../contract/played-stages.ts";
import type { SimulationEnvironment } from "../contract/simulation-environment.ts";
import { NodeNetworks } from "../nodes/node-networks.ts";
import { chosenDelay, chosenStage } from "./stage-choice.ts";
import { type StageJob, StageMemory } from "./stage-memory.ts";
import { StagePlayer } from "./stage-player.ts";

const nodes = { group: "", resource: "nodes" };
const pods = { group: "", resource: "pods" };

/** Plays Stages of KWOK. Each change of an object chooses its next stage. */
export function stageController(environment: SimulationEnvironment, memory: ControllerMemory): Controller {
  const networks = memory.part("node-networks", () => new NodeNetworks());
  const known = memory.part("stages", () => new StageMemory());
  const player = new StagePlayer(environment, memory, networks, known);
  const { lister, clock, identifiers, stages, api } = environment;
  const stagesFor = (group: string, kind: string) =>
    stages.current.stages.filter((stage) => stage.kind === kind && groupOf(stage.apiVersion) === group);
  const podsOf = (node: KubeObject) => {
    const { name = "" } = node.metadata;
    if (known.nodes.has(name)) return [];
    known.nodes.set(name, true);
    return lister
      .list(pods, "")
      .filter((pod) => textAt(pod, "spec", "nodeName") === name)
      .map(keyOf);
  };
  /** The objects that a stage is for. */
  const all = () => {
    const objects = stages.current.stages.flatMap(({ apiVersion, kind }) => {
      const [resource] = api.resourcesOf({ group: groupOf(apiVersion), kind });
      return resource === undefined ? [] : lister.list(resource, "");
    });
    return new Set(objects.map(keyOf));
  };
  /** What happens to the object next. A change of the object or of the stages chooses anew. */
  const jobOf = (key: string, object: KubeObject, candidates: readonly PlayedStage[]): StageJob => {
    const { id: set } = stages.current;
    const { resourceVersion = "" } = object.metadata;
    const job = known.jobs.get(key);
    if (job?.resourceVersion === resourceVersion && job.set === set) return job;
    const now = clock.now();
    const next = chosenStage(candidates, object, identifiers.number);
    const due = next === undefined ? undefined : now + chosenDelay(next, object, now, identifiers.number);
    const chosen = { resourceVersion, set, stage: next?.name ?? "", due };
    known.jobs.set(key, chosen);
    return chosen;
  };
  return {
    name: "kwok",
    observe: ({ type, object }: ObjectChange) => {
      if (stages.current.stages.length === 0) return [];
      if (type === "delete") {
        forget(keyOf(object), object, known, networks);
        return [];
      }
      const appeared = object.kind === "Node" && isStagedNode(object) ? podsOf(object) : [];
      const isPlayed = stagesFor(groupOf(object.apiVersion), object.kind).length > 0;
      return isPlayed ? [keyOf(object), ...appeared] : appeared;
    },
    observeRelease: all,
    reconcile: async (key) => {
      const [group = "", kind = "", namespace = "", name = ""] = key.split(" ");
      const [resource] = api.resourcesOf({ group, kind });
      const object = resource === undefined ? undefined : lister.get(resource, namespace, name);
      if (object === undefined || !isManaged(object, environment)) return undefined;
      const candidates = stagesFor(group, kind);
      const job = jobOf(key, object, candidates);
      const now = clock.now();
      if (job.due === undefined) return undefined;
      if (job.due > now) return job.due - now;
      known.jobs.set(key, { ...job, due: undefined });
      const stage = candidates.find(({ name }) => name === job.stage);
      if (stage !== undefined) await player.play(stage, object);
      return undefined;
    },
  };
}

function groupOf(apiVersion: string): string {
  return parseGroupVersion(apiVersion)?.group ?? "";
}

/** Groups, kinds and names have no space. */
function keyOf({ apiVersion, kind, metadata: { namespace = "", name = "" } }: KubeObject): string {
  return `${groupOf(apiVersion)} ${kind} ${namespace} ${name}`;
}

function forget(key: string, object: KubeObject, memory: StageMemory, networks: NodeNetworks): void {
  memory.jobs.delete(key);
  const { namespace = "", name = "" } = object.metadata;
  if (object.kind === "Node") memory.nodes.delete(name);
  if (object.kind !== "Pod") return;
  const address = memory.addresses.get(`${namespace}/${name}`);
  if (address === undefined) return;
  memory.addresses.delete(`${namespace}/${name}`);
  networks.release(address);
}

/** Nodes, and the pods on them, must be managed; stages for other kinds are for all of their objects. */
function isManaged(object: KubeObject, { lister }: SimulationEnvironment): boolean {
  if (object.apiVersion !== "v1") return true;
  if (object.kind === "Node") return isStagedNode(object);
  if (object.kind !== "Pod") return true;
  const node = lister.get(nodes, "", textAt(object, "spec", "nodeName"));
  return node !== undefined && isStagedNode(node);
}
