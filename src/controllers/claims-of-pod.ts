import { listAt, structAt, textAt } from "../apimachinery/fields.ts";
import type { JsonObject } from "../apimachinery/json.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";

/** The names of the claims that a pod uses, those of its ephemeral volumes included. */
export function claimNames(pod: KubeObject): readonly string[] {
  return volumesOf(pod).flatMap((volume) => namedClaim(volume) ?? ownClaim(pod, volume) ?? []);
}

/** The volumes of a pod. */
export function volumesOf(pod: KubeObject): readonly JsonObject[] {
  return listAt(structAt(pod, "spec"), "volumes");
}

/** The claim that a volume names. */
export function namedClaim(volume: JsonObject): string | undefined {
  return volume["persistentVolumeClaim"] === undefined
    ? undefined
    : textAt(volume, "persistentVolumeClaim", "claimName");
}

/** The claim for an ephemeral volume of a pod. */
export function ownClaim(pod: KubeObject, volume: JsonObject): string | undefined {
  return volume["ephemeral"] === undefined ? undefined : `${pod.metadata.name}-${textAt(volume, "name")}`;
}
