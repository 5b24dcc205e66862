import { structAt } from "../../apimachinery/fields.ts";
import type { JsonObject, JsonValue } from "../../apimachinery/json.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { FeatureGates } from "../../catalog/feature-gates.ts";

const root = 0;

/**
 * The user that a container began with, as its runtime reports it: that of its security context, otherwise root, since there are no images. Upstream:
 * `convertToRuntimeSecurityContext` (pkg/kubelet/kuberuntime/security_context.go) and containerd, whose first supplemental group is the primary one.
 */
export function containerUser(pod: KubeObject, container: JsonObject, gates: FeatureGates): JsonObject {
  if (!gates.isEnabled("SupplementalGroupsPolicy")) return {};
  const { runAsUser, runAsGroup, fsGroup, supplementalGroups } = structAt(pod, "spec", "securityContext");
  const own = structAt(container, "securityContext");
  const uid = own["runAsUser"] ?? runAsUser ?? root;
  const gid = own["runAsGroup"] ?? runAsGroup ?? root;
  const more = Array.isArray(supplementalGroups) ? supplementalGroups : [];
  const groups = new Set<JsonValue>([gid, ...(fsGroup === undefined ? [] : [fsGroup]), ...more]);
  return { user: { linux: { uid, gid, supplementalGroups: [...groups] } } };
}
