import { listAt, textAt } from "../../apimachinery/fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";

const tokenPath = "/var/run/secrets/kubernetes.io/serviceaccount";

/** A volume with the token of the service account of a pod. */
export interface TokenVolume {
  /** Whether a volume of the pod takes the place of the generated one. */
  readonly isOwn: (volume: JsonObject) => boolean;
  /** The name of the generated volume, given those that the pod has. */
  readonly name: (taken: readonly string[]) => string;
  readonly source: JsonObject;
}

/** The spec of a pod with the volume, mounted in the containers that have nothing else at its path. */
export function withTokenVolume(spec: JsonObject, { isOwn, name, source }: TokenVolume): JsonObject {
  const volumes = listAt(spec, "volumes");
  const own = volumes.find(isOwn);
  const volumeName =
    own === undefined ? name(volumes.map((volume) => textAt(volume, "name"))) : textAt(own, "name");
  const mount = { name: volumeName, readOnly: true, mountPath: tokenPath };
  let isUsed = false;
  const mountIn = (container: JsonObject): JsonObject => {
    const mounts = listAt(container, "volumeMounts");
    if (mounts.some(({ mountPath }) => mountPath === tokenPath)) return container;
    isUsed = true;
    return { ...container, volumeMounts: [...mounts, mount] };
  };
  const containers = listAt(spec, "containers").map(mountIn);
  const initContainers = listAt(spec, "initContainers").map(mountIn);
  if (!isUsed) return spec;
  return {
    ...spec,
    volumes: own === undefined ? [...volumes, { name: volumeName, ...source }] : volumes,
    containers,
    ...(initContainers.length > 0 && { initContainers }),
  };
}
