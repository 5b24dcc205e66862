import { isNotFound } from "../../../apimachinery/errors/error-predicates.ts";
import { listAt, textAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { formatTime } from "../../../apimachinery/time.ts";
import type { WorkloadEnvironment } from "../environment/workload-environment.ts";

/** `--node-startup-grace-period` of kube-controller-manager, in milliseconds. */
const startupGracePeriod = 60_000;

const leases = { group: "coordination.k8s.io", resource: "leases" };
const reported = ["Ready", "MemoryPressure", "DiskPressure", "PIDPressure"];

/** The reason of the conditions of a node that never had a kubelet. */
export const neverUpdated = "NodeStatusNeverUpdated";

/**
 * Says that a node has no condition Ready once that has lasted for too long, unless its Lease is renewed. Returns the milliseconds until
 * then. Upstream: `tryUpdateNodeHealth` (pkg/controller/nodelifecycle/node_lifecycle_controller.go).
 */
export async function attendSilentNode(
  { client, clock, lister }: WorkloadEnvironment,
  node: KubeObject,
  silentSince: number,
): Promise<number | undefined> {
  const { name = "" } = node.metadata;
  const lease = lister.get(leases, "kube-node-lease", name);
  const renewed = lease === undefined ? Number.NaN : Date.parse(textAt(lease, "spec", "renewTime"));
  const probed = Number.isNaN(renewed) ? silentSince : Math.max(silentSince, renewed);
  const now = clock.now();
  if (now < probed + startupGracePeriod) return probed + startupGracePeriod - now;
  const status = { conditions: unknownConditions(node, formatTime(now)) };
  try {
    await client.patch("v1", "Node", name, { status }, { subresource: "status" });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
  return undefined;
}

function unknownConditions(node: KubeObject, lastTransitionTime: string): readonly JsonObject[] {
  const conditions = listAt(node, "status", "conditions");
  const present = new Set(conditions.map((condition) => textAt(condition, "type")));
  const known = conditions.map((condition) =>
    reported.includes(textAt(condition, "type")) && condition["status"] !== "Unknown"
      ? { ...condition, ...stopped, lastTransitionTime }
      : condition,
  );
  const lastHeartbeatTime = node.metadata.creationTimestamp ?? lastTransitionTime;
  const missing = reported.filter((type) => !present.has(type));
  const added = missing.map((type) => ({ type, ...never, lastHeartbeatTime, lastTransitionTime }));
  return [...known, ...added];
}

const stopped = {
  status: "Unknown",
  reason: "NodeStatusUnknown",
  message: "Kubelet stopped posting node status.",
};

const never = { status: "Unknown", reason: neverUpdated, message: "Kubelet never posted node status." };
