import { listAt, structAt, textAt } from "../apimachinery/fields.ts";
import type { JsonObject } from "../apimachinery/json.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import { formatTime } from "../apimachinery/time.ts";

/** The status of a StorageVersion with what each server stores, and what all of them agree on. Upstream: apiserver, pkg/storageversion. */
export function storageVersionStatus(
  servers: readonly JsonObject[],
  object: KubeObject,
  now: number,
): JsonObject {
  const status = structAt(object, "status");
  const encodings = new Set(servers.map(({ encodingVersion }) => encodingVersion));
  const [common] = encodings;
  const agreed = encodings.size === 1 && common !== undefined;
  const condition = {
    type: "AllEncodingVersionsEqual",
    status: agreed ? "True" : "False",
    observedGeneration: 0,
    lastTransitionTime: formatTime(now),
    reason: agreed ? "CommonEncodingVersionSet" : "CommonEncodingVersionUnset",
    message: agreed ? "Common encoding version set" : "Common encoding version unset",
  };
  const [known] = listAt(status, "conditions");
  const hasChanged =
    known?.["status"] !== condition.status || (agreed && textAt(status, "commonEncodingVersion") !== common);
  const lastTransitionTime = hasChanged ? condition.lastTransitionTime : known?.["lastTransitionTime"];
  return {
    storageVersions: servers,
    ...(agreed && { commonEncodingVersion: common }),
    conditions: [{ ...condition, ...(lastTransitionTime !== undefined && { lastTransitionTime }) }],
  };
}
