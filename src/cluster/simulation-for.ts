import type { ControllerMemory } from "../controllers/controller-memory.ts";
import { simulatedControllers } from "../simulation/simulated-controllers.ts";
import type { SimulationMaker } from "./controllers-for.ts";

/** The controllers of the parts that the options name. */
export const simulationFor: SimulationMaker = ({ config, ...sources }) => {
  const { identifiers, simulation, catalog, featureGates: gates, podScripts } = config;
  const environment = { ...sources, identifiers, gates, release: catalog.release, podScripts };
  return (memory: ControllerMemory) => simulatedControllers(simulation, environment, memory);
};
