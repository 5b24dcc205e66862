import { isConflict, isNotFound } from "../../../apimachinery/errors/error-predicates.ts";
import { structAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { observedGeneration, withPodCondition } from "../../../kinds/core/pod/pod-conditions.ts";
import type { WorkloadEnvironment } from "../environment/workload-environment.ts";

/** Why a controller disrupts a pod. */
export interface Disruption {
  readonly reason: string;
  readonly message: string;
}

/** The conditions of a pod with DisruptionTarget, as part of its status. */
export function disruptedStatus(
  pod: KubeObject,
  disruption: Disruption,
  { clock, gates }: Pick<WorkloadEnvironment, "clock" | "gates">,
): JsonObject {
  const seen = observedGeneration(pod, gates);
  const condition = { type: "DisruptionTarget", status: "True", ...disruption, ...seen } as const;
  const { conditions = [] } = withPodCondition(structAt(pod, "status"), condition, clock.now());
  return { conditions };
}

/**
 * Changes the status of a pod and deletes it. Without a grace period, that of the pod counts. A pod that is gone needs nothing.
 *
 * @throws {StatusError} the refusal
 */
export async function disruptPod(
  { client }: Pick<WorkloadEnvironment, "client">,
  { metadata: { name = "", namespace = "", uid = "" } }: KubeObject,
  status: JsonObject | undefined,
  gracePeriodSeconds?: number,
): Promise<void> {
  try {
    if (status !== undefined) {
      const target = { namespace, subresource: "status" };
      await client.patch("v1", "Pod", name, { metadata: { uid }, status }, target);
    }
    const grace = gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds };
    await client.delete("v1", "Pod", name, { namespace, ...grace });
  } catch (error) {
    if (!isNotFound(error) && !isConflict(error)) throw error;
  }
}
