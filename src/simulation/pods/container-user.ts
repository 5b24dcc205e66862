import { structAt, textAt } from "../../apimachinery/fields.ts";
import type { JsonObject, JsonValue } from "../../apimachinery/json.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { FeatureGates } from "../../catalog/feature-gates.ts";

const root = 0;

/** The user of an image that does not run as root. There are no images, so it is the one of distroless images. */
const nonRoot = 65532;

/**
 * Why a container must not be created with its user; undefined if it may. An image counts as one that runs as the pod wants.
 * Upstream: `verifyRunAsNonRoot` (pkg/kubelet/kuberuntime/security_context.go).
 */
export function userProblem(pod: KubeObject, container: JsonObject): string | undefined {
  const { runAsNonRoot, runAsUser } = effectiveContext(pod, container);
  if (runAsNonRoot !== true || runAsUser !== root) return undefined;
  const { name = "", namespace = "", uid = "" } = pod.metadata;
  const at = `pod: "${name}_${namespace}(${uid})", container: ${textAt(container, "name")}`;
  return `container's runAsUser breaks non-root policy (${at})`;
}

/** The security context of a pod with the one of its container. */
function effectiveContext(pod: KubeObject, container: JsonObject): JsonObject {
  return { ...structAt(pod, "spec", "securityContext"), ...structAt(container, "securityContext") };
}

/**
 * The user that a container began with, as its runtime reports it: that of its security context, otherwise that of its image. Upstream:
 * `convertToRuntimeSecurityContext` (pkg/kubelet/kuberuntime/security_context.go) and containerd, whose first supplemental group is the primary one.
 */
export function containerUser(pod: KubeObject, container: JsonObject, gates: FeatureGates): JsonObject {
  if (!gates.isEnabled("SupplementalGroupsPolicy")) return {};
  const { runAsNonRoot, runAsUser, runAsGroup, fsGroup, supplementalGroups } = effectiveContext(
    pod,
    container,
  );
  const ofImage = runAsNonRoot === true ? nonRoot : root;
  const uid = runAsUser ?? ofImage;
  const gid = runAsGroup ?? ofImage;
  const more = Array.isArray(supplementalGroups) ? supplementalGroups : [];
  const groups = new Set<JsonValue>([gid, ...(fsGroup === undefined ? [] : [fsGroup]), ...more]);
  return { user: { linux: { uid, gid, supplementalGroups: [...groups] } } };
}
