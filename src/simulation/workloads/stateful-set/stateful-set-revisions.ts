import { numberAt, objectAt, structAt, textAt } from "../../../apimachinery/fields.ts";
import { type JsonObject, jsonEqual } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { canonicalText, fnv32, safeEncoded } from "../contract/encoded-hash.ts";
import type { WorkloadEnvironment } from "../environment/workload-environment.ts";
import {
  byRevisionNumber,
  createRevision,
  equalRevision,
  revisionNumber,
  templatePatch,
} from "../revisions/controller-history.ts";

const hashLabel = "controller.kubernetes.io/hash";

/** The revisions between which a set is rolled out. */
export interface StatefulSetRevisions {
  readonly current: KubeObject;
  readonly update: KubeObject;
  readonly collisionCount: number;
}

/** Finds or creates the revision of the set's template. Upstream: `getStatefulSetRevisions` (pkg/controller/statefulset/stateful_set_control.go). */
export async function statefulSetRevisions(
  environment: WorkloadEnvironment,
  set: KubeObject,
  revisions: readonly KubeObject[],
): Promise<StatefulSetRevisions> {
  const collisionCount = numberAt(set, "status", "collisionCount");
  const data = templatePatch(structAt(set, "spec", "template"));
  const update = await updateRevision(environment, set, revisions, data, collisionCount);
  const name = textAt(set, "status", "currentRevision");
  const current = revisions.find(({ metadata }) => metadata.name === name) ?? update.revision;
  return { current, update: update.revision, collisionCount: update.collisionCount };
}

async function updateRevision(
  environment: WorkloadEnvironment,
  set: KubeObject,
  revisions: readonly KubeObject[],
  data: JsonObject,
  collisions: number,
): Promise<{ readonly revision: KubeObject; readonly collisionCount: number }> {
  const newest = revisions.toSorted(byRevisionNumber).at(-1);
  const next = (newest === undefined ? 0 : revisionNumber(newest)) + 1;
  const equal = equalRevision(revisions, data);
  if (equal !== undefined && jsonEqual(objectAt(newest ?? equal, "data"), data))
    return { revision: newest ?? equal, collisionCount: collisions };
  if (equal !== undefined) {
    const { namespace = "" } = equal.metadata;
    const revision = await environment.client.update({ ...equal, revision: next }, { namespace });
    return { revision, collisionCount: collisions };
  }
  for (let collisionCount = collisions; ; collisionCount++) {
    const hash = revisionHash(data, collisionCount);
    const labels = { ...structAt(set, "spec", "template", "metadata", "labels"), [hashLabel]: hash };
    const created = await createRevision(environment, { owner: set, hash, labels, data, revision: next });
    if (created !== undefined) return { revision: created, collisionCount };
  }
}

/** Upstream: `HashControllerRevision` (pkg/controller/history/controller_history.go), over the JSON of the data. */
export function revisionHash(data: JsonObject, collisions: number): string {
  const text = canonicalText(data).replace(/[<>&\u2028\u2029]/g, escapedInGo) + String(collisions);
  return safeEncoded(String(fnv32(new TextEncoder().encode(text))));
}

/** Go's JSON has no characters with a meaning in HTML. */
function escapedInGo(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
