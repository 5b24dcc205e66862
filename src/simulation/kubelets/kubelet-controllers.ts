import type { Controller } from "../../controllers/contract/controller.ts";
import type { ControllerMemory } from "../../controllers/controller-memory.ts";
import type { SimulationEnvironment } from "../contract/simulation-environment.ts";

/** Runs the nodes and lets their pods go through their phases. */
export function kubeletControllers(
  _environment: SimulationEnvironment,
  _memory: ControllerMemory,
): readonly Controller[] {
  return [];
}
