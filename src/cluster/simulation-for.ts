import type { ControllerMemory } from "../controllers/controller-memory.ts";
import { simulatedControllers } from "../simulation/simulated-controllers.ts";
import type { SimulationMaker } from "./controllers-for.ts";
import { rawApi } from "./raw-api.ts";

/** The controllers of the parts that the options name. */
export const simulationFor: SimulationMaker = ({ config, requests, ...sources }) => {
  const { identifiers, simulation, catalog, featureGates: gates, podScripts } = config;
  const api = rawApi(requests);
  const environment = { ...sources, api, identifiers, gates, release: catalog.release, podScripts };
  return (memory: ControllerMemory) => simulatedControllers(simulation, environment, memory);
};
