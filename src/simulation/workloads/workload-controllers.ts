import type { Controller } from "../../controllers/contract/controller.ts";
import type { ControllerMemory } from "../../controllers/controller-memory.ts";
import type { SimulationEnvironment } from "../contract/simulation-environment.ts";
import { horizontalPodAutoscalerController } from "./autoscaler/autoscaler-controller.ts";
import { cronJobController } from "./cron-job/cron-job-controller.ts";
import { daemonSetController } from "./daemon-set/daemon-set-controller.ts";
import { deploymentController } from "./deployment/deployment-controller.ts";
import { disruptionController } from "./disruption/disruption-controller.ts";
import { endpointsController } from "./endpoints/endpoints-controller.ts";
import { endpointSliceController } from "./endpoints/slice-controller.ts";
import { endpointSliceMirroring } from "./endpoints/slice-mirroring.ts";
import { type WorkloadEnvironment, workloadEnvironment } from "./environment/workload-environment.ts";
import { ttlAfterFinished } from "./job/finished-jobs.ts";
import { jobController } from "./job/job-controller.ts";
import { nodeLifecycleController } from "./node-lifecycle/node-lifecycle-controller.ts";
import { podGarbageCollector } from "./node-lifecycle/pod-garbage-collector.ts";
import { taintEvictionController } from "./node-lifecycle/taint-eviction-controller.ts";
import { ttlController } from "./node-lifecycle/ttl-controller.ts";
import { replicaSetController, replicationController } from "./replica-set/replica-set-controller.ts";
import { statefulSetController } from "./stateful-set/stateful-set-controller.ts";
import { ephemeralVolumeController } from "./volumes/ephemeral-volumes.ts";
import { volumeBinder } from "./volumes/volume-binder.ts";
import { volumeExpander } from "./volumes/volume-expander.ts";

const makers: readonly ((environment: WorkloadEnvironment) => Controller)[] = [
  endpointsController,
  endpointSliceController,
  endpointSliceMirroring,
  replicationController,
  replicaSetController,
  deploymentController,
  statefulSetController,
  daemonSetController,
  jobController,
  ttlAfterFinished,
  cronJobController,
  horizontalPodAutoscalerController,
  disruptionController,
  podGarbageCollector,
  nodeLifecycleController,
  taintEvictionController,
  ttlController,
  volumeBinder,
  volumeExpander,
  ephemeralVolumeController,
];

/** The controllers that create pods and follow them. A new one is a file and a line here. */
export function workloadControllers(
  environment: SimulationEnvironment,
  memory: ControllerMemory,
): readonly Controller[] {
  const workloads = workloadEnvironment(environment, memory);
  return makers.map((make) => make(workloads));
}
