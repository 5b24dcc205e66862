import { compareText } from "../../apimachinery/text-order.ts";
import { union } from "./field-set-algebra.ts";
import { type Managed, type ManagerId, type Managers, managerId, seconds } from "./managed-fields.ts";

/** The number of update entries that are kept separate. Apply entries do not count. */
const MAX_UPDATERS = 10;

/**
 * Folds the oldest updates into one entry `ancient-changes` per version until at most 10 are left.
 *
 * Follows upstream step by step: the oldest entry of a version becomes the bucket only when a second entry joins it. So
 * an existing bucket is lost if it is the second entry of its version.
 */
export function capUpdaters({ managers, times }: Managed): void {
  const updaters = [...managers.keys()].filter((id) => managers.get(id)?.applied === false);
  if (updaters.length <= MAX_UPDATERS) return;
  updaters.sort((a, b) => seconds(times.get(a)) - seconds(times.get(b)) || compareText(a, b));
  const oldest = new Map<string, ManagerId>();
  let count = updaters.length;
  for (const id of updaters) {
    if (count <= MAX_UPDATERS) return;
    const owned = managers.get(id);
    if (owned === undefined) continue;
    const first = oldest.get(owned.apiVersion);
    if (first === undefined) {
      oldest.set(owned.apiVersion, id);
      continue;
    }
    const bucket = bucketOf(managers, owned.apiVersion, first);
    const kept = managers.get(bucket)?.set ?? owned.set;
    managers.set(bucket, { ...owned, set: union(owned.set, kept) });
    managers.delete(id);
    count--;
    const time = times.get(id);
    if (time === undefined) times.delete(bucket);
    else times.set(bucket, time);
  }
}

/** The bucket of a version. If there is none, the version's first manager becomes the bucket. */
function bucketOf(managers: Managers, apiVersion: string, first: ManagerId): ManagerId {
  const bucket = managerId({ manager: "ancient-changes", operation: "Update", apiVersion, subresource: "" });
  const owned = managers.get(first);
  if (!managers.has(bucket) && owned !== undefined) {
    managers.delete(first);
    managers.set(bucket, owned);
  }
  return bucket;
}
