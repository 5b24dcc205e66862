import type { ControllerMemory } from "../controllers/controller-memory.ts";
import { simulatedControllers } from "../simulation/simulated-controllers.ts";
import type { SimulationMaker } from "./controllers-for.ts";
import { rawApi } from "./raw-api.ts";

/** The controllers of the parts that the options name. */
export const simulationFor: SimulationMaker = ({ config, requests, ...sources }) => {
  const { identifiers, simulation, catalog, featureGates: gates, simulatedFailures: failures } = config;
  const podScripts = {
    get current() {
      return [...failures.scripts, ...config.podScripts.current];
    },
  };
  const stages = {
    get current() {
      return config.podScripts.currentStages;
    },
  };
  const api = rawApi(requests);
  const { release } = catalog;
  const environment = { ...sources, api, identifiers, gates, release, podScripts, stages, failures };
  return (memory: ControllerMemory) => simulatedControllers(simulation, environment, memory);
};
