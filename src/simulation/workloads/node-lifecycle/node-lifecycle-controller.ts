import { isNotFound } from "../../../apimachinery/errors/error-predicates.ts";
import { listAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { isSimulatedNode } from "../../../apimachinery/simulated-node.ts";
import { formatTime } from "../../../apimachinery/time.ts";
import type { Controller } from "../../../controllers/contract/controller.ts";
import type { EventRecorder } from "../../events/event-recorder.ts";
import type { RecordedEvent } from "../../events/recorded-event.ts";
import { registered } from "../../nodes/node-references.ts";
import { nodes, pods } from "../contract/core-resources.ts";
import { isOfKind, namesOf } from "../contract/object-key.ts";
import type { WorkloadEnvironment } from "../environment/workload-environment.ts";
import { conditionOf, readySince } from "../pods/pod-state.ts";
import { PodsOnNodes } from "../pods/pods-on-nodes.ts";
import { lacksEviction, taintsToSet, withoutEviction } from "./node-taints.ts";
import { NodeZones, type ZonedNode } from "./node-zones.ts";
import { attendSilentNode, neverUpdated } from "./silent-nodes.ts";
import { countsInZone, zoneOf } from "./zone-state.ts";

/** The key of all zones. The names of nodes have no slash. */
const allZones = "/zones";
/** The ends of the keys for Events about a node, which are `name/uid/added` and `name/uid/removed`. */
const [added, removed] = ["added", "removed"];

/**
 * Taints nodes by their conditions, and marks the pods of unreachable ones as not ready. Leases of nodes that have reported a status are not
 * watched: a script or a test says that a node is unreachable. Upstream: pkg/controller/nodelifecycle.
 */
export function nodeLifecycleController(environment: WorkloadEnvironment): Controller {
  const { memory } = environment;
  const onNodes = memory.part("workloads/pods-on-nodes", () => new PodsOnNodes());
  const zones = memory.part("workloads/node-zones", () => new NodeZones());
  const recorder = environment.recorderOf("node-controller");
  return {
    name: "node-lifecycle-controller",
    kinds: ["Pod", "Node"],
    observe: (change) => {
      const { type, object } = change;
      if (isOfKind(object, pods)) onNodes.take(change);
      if (!isOfKind(object, nodes)) return [];
      const { name = "", uid = "" } = object.metadata;
      const former = zones.get(name);
      zones.set(name, type === "put" ? zonedNode(object, former, environment) : undefined);
      if (type !== "put") return [`${name}/${uid}/${removed}`, allZones];
      // The registration of a simulated kubelet includes this Event.
      const isAdded = former === undefined && !isSimulatedNode(object);
      return [...(isAdded ? [`${name}/${uid}/${added}`] : []), name, allZones];
    },
    reconcile: async (key) => {
      if (key === allZones) return syncZones(environment, zones);
      const [name = "", uid, news] = key.split("/");
      if (uid !== undefined) {
        await recorder.record(aboutNode(name, uid), news === added ? registered(name) : removal(name));
        return undefined;
      }
      const node = await taint(environment, name);
      if (node === undefined) return undefined;
      const ready = conditionOf(node, "Ready");
      const silentSince = zones.get(name)?.silentSince;
      if (ready === undefined && silentSince !== undefined)
        return attendSilentNode(environment, node, silentSince);
      if (ready?.["status"] === "Unknown" && ready["reason"] !== neverUpdated)
        await markPodsNotReady(environment, onNodes.on(name), recorder);
      return undefined;
    },
  };
}

function aboutNode(name: string, uid: string): KubeObject {
  return { apiVersion: "v1", kind: "Node", metadata: { name, uid } };
}

function removal(name: string): RecordedEvent {
  const message = `Node ${name} event: Removing Node ${name} from Controller`;
  return { type: "Normal", reason: "RemovingNode", message };
}

function zonedNode(
  node: KubeObject,
  former: ZonedNode | undefined,
  { gates, clock }: WorkloadEnvironment,
): ZonedNode {
  const ready = conditionOf(node, "Ready");
  const hadCondition = former !== undefined && former.silentSince === undefined;
  const created = Date.parse(node.metadata.creationTimestamp ?? "");
  const since = hadCondition ? clock.now() : (former?.silentSince ?? created);
  return {
    zone: zoneOf(node, gates),
    isReady: ready?.["status"] === "True",
    isCounted: countsInZone(node, gates),
    waits: lacksEviction(node),
    silentSince: ready === undefined ? since : undefined,
  };
}

/** Sets the taints of a node, except the one with the effect NoExecute that it has to wait for. Returns the node; undefined if it is gone. */
async function taint(environment: WorkloadEnvironment, name: string): Promise<KubeObject | undefined> {
  const { lister, clock } = environment;
  for (const effect of ["NoSchedule", "NoExecute"] as const) {
    const node = lister.get(nodes, "", name);
    if (node === undefined || (effect === "NoExecute" && lacksEviction(node))) return node;
    await setTaints(environment, name, taintsToSet(node, effect, clock.now()));
  }
  return lister.get(nodes, "", name);
}

async function setTaints(
  { client }: WorkloadEnvironment,
  name: string,
  taints: readonly JsonObject[] | undefined,
): Promise<void> {
  if (taints === undefined) return;
  const spec = { taints: taints.length > 0 ? taints : null };
  await client.patch("v1", "Node", name, { spec }).catch(ignoreMissing);
}

/**
 * Taints the nodes that may be tainted now, or removes the taints of all nodes once no zone has a node that is ready. Returns the
 * milliseconds until the next taint. Upstream: `handleDisruption` and `doNoExecuteTaintingPass`.
 */
async function syncZones(environment: WorkloadEnvironment, zones: NodeZones): Promise<number | undefined> {
  const { lister, clock } = environment;
  const now = clock.now();
  if (zones.update(now)) {
    for (const node of lister.list(nodes, ""))
      await setTaints(environment, node.metadata.name ?? "", withoutEviction(node));
  }
  for (const [zone, name] of zones.due(now)) {
    const node = lister.get(nodes, "", name);
    await setTaints(environment, name, node && taintsToSet(node, "NoExecute", now));
    zones.use(zone, now);
  }
  const next = zones.nextDue();
  return next === undefined ? undefined : next - now;
}

async function markPodsNotReady(
  environment: WorkloadEnvironment,
  keys: readonly string[],
  recorder: EventRecorder,
): Promise<void> {
  for (const key of keys) {
    const { namespace, name } = namesOf(key);
    const pod = environment.lister.get(pods, namespace, name);
    if (pod === undefined || readySince(pod) === undefined) continue;
    await markNotReady(environment, pod);
    const message = "Node is not ready";
    await recorder.record(pod, { type: "Warning", reason: "NodeNotReady", message });
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
