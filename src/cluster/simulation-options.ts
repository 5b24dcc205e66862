import { unknownName } from "../apimachinery/option-checks.ts";
import { type SimulationPart, simulationParts } from "../controllers/contract/simulation-part.ts";
import { controllerNames, simulatedControllerNames } from "../controllers/enabled-controllers.ts";
import { PodScripts } from "../scenario/pod-scripts.ts";
import { SimulatedFailures } from "../scenario/simulated-failures.ts";

/** What is simulated, as options say it. */
type Simulate = boolean | readonly SimulationPart[];

/** The parts that are simulated. */
function simulationOf(simulate: Simulate): readonly SimulationPart[] {
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

interface ControllerOptions {
  readonly controllers?: readonly string[];
  readonly simulate?: Simulate;
}

/** @throws {Error} for a controller that does not exist in this cluster. One that does not run may be disabled. */
export function checkControllers(
  { controllers = [], simulate = false }: ControllerOptions,
  title: string,
): void {
  const isSimulated = simulationOf(simulate).includes("workloads");
  const all = [...controllerNames, ...simulatedControllerNames];
  for (const entry of controllers) {
    const name = entry.replace(/^-/, "");
    if (name !== "*" && !all.includes(name)) throw unknownName(`${title}: unknown controller`, name, all);
    if (name === entry && !isSimulated && simulatedControllerNames.includes(name)) {
      throw new Error(`${title}: ${name} only runs in a simulated cluster; see the option simulate`);
    }
  }
}
