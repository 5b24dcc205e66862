import type { UserInfo } from "../../apimachinery/user-info.ts";
import type { Controller } from "../../controllers/contract/controller.ts";
import type { ControllerMemory } from "../../controllers/controller-memory.ts";
import type { SimulationEnvironment } from "../contract/simulation-environment.ts";
import { actionRecorder } from "../events/action-recorder.ts";
import { Scheduler, schedulerName } from "./scheduler.ts";
import { SchedulerMemory } from "./scheduler-memory.ts";
import { observedBy } from "./scheduler-observation.ts";
import { SchedulingQueue } from "./scheduling-queue.ts";

const user: UserInfo = { name: "system:kube-scheduler", uid: "", groups: [], extra: {} };

/** Assigns pods to nodes. */
export function schedulerControllers(
  environment: SimulationEnvironment,
  memory: ControllerMemory,
): readonly Controller[] {
  const { api, clock, clientOf, gates } = environment;
  const client = clientOf(user, "kube-scheduler");
  const known = memory.part("scheduler", () => new SchedulerMemory());
  const queue = memory.part("scheduling-queue", () => new SchedulingQueue());
  const recorder = actionRecorder({ api, client, clock, memory, gates, controller: schedulerName });
  const scheduler = new Scheduler({ environment, client, recorder, memory: known, queue });
  const observe = observedBy(known, queue, environment.lister);
  return [
    {
      name: "kube-scheduler",
      kinds: ["Pod", "Node", "PersistentVolumeClaim", "PersistentVolume", "StorageClass", "CSINode"],
      observe: (change) => (observe(change) ? ["pods"] : []),
      reconcile: () => scheduler.scheduleAll(),
    },
  ];
}
