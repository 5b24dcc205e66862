import type { ControllerMemory } from "../controllers/controller-memory.ts";
import { simulatedControllers } from "../simulation/simulated-controllers.ts";
import type { SimulationMaker } from "./controllers-for.ts";

/** The controllers of the parts that the options name. */
export const simulationFor: SimulationMaker = ({ config, ...sources }) => {
  const { identifiers, simulation, catalog, featureGates: gates, simulatedFailures: failures } = config;
  const podScripts = {
    get current() {
      return [...failures.scripts, ...config.podScripts.current];
    },
  };
  const environment = { ...sources, identifiers, gates, release: catalog.release, podScripts, failures };
  return (memory: ControllerMemory) => simulatedControllers(simulation, environment, memory);
};
