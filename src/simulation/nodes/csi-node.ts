import type { JsonObject } from "../../apimachinery/json.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { type Release, sinceOf } from "../../apimachinery/release.ts";
import type { FeatureGates } from "../../catalog/feature-gates.ts";

const annotation = "storage.alpha.kubernetes.io/migrated-plugins";

/** The plugins of Kubernetes whose volumes a kubelet leaves to CSI drivers, and the release from which it does so by default. */
const migrated: readonly (readonly [plugin: string, first: Release])[] = [
  ["kubernetes.io/aws-ebs", "1.23"],
  ["kubernetes.io/azure-disk", "1.23"],
  ["kubernetes.io/azure-file", "1.24"],
  ["kubernetes.io/cinder", "1.21"],
  ["kubernetes.io/gce-pd", "1.23"],
  ["kubernetes.io/portworx-volume", "1.31"],
  ["kubernetes.io/vsphere-volume", "1.25"],
];

/**
 * The CSINode that a kubelet creates when it starts, as no CSI driver runs on its node; undefined if it leaves that to the first driver.
 * Upstream: pkg/volume/csi/nodeinfomanager.
 */
export function csiNodeOf(
  { metadata: { name = "", uid = "" } }: KubeObject,
  { release, gates }: { readonly release: Release; readonly gates: FeatureGates },
): JsonObject | undefined {
  if (!gates.isEnabled("CSIMigration")) return undefined;
  const since = sinceOf(release);
  const plugins = migrated.flatMap(([plugin, first]) => (since(first) ? [plugin] : []));
  const annotations = plugins.length > 0 && { annotations: { [annotation]: plugins.join(",") } };
  const ownerReferences = [{ apiVersion: "v1", kind: "Node", name, uid }];
  return {
    apiVersion: "storage.k8s.io/v1",
    kind: "CSINode",
    metadata: { name, ...annotations, ownerReferences },
    spec: { drivers: null },
  };
}
