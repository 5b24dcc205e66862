import { listAt, textAt } from "../../apimachinery/fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";

/** The fields of a volume that name a secret. */
const secretPaths: readonly (readonly string[])[] = [
  ["azureFile", "secretName"],
  ["csi", "nodePublishSecretRef", "name"],
  ["secret", "secretName"],
  ...["cephfs", "cinder", "flexVolume", "iscsi", "rbd", "scaleIO", "storageos"].map((source) => [
    source,
    "secretRef",
    "name",
  ]),
];

const containerLists = ["initContainers", "containers", "ephemeralContainers"];

/** The secrets that a pod names anywhere. Upstream: pkg/api/pod/util.go, `VisitPodSecretNames`. */
export function secretsOf(spec: JsonObject): readonly string[] {
  const volumes = listAt(spec, "volumes");
  return named([
    ...listAt(spec, "imagePullSecrets").map((secret) => textAt(secret, "name")),
    ...ofContainers(spec, "secretKeyRef", "secretRef"),
    ...volumes.flatMap((volume) => secretPaths.map((path) => textAt(volume, ...path))),
    ...ofProjections(volumes, "secret"),
  ]);
}

/** The config maps that a pod names anywhere. Upstream: pkg/api/pod/util.go, `VisitPodConfigmapNames`. */
export function configMapsOf(spec: JsonObject): readonly string[] {
  const volumes = listAt(spec, "volumes");
  return named([
    ...ofContainers(spec, "configMapKeyRef", "configMapRef"),
    ...volumes.map((volume) => textAt(volume, "configMap", "name")),
    ...ofProjections(volumes, "configMap"),
  ]);
}

/** The claims that the volumes of a pod use. The claim of an ephemeral volume is named after the pod and the volume. */
export function claimsOf(spec: JsonObject, pod: string): readonly string[] {
  return listAt(spec, "volumes").flatMap((volume) => {
    if (volume["ephemeral"] !== undefined) return `${pod}-${textAt(volume, "name")}`;
    return textAt(volume, "persistentVolumeClaim", "claimName") || [];
  });
}

function ofContainers(spec: JsonObject, key: string, source: string): readonly string[] {
  return containerLists.flatMap((list) =>
    listAt(spec, list).flatMap((container) => [
      ...listAt(container, "env").map((variable) => textAt(variable, "valueFrom", key, "name")),
      ...listAt(container, "envFrom").map((from) => textAt(from, source, "name")),
    ]),
  );
}

function ofProjections(volumes: readonly JsonObject[], source: string): readonly string[] {
  return volumes.flatMap((volume) =>
    listAt(volume, "projected", "sources").map((projected) => textAt(projected, source, "name")),
  );
}

function named(names: readonly string[]): readonly string[] {
  return [...new Set(names)].filter((name) => name !== "");
}
