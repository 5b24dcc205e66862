import { type SimulationPart, simulationParts } from "../controllers/contract/simulation-part.ts";
import { SimulatedFailures } from "../scenario/simulated-failures.ts";

/** What is simulated, as options say it. */
type Simulate = boolean | readonly SimulationPart[];

/** The parts that are simulated. */
export function simulationOf(simulate: Simulate): readonly SimulationPart[] {
  if (simulate === false) return [];
  return simulate === true ? simulationParts : simulate;
}

/** The parts that are simulated, and what lets them fail. */
export function completeSimulation(simulate: Simulate): {
  readonly simulation: readonly SimulationPart[];
  readonly simulatedFailures: SimulatedFailures;
} {
  const simulation = simulationOf(simulate);
  return { simulation, simulatedFailures: new SimulatedFailures(simulation) };
}
