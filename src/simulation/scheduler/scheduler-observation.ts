import { numberAt, objectAt, textAt } from "../../apimachinery/fields.ts";
import { type JsonObject, jsonEqual } from "../../apimachinery/json.ts";
import type { Lister } from "../../apimachinery/lister.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { ObjectChange } from "../../controllers/contract/controller.ts";
import { isFinishedPod } from "../../kinds/core/pod/finished-pod.ts";
import { activateForPlaced } from "./queueing-hints.ts";
import { isSchedulable } from "./scheduler.ts";
import type { SchedulerMemory } from "./scheduler-memory.ts";
import type { SchedulingQueue } from "./scheduling-queue.ts";
import { podInfo } from "./snapshot/pod-info.ts";
import type { Resources } from "./snapshot/resources.ts";

/** Notes a change, and returns whether there is a pod to try. */
type Observe = (change: ObjectChange) => boolean;

/** What each kind of change means for the pods that wait for a node. */
export function observedBy(memory: SchedulerMemory, queue: SchedulingQueue, lister: Lister): Observe {
  const observePod = podObserver(memory, queue, lister);
  return (change) => {
    switch (change.object.kind) {
      case "Pod":
        return observePod(change);
      case "Node":
        return change.object.apiVersion === "v1" && observeNode(change, memory, queue);
      default:
        return change.type === "put" && queue.activate("volume");
    }
  };
}

function observeNode(
  { type, object }: ObjectChange,
  memory: SchedulerMemory,
  queue: SchedulingQueue,
): boolean {
  const { name = "" } = object.metadata;
  if (type === "delete") {
    memory.deleteNode(name);
    return queue.activate("nodeRemoved");
  }
  const before = memory.node(name)?.node;
  if (before !== undefined && isSameForPods(before, object)) return false;
  memory.putNode(object);
  return queue.activate("node");
}

/** Whether a node has all that counts for scheduling as before. A heartbeat changes nothing of it. */
function isSameForPods(before: KubeObject, node: KubeObject): boolean {
  return (
    jsonEqual(before.metadata.labels, node.metadata.labels) &&
    jsonEqual(objectAt(before, "spec"), objectAt(node, "spec")) &&
    jsonEqual(objectAt(before, "status", "allocatable"), objectAt(node, "status", "allocatable")) &&
    jsonEqual(objectAt(before, "status")?.["images"], objectAt(node, "status")?.["images"])
  );
}

function podObserver(memory: SchedulerMemory, queue: SchedulingQueue, lister: Lister): Observe {
  return ({ type, object: pod }) => {
    const key = `${pod.metadata.namespace}/${pod.metadata.name}`;
    const node = textAt(pod, "spec", "nodeName");
    if (type === "delete" || isFinishedPod(pod)) {
      queue.delete(key);
      const nominated = textAt(pod, "status", "nominatedNodeName");
      memory.withdraw(key, nominated);
      // The room that was kept for a pod is free, too.
      if (memory.pod(key) === undefined && nominated === "") return false;
      memory.deletePod(key);
      return queue.activate("podRemoved");
    }
    if (node !== "") return observePlaced(pod, node, memory, queue, lister);
    if (!isSchedulable(pod)) {
      queue.delete(key);
      return false;
    }
    const parked = queue.parked(key);
    if (parked !== undefined && isSamePod(parked.pod, pod)) return false;
    queue.add(key, numberAt(pod, "spec", "priority"));
    return true;
  };
}

function observePlaced(
  pod: KubeObject,
  node: string,
  memory: SchedulerMemory,
  queue: SchedulingQueue,
  lister: Lister,
): boolean {
  const key = `${pod.metadata.namespace}/${pod.metadata.name}`;
  queue.delete(key);
  const known = memory.pod(key);
  const isKnown = known?.node === node && isSamePod(known.pod, pod, "placed");
  if (isKnown) return false;
  const info = podInfo(pod);
  memory.putPod(info, node);
  if (known?.node !== node || known.pod.metadata.uid !== pod.metadata.uid)
    return activateForPlaced(info, queue, lister);
  const areLabelsOther = !jsonEqual(known.labels, info.labels) && queue.activate("podLabels");
  return (isSmaller(info.requests, known.requests) && queue.activate("podShrunk")) || areLabelsOther;
}

/** Whether a pod requests less of a resource than before. */
function isSmaller(requests: Resources, before: Resources): boolean {
  return [...before].some(([name, amount]) => (requests.get(name) ?? 0) < amount);
}

/** Whether a pod wants the same as before. Placing a pod only sets its node. */
function isSamePod(before: KubeObject, pod: KubeObject, state: "waiting" | "placed" = "waiting"): boolean {
  if (before.metadata.uid !== pod.metadata.uid) return false;
  if (Boolean(before.metadata.deletionTimestamp) !== Boolean(pod.metadata.deletionTimestamp)) return false;
  if (!jsonEqual(before.metadata.labels, pod.metadata.labels)) return false;
  const [a, b] = [objectAt(before, "spec"), objectAt(pod, "spec")];
  if (state === "waiting") return jsonEqual(a, b);
  return hasEqualFields(a, b) && hasEqualFields(b, a);
}

/** Whether each field of a spec but its node has an equal value in another one. */
function hasEqualFields(spec: JsonObject = {}, other: JsonObject = {}): boolean {
  for (const field in spec) {
    if (field !== "nodeName" && !jsonEqual(spec[field], other[field])) return false;
  }
  return true;
}
