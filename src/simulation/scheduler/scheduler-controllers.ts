import type { Controller } from "../../controllers/contract/controller.ts";
import type { ControllerMemory } from "../../controllers/controller-memory.ts";
import type { SimulationEnvironment } from "../contract/simulation-environment.ts";

/** Assigns pods to nodes. */
export function schedulerControllers(
  _environment: SimulationEnvironment,
  _memory: ControllerMemory,
): readonly Controller[] {
  return [];
}
