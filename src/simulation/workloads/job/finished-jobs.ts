import { isConflict, isNotFound } from "../../../apimachinery/errors/error-predicates.ts";
import { listAt, structAt, textAt } from "../../../apimachinery/fields.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { Controller } from "../../../controllers/contract/controller.ts";
import { isOfKind, isTerminating, keyOf, namesOf } from "../contract/object-key.ts";
import { jobs } from "../contract/workload-resources.ts";
import type { WorkloadEnvironment } from "../environment/workload-environment.ts";

/** Deletes Jobs whose time to live after their end is over. Upstream: pkg/controller/ttlafterfinished. */
export function ttlAfterFinished({ lister, client, clock }: WorkloadEnvironment): Controller {
  return {
    name: "ttl-after-finished-controller",
    kinds: ["Job"],
    observe: ({ type, object }) =>
      type === "put" && isOfKind(object, jobs) && expiryOf(object) !== undefined ? [keyOf(object)] : [],
    reconcile: async (key) => {
      const { namespace, name } = namesOf(key);
      const job = lister.get(jobs, namespace, name);
      const expiry = job === undefined ? undefined : expiryOf(job);
      if (job === undefined || expiry === undefined) return undefined;
      if (expiry > clock.now()) return expiry - clock.now();
      const preconditions = { uid: job.metadata.uid ?? "" };
      const options = { namespace, propagationPolicy: "Foreground", preconditions } as const;
      await client.delete(job.apiVersion, job.kind, name, options).catch((error: unknown) => {
        if (!isNotFound(error) && !isConflict(error)) throw error;
      });
      return undefined;
    },
  };
}

/** When a Job is to be deleted, in milliseconds since the epoch. */
function expiryOf(job: KubeObject): number | undefined {
  const { ttlSecondsAfterFinished } = structAt(job, "spec");
  if (typeof ttlSecondsAfterFinished !== "number" || isTerminating(job)) return undefined;
  const end = listAt(job, "status", "conditions").find(
    ({ type, status }) => (type === "Complete" || type === "Failed") && status === "True",
  );
  if (end === undefined) return undefined;
  return Date.parse(textAt(end, "lastTransitionTime")) + ttlSecondsAfterFinished * 1000;
}
