import type { Controller } from "../controllers/contract/controller.ts";
import type { SimulationPart } from "../controllers/contract/simulation-part.ts";
import type { ControllerMemory } from "../controllers/controller-memory.ts";
import { EventLoopTurns } from "./contract/event-loop-turns.ts";
import type { SimulationEnvironment } from "./contract/simulation-environment.ts";
import { failureController } from "./failures/failure-controller.ts";
import { kubeletControllers } from "./kubelets/kubelet-controllers.ts";
import { schedulerControllers } from "./scheduler/scheduler-controllers.ts";
import { workloadControllers } from "./workloads/workload-controllers.ts";

type Make = (environment: SimulationEnvironment, memory: ControllerMemory) => readonly Controller[];

/** The controllers of each part. */
const makers: { readonly [part in SimulationPart]: Make } = {
  workloads: workloadControllers,
  scheduler: schedulerControllers,
  kubelets: kubeletControllers,
};

/** The controllers of some parts of a simulated cluster. */
export function simulatedControllers(
  parts: readonly SimulationPart[],
  environment: SimulationEnvironment,
  memory: ControllerMemory,
): readonly Controller[] {
  const controllers = parts.flatMap((part) => makers[part](environment, memory));
  return parts.length === 0 ? [] : [...controllers, failureController(environment, memory)].map(yielding);
}

/** A controller whose work, however much there is at one time of the clock, does not keep timers from running. */
function yielding(controller: Controller): Controller {
  const turns = new EventLoopTurns();
  const reconcile = (key: string): Promise<number | undefined> => {
    // A promise of nothing is one of undefined.
    const work = () => controller.reconcile(key) as Promise<number | undefined>;
    const turned = turns.next();
    return turned === undefined ? work() : turned.then(work);
  };
  return { ...controller, reconcile };
}
