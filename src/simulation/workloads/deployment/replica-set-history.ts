import { structAt } from "../../../apimachinery/fields.ts";
import { type JsonObject, jsonEqual } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { revisionOf } from "./rollout-annotations.ts";
import { replicasOf } from "./rollout-limits.ts";

export const hashLabel = "pod-template-hash";

/** The ReplicaSets of a Deployment. */
export interface ReplicaSets {
  /** The one with the template of the Deployment. */
  readonly newest: KubeObject | undefined;
  readonly old: readonly KubeObject[];
}

/** The oldest ReplicaSet with the template of the Deployment is the new one. Upstream: `FindNewReplicaSet`. */
export function replicaSetsOf(deployment: KubeObject, all: readonly KubeObject[]): ReplicaSets {
  const template = withoutHash(structAt(deployment, "spec", "template"));
  const newest = all
    .toSorted(byCreation)
    .find((one) => jsonEqual(withoutHash(structAt(one, "spec", "template")), template));
  return { newest, old: all.filter((one) => one.metadata.uid !== newest?.metadata.uid) };
}

/** The ReplicaSets with pods. */
export function activeOf(all: readonly (KubeObject | undefined)[]): readonly KubeObject[] {
  return all.filter((one) => one !== undefined).filter((one) => replicasOf(one) > 0);
}

/** All ReplicaSets, the new one last. */
export function allOf({ newest, old }: ReplicaSets): readonly KubeObject[] {
  return newest === undefined ? old : [...old, newest];
}

export function hasTemplateOf(deployment: KubeObject, replicaSet: KubeObject): boolean {
  const templateOf = (object: KubeObject) => withoutHash(structAt(object, "spec", "template"));
  return jsonEqual(templateOf(deployment), templateOf(replicaSet));
}

/** A template without the label that a Deployment adds to it. */
export function withoutHash(template: JsonObject): JsonObject {
  const metadata = structAt(template, "metadata");
  const { [hashLabel]: _, ...labels } = structAt(metadata, "labels");
  return { ...template, metadata: { ...metadata, labels } };
}

export function byCreation(a: KubeObject, b: KubeObject): number {
  return compareTexts(timeOf(a), timeOf(b)) || compareTexts(a.metadata.name ?? "", b.metadata.name ?? "");
}

/** The larger first, of equal ones the newer. */
export function bySizeNewerFirst(a: KubeObject, b: KubeObject): number {
  return replicasOf(b) - replicasOf(a) || byCreation(b, a);
}

/** The larger first, of equal ones the older. */
export function bySizeOlderFirst(a: KubeObject, b: KubeObject): number {
  return replicasOf(b) - replicasOf(a) || byCreation(a, b);
}

export function byRevision(a: KubeObject, b: KubeObject): number {
  const [revision, other] = [revisionOf(a), revisionOf(b)];
  return revision === other ? byCreation(a, b) : Number(revision > other) * 2 - 1;
}

function timeOf({ metadata }: KubeObject): string {
  return metadata.creationTimestamp ?? "";
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
