import type { ControllerMemory } from "../controllers/controller-memory.ts";
import { builtInKinds } from "../kinds/kinds.ts";
import { simulatedControllers } from "../simulation/simulated-controllers.ts";
import type { SimulationMaker } from "./controllers-for.ts";
import { rawApi } from "./raw-api.ts";

/** The kinds that simulated components create without a request of a client. A test compares them with what they do. */
export const createdKinds: ReadonlySet<string> = new Set([
  ...["Pod", "Event", "Node", "Lease", "CSINode", "Endpoints", "EndpointSlice"],
  ...["ReplicaSet", "ControllerRevision", "Job", "PersistentVolume", "PersistentVolumeClaim"],
]);

/**
 * Loads the code that simulated components need for their writes: where a test fakes its timers, the time does not wait for
 * files that are being read.
 */
export async function loadSimulation(): Promise<SimulationMaker> {
  const kinds = builtInKinds.filter(({ kind }) => createdKinds.has(kind));
  await Promise.all([
    ...kinds.map(({ rules }) => rules?.()),
    import("../controllers/protected-volumes.ts"),
    import("../registry/subresources/scale-verbs.ts"),
  ]);
  return simulationFor;
}

/** The controllers of the parts that the options name. */
const simulationFor: SimulationMaker = ({ config, requests, ...sources }) => {
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
