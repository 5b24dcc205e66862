import type { ControllerMemory } from "../../../controllers/controller-memory.ts";
import type { SimulationEnvironment } from "../../contract/simulation-environment.ts";
import { EventRecorder } from "../../events/event-recorder.ts";
import { OwnedObjects } from "../ownership/owned-objects.ts";

/** The dependencies of the workload controllers. */
export interface WorkloadEnvironment extends SimulationEnvironment {
  readonly memory: ControllerMemory;
  /** All pods, by their controllers. */
  readonly pods: OwnedObjects;
  /** Records Events of a controller, such as `replicaset-controller`. */
  readonly recorderOf: (component: string) => EventRecorder;
}

/** What the controllers of a simulation work with, and remember together. */
export function workloadEnvironment(
  environment: SimulationEnvironment,
  memory: ControllerMemory,
): WorkloadEnvironment {
  const { client, clock } = environment;
  return {
    ...environment,
    memory,
    pods: memory.part("workloads/pods", () => new OwnedObjects({ group: "", kind: "Pod" })),
    recorderOf: (component) => new EventRecorder({ client, clock, memory, source: { component } }),
  };
}
