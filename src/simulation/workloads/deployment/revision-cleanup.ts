import { isNotFound } from "../../../apimachinery/errors/error-predicates.ts";
import { numberAt, structAt } from "../../../apimachinery/fields.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { ControllerClient } from "../../../controllers/contract/controller.ts";
import { isTerminating } from "../contract/object-key.ts";

import { byRevision } from "./replica-set-history.ts";
import { replicasOf } from "./rollout-limits.ts";

const noLimit = 2 ** 31 - 1;

/** Deletes the oldest ReplicaSets without pods beyond the limit of the history. Upstream: `cleanupDeployment` (pkg/controller/deployment/sync.go). */
export async function cleanUpRevisions(
  deployment: KubeObject,
  old: readonly KubeObject[],
  client: ControllerClient,
): Promise<void> {
  const limit = structAt(deployment, "spec")["revisionHistoryLimit"];
  if (typeof limit !== "number" || limit === noLimit) return;
  const alive = old.filter((one) => !isTerminating(one)).toSorted(byRevision);
  for (const one of alive.slice(0, Math.max(0, alive.length - limit))) {
    const isUsed = numberAt(one, "status", "replicas") > 0 || replicasOf(one) > 0;
    const isSynced = (one.metadata.generation ?? 0) <= numberAt(one, "status", "observedGeneration");
    if (isUsed || !isSynced) continue;
    const { namespace = "", name = "" } = one.metadata;
    await client.delete(one.apiVersion, one.kind, name, { namespace }).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
    });
  }
}
