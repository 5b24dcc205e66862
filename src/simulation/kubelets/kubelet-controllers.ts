import type { Controller } from "../../controllers/contract/controller.ts";
import type { ControllerMemory } from "../../controllers/controller-memory.ts";
import type { SimulationEnvironment } from "../contract/simulation-environment.ts";
import { KubeletClients } from "../nodes/kubelet-clients.ts";
import { nodeController } from "../nodes/node-controller.ts";
import { NodeNetworks } from "../nodes/node-networks.ts";

/** Runs the nodes and lets their pods go through their phases. */
export function kubeletControllers(
  environment: SimulationEnvironment,
  memory: ControllerMemory,
): readonly Controller[] {
  const clients = new KubeletClients(environment, memory);
  const networks = memory.part("node-networks", () => new NodeNetworks());
  return [nodeController(environment, memory, clients, networks)];
}
