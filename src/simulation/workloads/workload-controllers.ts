import type { Controller } from "../../controllers/contract/controller.ts";
import type { ControllerMemory } from "../../controllers/controller-memory.ts";
import type { SimulationEnvironment } from "../contract/simulation-environment.ts";

/** The controllers that create pods and follow them. A new one is a file and a line here. */
export function workloadControllers(
  _environment: SimulationEnvironment,
  _memory: ControllerMemory,
): readonly Controller[] {
  return [];
}
