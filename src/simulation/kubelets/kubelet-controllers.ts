import { textAt } from "../../apimachinery/fields.ts";
import type { Controller, ObjectChange } from "../../controllers/contract/controller.ts";
import type { ControllerMemory } from "../../controllers/controller-memory.ts";
import type { SimulationEnvironment } from "../contract/simulation-environment.ts";
import { KubeletClients } from "../nodes/kubelet-clients.ts";
import { LostNodes } from "../nodes/lost-nodes.ts";
import { nodeController } from "../nodes/node-controller.ts";
import { NodeLosses } from "../nodes/node-losses.ts";
import { NodeNetworks } from "../nodes/node-networks.ts";
import { KubeletMemory } from "./kubelet-memory.ts";
import { PodKubelet } from "./pod-kubelet.ts";

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
  return [
    nodeController(environment, memory, clients, networks),
    {
      name: "kubelet",
      kinds: ["Pod", "Node", "ConfigMap", "Secret", "PersistentVolumeClaim"],
      observe: (change) => keysOf(change, known),
      // A script has come or gone.
      observeRelease: () => {
        const scripts = new Set(environment.podScripts.current.map(({ id }) => id));
        const back = lost.recover((script) => scripts.has(script));
        const running = known.runtimes.values("").map(({ key }) => key);
        for (const key of running) known.unsettle(key);
        return [...back, ...running];
      },
      // The names of nodes have no slash.
      reconcile: async (key) => {
        if (key.includes("/")) return kubelet.sync(key);
        await losses.restore(key);
        return undefined;
      },
    },
  ];
}

/** A pod that has a node, or the pods that wait for an object. */
function keysOf({ type, object }: ObjectChange, memory: KubeletMemory): readonly string[] {
  const { name = "", namespace = "" } = object.metadata;
  if (object.kind !== "Pod") return type === "put" ? memory.waitingFor(object.kind, namespace, name) : [];
  const key = `${namespace}/${name}`;
  if (type === "put") return hasNode(object) ? [key] : [];
  return memory.runtimes.has(key) ? [key] : [];
}

function hasNode(pod: ObjectChange["object"]): boolean {
  return textAt(pod, "spec", "nodeName") !== "";
}
