import { textAt } from "../../apimachinery/fields.ts";
import { isSimulatedNode } from "../../apimachinery/simulated-node.ts";
import type { Controller, ObjectChange } from "../../controllers/contract/controller.ts";
import type { ControllerMemory } from "../../controllers/controller-memory.ts";
import { failuresOfType } from "../contract/cluster-failures.ts";
import { playsPods } from "../contract/played-stages.ts";
import type { SimulationEnvironment } from "../contract/simulation-environment.ts";
import { clockSkews } from "../nodes/clock-skews.ts";
import { cordons } from "../nodes/cordons.ts";
import { KubeletClients } from "../nodes/kubelet-clients.ts";
import { LostNodes } from "../nodes/lost-nodes.ts";
import { nodeController } from "../nodes/node-controller.ts";
import { NodeLosses } from "../nodes/node-losses.ts";
import { NodeNetworks } from "../nodes/node-networks.ts";
import { stageController } from "../stages/stage-controller.ts";
import { KubeletMemory } from "./kubelet-memory.ts";
import { PodKubelet } from "./pod-kubelet.ts";

const nodes = { group: "", resource: "nodes" };

/** Runs the nodes and lets their pods go through their phases. */
export function kubeletControllers(
  environment: SimulationEnvironment,
  memory: ControllerMemory,
): readonly Controller[] {
  const clients = new KubeletClients(environment, memory);
  const networks = memory.part("node-networks", () => new NodeNetworks());
  const lost = memory.part("lost-nodes", () => new LostNodes());
  const known = memory.part("kubelets", () => new KubeletMemory());
  const losses = new NodeLosses(environment, memory, clients, lost);
  const kubelet = new PodKubelet({ environment, clients, networks, memory: known, lost, losses });
  const down = () => failuresOfType(environment.failures, "nodeDown");
  /** The nodes that are not lost any more, and those that are down. */
  const lossesChanged = () => {
    const causes = new Set([
      ...environment.podScripts.current.map(({ id }) => `script/${id}`),
      ...down().map(({ id }) => `failure/${id}`),
    ]);
    const back = lost.recover((cause) => causes.has(cause));
    return [...back, ...down().map(({ failure }) => failure.node)];
  };
  return [
    nodeController(environment, memory, clients, networks),
    cordons(environment, memory, clients, lost),
    clockSkews({ environment, memory, clients, lost, losses }),
    stageController(environment, memory),
    {
      name: "kubelet",
      kinds: ["Pod", "Node", "ConfigMap", "Secret", "PersistentVolumeClaim"],
      observe: (change) => {
        const { kind, metadata } = change.object;
        const isDown = kind === "Node" && down().some(({ failure }) => failure.node === metadata.name);
        const keys = keysOf(change, known);
        return isDown && change.type === "put" ? [...keys, metadata.name ?? ""] : keys;
      },
      // A script or a failure has come or gone.
      observeRelease: () => [...lossesChanged(), ...known.unsettleAll()],
      // A fork has the scripts of its original, and none of its failures.
      observePublication: () => {
        const changed = lossesChanged();
        return changed.length > 0 ? [...changed, ...known.unsettleAll()] : [];
      },
      // The names of nodes have no slash.
      reconcile: async (key) => {
        if (key.includes("/")) return playsPods(environment.stages) ? leave(key, known) : kubelet.sync(key);
        const node = environment.lister.get(nodes, "", key);
        const failure = down().find(({ failure }) => failure.node === key);
        if (failure !== undefined && node !== undefined && isSimulatedNode(node))
          lost.lose(key, `failure/${failure.id}`, environment.clock.now());
        if (lost.has(key)) return losses.attend(key);
        await losses.restore(key);
        return undefined;
      },
    },
  ];
}

/** A pod that has a node, and the pods that wait for an object. */
function keysOf({ type, object }: ObjectChange, memory: KubeletMemory): readonly string[] {
  const { name = "", namespace = "" } = object.metadata;
  if (object.kind !== "Pod") return type === "put" ? memory.waitingFor(object.kind, namespace, name) : [];
  const key = `${namespace}/${name}`;
  const waiting = memory.waitingFor(object.kind, namespace, name);
  if (type === "put") return hasNode(object) ? [key, ...waiting] : waiting;
  memory.staged.delete(key);
  if (memory.runtimeOf(key) === undefined) return waiting;
  memory.noteDeleted(key, object);
  return [key, ...waiting];
}

/** Leaves a pod to stages. */
function leave(key: string, memory: KubeletMemory): undefined {
  memory.deleteRuntime(key);
  memory.takeDeleted(key);
  memory.stopAwaiting(key);
  memory.unsettle(key);
  memory.staged.set(key, key);
}

function hasNode(pod: ObjectChange["object"]): boolean {
  return textAt(pod, "spec", "nodeName") !== "";
}
