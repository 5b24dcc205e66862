import type { KubeObject } from "../apimachinery/object-meta.ts";
import type { Since } from "../apimachinery/release.ts";

/** Whether a Lease says that a kube-apiserver runs: until 1.26 with another label, which counts until 1.29. */
export function isIdentityLease({ kind, metadata }: KubeObject, since: Since): boolean {
  const { labels = {} } = metadata;
  const isNamed = labels["apiserver.kubernetes.io/identity"] === "kube-apiserver";
  const isNamedAsBefore = !since("1.29") && labels["k8s.io/component"] === "kube-apiserver";
  return kind === "Lease" && metadata.namespace === "kube-system" && (isNamed || isNamedAsBefore);
}
