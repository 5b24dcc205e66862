import { listAt, sizeAt, textAt } from "../../apimachinery/fields.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { isSimulatedNode } from "../../apimachinery/simulated-node.ts";
import type { Controller } from "../../controllers/contract/controller.ts";
import type { ControllerMemory, Memory } from "../../controllers/controller-memory.ts";
import type { SimulationEnvironment } from "../contract/simulation-environment.ts";
import { defaultNodes } from "./default-nodes.ts";
import type { KubeletClients } from "./kubelet-clients.ts";
import type { NodeNetworks } from "./node-networks.ts";
import { NodeRegistration } from "./node-registration.ts";

const nodes = { group: "", resource: "nodes" };
const leases = "kube-node-lease";

/** The nodes that the cluster still has to register, once in its life. */
class Unregistered implements Memory {
  readonly names: Set<string>;

  constructor(names: Iterable<string>) {
    this.names = new Set(names);
  }

  fork(): this {
    // The class has no subclasses.
    return new Unregistered(this.names) as this;
  }
}

/** Registers the nodes of a simulated cluster, and starts the kubelets of all nodes whose kubelets this process simulates. */
export function nodeController(
  environment: SimulationEnvironment,
  memory: ControllerMemory,
  clients: KubeletClients,
  networks: NodeNetworks,
): Controller {
  const registration = new NodeRegistration(environment, memory, clients, networks);
  const unregistered = memory.part("unregistered-nodes", () => new Unregistered(defaultNodes));
  return {
    name: "node-registration",
    kinds: ["Namespace", "Node"],
    observe: ({ type, object }) => {
      const { name = "" } = object.metadata;
      // The Leases of nodes need this namespace.
      if (object.kind === "Namespace") return type === "put" && name === leases ? unregistered.names : [];
      if (object.apiVersion !== "v1") return [];
      if (type === "delete") {
        clients.forget(name);
        networks.forget(name);
        return [];
      }
      adoptNetwork(object, networks);
      const isStarted =
        textAt(object, "spec", "podCIDR") !== "" && sizeAt(object, "status", "conditions") > 0;
      return isStarted || !isSimulatedNode(object) ? [] : [name];
    },
    reconcile: async (name) => {
      if (unregistered.names.has(name)) {
        await registration.register(name);
        unregistered.names.delete(name);
      }
      const node = environment.lister.get(nodes, "", name);
      if (node !== undefined && isSimulatedNode(node)) await registration.start(node);
    },
  };
}

/** A node that has started under another server keeps its addresses. */
function adoptNetwork(node: KubeObject, networks: NodeNetworks): void {
  const podCidr = textAt(node, "spec", "podCIDR");
  const internal = listAt(node, "status", "addresses").find(({ type }) => type === "InternalIP");
  if (podCidr === "" || internal === undefined || !isSimulatedNode(node)) return;
  networks.adopt(node.metadata.name ?? "", { podCidr, address: textAt(internal, "address") });
}
