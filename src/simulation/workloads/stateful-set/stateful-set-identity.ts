import { listAt, numberAt, objectAt, stringsAt, structAt, textAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";
import { type PodManifest, podFromTemplate } from "../pods/pod-control.ts";

export const revisionLabel = "controller-revision-hash";
/** The label with the name of a pod. */
export const podNameLabel = "statefulset.kubernetes.io/pod-name";
const podIndexLabel = "apps.kubernetes.io/pod-index";

/** The first ordinal of a set. */
export function startOrdinal(set: KubeObject): number {
  return numberAt(set, "spec", "ordinals", "start");
}

/** The ordinal of a pod by its name; undefined if it is not a pod of the set. Upstream: `getParentNameAndOrdinal`. */
export function ordinalOf(set: KubeObject, pod: KubeObject): number | undefined {
  const [, parent, ordinal] = /^(.*)-(\d{1,10})$/.exec(pod.metadata.name ?? "") ?? [];
  return parent === set.metadata.name ? Number(ordinal) : undefined;
}

/** The labels that tell the pods of a set apart. Upstream: `updateIdentity`. */
export function identityLabels(
  pod: string,
  ordinal: number,
  gates: FeatureGates,
): { readonly [label: string]: string } {
  return { [podNameLabel]: pod, ...(gates.since("1.28") && { [podIndexLabel]: String(ordinal) }) };
}

/** The pod of an ordinal. Upstream: `newStatefulSetPod` (pkg/controller/statefulset/stateful_set_utils.go). */
export function statefulPod(
  set: KubeObject,
  template: JsonObject,
  revision: string,
  ordinal: number,
  gates: FeatureGates,
): PodManifest {
  const name = `${set.metadata.name}-${ordinal}`;
  const pod = podFromTemplate(template, set);
  const labels = {
    ...pod.metadata.labels,
    ...identityLabels(name, ordinal, gates),
    [revisionLabel]: revision,
  };
  const spec = {
    ...pod.spec,
    hostname: name,
    subdomain: textAt(set, "spec", "serviceName"),
    ...volumesOf(set, pod.spec, ordinal),
  };
  return { ...pod, metadata: { ...pod.metadata, name, labels }, spec };
}

/** Whether a pod has a volume for each claim of its ordinal. Upstream: `storageMatches`. */
export function hasVolumesOf(set: KubeObject, pod: KubeObject, ordinal: number): boolean {
  const volumes = listAt(pod, "spec", "volumes");
  return listAt(set, "spec", "volumeClaimTemplates").every((template) => {
    const volume = volumes.find(({ name }) => name === textAt(template, "metadata", "name"));
    const claim = textAt(volume ?? {}, "persistentVolumeClaim", "claimName");
    return claim === claimName(set, template, ordinal);
  });
}

/** The volumes of the claims replace those of the template with the same names. */
export function volumesOf(set: KubeObject, spec: JsonObject, ordinal: number): JsonObject {
  const templates = listAt(set, "spec", "volumeClaimTemplates");
  if (templates.length === 0) return {};
  const claimed = templates.map((template) => ({
    name: textAt(template, "metadata", "name"),
    persistentVolumeClaim: { claimName: claimName(set, template, ordinal) },
  }));
  const names = new Set<unknown>(claimed.map(({ name }) => name));
  const others = listAt(spec, "volumes").filter(({ name }) => !names.has(name));
  return { volumes: [...claimed, ...others] };
}

/** The name of the claim of a template for an ordinal. */
export function claimName(set: KubeObject, template: JsonObject, ordinal: number): string {
  return `${textAt(template, "metadata", "name")}-${set.metadata.name}-${ordinal}`;
}

/** The claims of the pod of an ordinal. Upstream: `getPersistentVolumeClaims`. */
export function statefulClaims(set: KubeObject, ordinal: number): readonly KubeObject[] {
  const { namespace = "" } = set.metadata;
  const selected = stringsAt(set, "spec", "selector", "matchLabels");
  return listAt(set, "spec", "volumeClaimTemplates").map((template) => {
    const labels = { ...stringsAt(template, "metadata", "labels"), ...selected };
    const annotations = objectAt(template, "metadata", "annotations");
    const name = claimName(set, template, ordinal);
    return {
      apiVersion: "v1",
      kind: "PersistentVolumeClaim",
      // Annotations are strings.
      metadata: { name, namespace, labels, ...(annotations && { annotations }) } as KubeObject["metadata"],
      spec: structAt(template, "spec"),
    };
  });
}
