import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { replicasOf, rolloutLimits } from "./rollout-limits.ts";

export const revisionAnnotation = "deployment.kubernetes.io/revision";
const historyAnnotation = "deployment.kubernetes.io/revision-history";
export const desiredAnnotation = "deployment.kubernetes.io/desired-replicas";
export const maxAnnotation = "deployment.kubernetes.io/max-replicas";
const longestHistory = 2000;

/** The annotations of a Deployment that its ReplicaSets do not get. */
const ownAnnotations: ReadonlySet<string> = new Set([
  "kubectl.kubernetes.io/last-applied-configuration",
  revisionAnnotation,
  historyAnnotation,
  desiredAnnotation,
  maxAnnotation,
  "deprecated.deployment.rollback.to",
]);

type Annotations = { readonly [key: string]: string };

/** The revision of a ReplicaSet, an integer of 64 bits; 0 without one, and if what clients have written is none. */
export function revisionOf({ metadata }: KubeObject): bigint {
  return integerOf(metadata.annotations?.[revisionAnnotation]) ?? 0n;
}

/** As Go reads an integer of 64 bits. */
function integerOf(text = ""): bigint | undefined {
  if (!/^[+-]?\d{1,30}$/.test(text)) return undefined;
  const value = BigInt(text.replace("+", ""));
  return BigInt.asIntN(64, value) === value ? value : undefined;
}

/** A number of pods that an annotation of a ReplicaSet remembers. */
export function rememberedReplicas({ metadata }: KubeObject, annotation: string): number | undefined {
  const text = metadata.annotations?.[annotation] ?? "";
  return /^\d{1,10}$/.test(text) && Number(text) < 2 ** 31 ? Number(text) : undefined;
}

/** The numbers of pods that a ReplicaSet remembers of its Deployment, for a proportional scaling. */
export function replicaAnnotations(deployment: KubeObject): Annotations {
  const replicas = replicasOf(deployment);
  const most = replicas + rolloutLimits(deployment).maxSurge;
  return { [desiredAnnotation]: String(replicas), [maxAnnotation]: String(most) };
}

/**
 * The annotations of the newest ReplicaSet: those of the Deployment, and the revision. One that becomes the newest again remembers its former
 * revisions. Upstream: `SetNewReplicaSetAnnotations` (pkg/controller/deployment/util/deployment_util.go).
 */
export function newestAnnotations(
  deployment: KubeObject,
  current: Annotations,
  revision: bigint,
): Annotations {
  const copied = Object.entries(deployment.metadata.annotations ?? {}).filter(
    ([key]) => !ownAnnotations.has(key),
  );
  const annotations = { ...current, ...Object.fromEntries(copied) };
  const former = current[revisionAnnotation];
  const formerRevision = former ? integerOf(former) : 0n;
  // What a client has written stays, and nothing is copied.
  if (formerRevision === undefined) return current;
  if (formerRevision >= revision) return annotations;
  return {
    ...annotations,
    [revisionAnnotation]: String(revision),
    ...(former !== undefined && {
      [historyAnnotation]: withRevision(current[historyAnnotation] ?? "", former),
    }),
  };
}

/** A history with another revision; the oldest ones make room. */
function withRevision(history: string, revision: string): string {
  if (history === "") return revision;
  let revisions = [...history.split(","), revision];
  while (revisions.length > 1 && revisions.join().length > longestHistory) revisions = revisions.slice(1);
  return revisions.join();
}

/** The annotations of a Deployment that goes back to a ReplicaSet. */
export function rolledBackAnnotations(deployment: KubeObject, target: KubeObject): Annotations {
  const entries = (object: KubeObject, isOwn: boolean) =>
    Object.entries(object.metadata.annotations ?? {}).filter(([key]) => ownAnnotations.has(key) === isOwn);
  return Object.fromEntries([...entries(deployment, true), ...entries(target, false)]);
}
