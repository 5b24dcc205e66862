import { type SimulationPart, simulationParts } from "../controllers/contract/simulation-part.ts";
import { PodScripts } from "../scenario/pod-scripts.ts";
import { SimulatedFailures } from "../scenario/simulated-failures.ts";

/** What is simulated, as options say it. */
type Simulate = boolean | readonly SimulationPart[];

/** The parts that are simulated. */
export function simulationOf(simulate: Simulate): readonly SimulationPart[] {
  if (simulate === false) return [];
  return simulate === true ? simulationParts : simulate;
}

/** The parts that are simulated, how their pods live, and what lets them fail. */
export function completeSimulation(simulate: Simulate): {
  readonly simulation: readonly SimulationPart[];
  readonly podScripts: PodScripts;
  readonly simulatedFailures: SimulatedFailures;
} {
  const simulation = simulationOf(simulate);
  const podScripts = new PodScripts(simulation);
  return { simulation, podScripts, simulatedFailures: new SimulatedFailures(simulation) };
}
