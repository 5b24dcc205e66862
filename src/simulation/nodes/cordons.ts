import { booleanAt } from "../../apimachinery/fields.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { isSimulatedNode } from "../../apimachinery/simulated-node.ts";
import type { Controller } from "../../controllers/contract/controller.ts";
import type { ControllerMemory } from "../../controllers/controller-memory.ts";
import { KeySet } from "../contract/key-set.ts";
import type { SimulationEnvironment } from "../contract/simulation-environment.ts";
import type { KubeletClients } from "./kubelet-clients.ts";
import type { LostNodes } from "./lost-nodes.ts";
import { nodeOfKubelet } from "./node-references.ts";
import { statusEvent } from "./status-events.ts";

const nodes = { group: "", resource: "nodes" };

/** Lets kubelets record that their nodes were cordoned or uncordoned. Upstream: `recordNodeSchedulableEvent` (pkg/kubelet/kubelet_node_status.go). */
export function cordons(
  environment: SimulationEnvironment,
  memory: ControllerMemory,
  clients: KubeletClients,
  lost: LostNodes,
): Controller {
  /** The nodes that their kubelets have reported as cordoned. */
  const cordoned = memory.part("cordoned-nodes", () => new KeySet());
  const isNews = (node: KubeObject) => isCordoned(node) !== cordoned.has(node.metadata.name ?? "");
  return {
    name: "cordons",
    kinds: ["Node"],
    observe: ({ type, object, isFound }) => {
      const { name = "" } = object.metadata;
      if (type === "delete") cordoned.delete(name);
      else if (isFound && isCordoned(object)) cordoned.add(name);
      return type === "put" && isSimulatedNode(object) && isNews(object) ? [name] : [];
    },
    reconcile: async (name) => {
      const node = environment.lister.get(nodes, "", name);
      // A kubelet that comes back writes the status of its node.
      if (node === undefined || lost.has(name) || !isNews(node)) return;
      if (isCordoned(node)) cordoned.add(name);
      else cordoned.delete(name);
      const reason = isCordoned(node) ? "NodeNotSchedulable" : "NodeSchedulable";
      await clients.of(name).recorder.record(nodeOfKubelet(name), statusEvent(name, reason));
    },
  };
}

function isCordoned(node: KubeObject): boolean {
  return booleanAt(node, "spec", "unschedulable");
}
