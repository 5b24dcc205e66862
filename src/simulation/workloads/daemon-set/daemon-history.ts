import { numberAt, structAt } from "../../../apimachinery/fields.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { encodedHash } from "../contract/encoded-hash.ts";
import { daemonSets } from "../contract/workload-resources.ts";
import { updateStatus } from "../environment/update-status.ts";
import type { WorkloadEnvironment } from "../environment/workload-environment.ts";
import {
  byRevisionNumber,
  createRevision,
  equalRevision,
  revisionNumber,
  templatePatch,
  truncateRevisions,
} from "../revisions/controller-history.ts";
import { hashLabel } from "./daemon-pod.ts";

/**
 * Finds or creates the revision of a set's template, and gives it the highest number. Undefined if another revision has the name: the count of
 * collisions in the status leads to the next look, with another hash. Upstream: `constructHistory` and `snapshot` (pkg/controller/daemon/update.go).
 */
export async function currentRevision(
  environment: WorkloadEnvironment,
  set: KubeObject,
  history: readonly KubeObject[],
): Promise<KubeObject | undefined> {
  const template = structAt(set, "spec", "template");
  const data = templatePatch(template);
  const newest = history.toSorted(byRevisionNumber).at(-1);
  const revision = (newest === undefined ? 0 : revisionNumber(newest)) + 1;
  const equal = equalRevision(history, data);
  if (equal !== undefined && equal === newest) return equal;
  if (equal !== undefined) {
    const { namespace = "" } = equal.metadata;
    return environment.client.update({ ...equal, revision }, { namespace });
  }
  const status = structAt(set, "status");
  const collisions = numberAt(status, "collisionCount");
  const hash = encodedHash(template, collisions === 0 ? undefined : collisions);
  const labels = { ...structAt(template, "metadata", "labels"), [hashLabel]: hash };
  const created = await createRevision(environment, { owner: set, hash, labels, data, revision });
  if (created !== undefined) return created;
  await updateStatus(environment, daemonSets, set, { ...status, collisionCount: collisions + 1 });
  return undefined;
}

/** Deletes the oldest revisions that no pod has. The former ones that pods have count towards the limit of the set. Upstream: `cleanupHistory`. */
export async function cleanUpHistory(
  environment: WorkloadEnvironment,
  set: KubeObject,
  history: readonly KubeObject[],
  pods: readonly KubeObject[],
  current: KubeObject,
): Promise<void> {
  const used = new Set(pods.map(({ metadata }) => metadata.labels?.[hashLabel]));
  const former = history.filter(({ metadata }) => metadata.uid !== current.metadata.uid);
  const unused = former.filter(({ metadata }) => !used.has(metadata.labels?.[hashLabel]));
  const limit = numberAt(set, "spec", "revisionHistoryLimit") - (former.length - unused.length);
  await truncateRevisions(environment, unused, limit);
}
