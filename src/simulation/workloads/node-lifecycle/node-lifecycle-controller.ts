import { isNotFound } from "../../../apimachinery/errors/error-predicates.ts";
import { listAt } from "../../../apimachinery/fields.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { formatTime } from "../../../apimachinery/time.ts";
import type { Controller } from "../../../controllers/contract/controller.ts";
import type { RecordedEvent } from "../../events/recorded-event.ts";
import { nodes, pods } from "../contract/core-resources.ts";
import { isOfKind, namesOf } from "../contract/object-key.ts";
import type { WorkloadEnvironment } from "../environment/workload-environment.ts";
import { conditionOf, readySince } from "../pods/pod-state.ts";
import { PodsOnNodes } from "../pods/pods-on-nodes.ts";
import { taintsToSet } from "./node-taints.ts";

/**
 * Taints nodes by their conditions, and marks the pods of unreachable ones as not ready. Leases are not watched: a script or a test says
 * that a node is unreachable. Upstream: pkg/controller/nodelifecycle.
 */
export function nodeLifecycleController(environment: WorkloadEnvironment): Controller {
  const { memory, lister } = environment;
  const onNodes = memory.part("workloads/pods-on-nodes", () => new PodsOnNodes());
  const recorder = environment.recorderOf("node-controller");
  return {
    name: "node-lifecycle-controller",
    kinds: ["Pod", "Node"],
    observe: (change) => {
      const { type, object } = change;
      if (isOfKind(object, pods)) onNodes.take(change);
      if (!isOfKind(object, nodes)) return [];
      const { name = "", uid = "" } = object.metadata;
      return type === "put" ? [name] : [`${name}/${uid}`];
    },
    reconcile: async (key) => {
      // The names of nodes have no slash.
      const [name = "", removed] = key.split("/");
      if (removed !== undefined) return recorder.record(aboutNode(name, removed), removal(name));
      await taint(environment, name);
      const node = lister.get(nodes, "", name);
      if (node === undefined || conditionOf(node, "Ready")?.["status"] !== "Unknown") return;
      for (const key of onNodes.on(name)) {
        const { namespace, name: podName } = namesOf(key);
        const pod = lister.get(pods, namespace, podName);
        if (pod === undefined || readySince(pod) === undefined) continue;
        await markNotReady(environment, pod);
        const message = "Node is not ready";
        await recorder.record(pod, { type: "Warning", reason: "NodeNotReady", message });
      }
    },
  };
}

function aboutNode(name: string, uid: string): KubeObject {
  return { apiVersion: "v1", kind: "Node", metadata: { name, uid } };
}

/** Upstream: `RecordNodeEvent` (pkg/controller/util/node/controller_utils.go). */
function removal(name: string): RecordedEvent {
  const message = `Node ${name} event: Removing Node ${name} from Controller`;
  return { type: "Normal", reason: "RemovingNode", message };
}

async function taint({ lister, client, clock }: WorkloadEnvironment, name: string): Promise<void> {
  for (const effect of ["NoSchedule", "NoExecute"] as const) {
    const node = lister.get(nodes, "", name);
    const taints = node && taintsToSet(node, effect, clock.now());
    if (taints === undefined) continue;
    const spec = { taints: taints.length > 0 ? taints : null };
    await client.patch("v1", "Node", name, { spec }).catch(ignoreMissing);
  }
}

/** Upstream: `MarkPodsNotReady` (pkg/controller/util/node/controller_utils.go). */
async function markNotReady({ client, clock }: WorkloadEnvironment, pod: KubeObject): Promise<void> {
  const { name = "", namespace = "", uid = "" } = pod.metadata;
  const lastTransitionTime = formatTime(clock.now());
  const conditions = listAt(pod, "status", "conditions").map((condition) =>
    condition["type"] === "Ready" ? { ...condition, status: "False", lastTransitionTime } : condition,
  );
  const patch = { metadata: { uid }, status: { conditions } };
  await client.patch("v1", "Pod", name, patch, { namespace, subresource: "status" }).catch(ignoreMissing);
}

function ignoreMissing(error: unknown): void {
  if (!isNotFound(error)) throw error;
}
