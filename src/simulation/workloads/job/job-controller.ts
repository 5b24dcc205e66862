import { textAt, valueAt } from "../../../apimachinery/fields.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { labelSelectorFromObject } from "../../../apimachinery/selectors/label-selector-object.ts";
import type { Controller, ObjectChange } from "../../../controllers/contract/controller.ts";
import { pods as podResource } from "../contract/core-resources.ts";
import { isOfKind, isTerminating, keyOf, namesOf } from "../contract/object-key.ts";
import { jobs } from "../contract/workload-resources.ts";
import type { WorkloadEnvironment } from "../environment/workload-environment.ts";
import { affectedOwners, controllerKey } from "../ownership/affected-owners.ts";
import { controllerOf } from "../ownership/controller-reference.ts";
import { SelectorIndex } from "../ownership/selector-index.ts";
import { isFinished } from "../pods/pod-state.ts";
import { isJobFinished } from "./job-conditions.ts";
import { JobRetries } from "./job-retries.ts";
import { JobSync } from "./job-sync.ts";
import { isTracked } from "./job-tracking.ts";

/** The keys of pods whose Job may be gone. */
const podPrefix = "pod:";

/** Runs the pods of Jobs. Upstream: pkg/controller/job. */
export function jobController(environment: WorkloadEnvironment): Controller {
  const { memory, pods } = environment;
  const selectors = memory.part("workloads/jobs/selectors", () => new SelectorIndex());
  const retries = memory.part("workloads/jobs/retries", () => new JobRetries());
  const sync = new JobSync(environment);
  return {
    name: "job-controller",
    kinds: ["Job", "Pod"],
    observe: (change) => {
      const { object, type } = change;
      if (isOfKind(object, jobs)) {
        selectors.take(change, labelSelectorFromObject(valueAt(object, "spec", "selector")));
        if (type === "put") return [keyOf(object)];
        return [keyOf(object), ...pods.ownedBy(object.metadata.uid ?? "").map(podKey)];
      }
      if (object.kind !== "Pod") return [];
      const owners = affectedOwners(change, pods.take(change), jobs, selectors);
      return mayBeOrphan(change) ? [...owners, podKey(object)] : owners;
    },
    reconcile: async (key) => {
      if (key.startsWith(podPrefix)) return releaseOrphan(environment, sync, key.slice(podPrefix.length));
      return retries.run(key, () => reconcileJob(environment, sync, key));
    },
  };
}

async function reconcileJob(
  { lister }: WorkloadEnvironment,
  sync: JobSync,
  key: string,
): Promise<number | undefined> {
  const { namespace, name } = namesOf(key);
  const job = lister.get(jobs, namespace, name);
  if (job === undefined) {
    sync.forget(key);
    return undefined;
  }
  return isManagedElsewhere(job) ? undefined : sync.reconcile(job);
}

function podKey(pod: KubeObject): string {
  return podPrefix + keyOf(pod);
}

/** Whether a pod waits to be counted by a Job that may not do it. */
function mayBeOrphan({ type, object }: ObjectChange): boolean {
  if (type === "delete" || !isTracked(object)) return false;
  return isTerminating(object) || isFinished(object) || controllerOf(object) === undefined;
}

/** Removes the finalizer of a pod whose Job is gone or has ended. Upstream: `syncOrphanPod`. */
async function releaseOrphan(
  { lister }: WorkloadEnvironment,
  sync: JobSync,
  key: string,
): Promise<undefined> {
  const { namespace, name } = namesOf(key);
  const pod = lister.get(podResource, namespace, name);
  if (pod === undefined) return;
  const owner = controllerOf(pod);
  const jobKey = controllerKey(pod, jobs);
  if (owner !== undefined && jobKey === undefined) return;
  const job = jobKey === undefined ? undefined : lister.get(jobs, namespace, namesOf(jobKey).name);
  const isOwned = job !== undefined && job.metadata.uid === owner?.uid;
  if (isOwned && (isManagedElsewhere(job) || !isJobFinished(job))) return;
  await sync.untrack(pod);
}

/** Whether another controller runs the Job: `spec.managedBy`. */
function isManagedElsewhere(job: KubeObject): boolean {
  const manager = textAt(job, "spec", "managedBy");
  return manager !== "" && manager !== "kubernetes.io/job-controller";
}
