import { booleanAt, listAt, textAt } from "../../../apimachinery/fields.ts";
import { type JsonObject, jsonEqual } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { isSimulatedNode } from "../../../apimachinery/simulated-node.ts";
import { formatTime } from "../../../apimachinery/time.ts";
import { conditionOf } from "../pods/pod-state.ts";

type Effect = "NoSchedule" | "NoExecute";

const prefix = "node.kubernetes.io/";
const unschedulable = `${prefix}unschedulable`;

/** The taints that stand for a condition with a status. Upstream: `nodeConditionToTaintKeyStatusMap` (pkg/controller/nodelifecycle/node_lifecycle_controller.go). */
const keys: readonly (readonly [condition: string, status: string, key: string])[] = [
  ["Ready", "False", `${prefix}not-ready`],
  ["Ready", "Unknown", `${prefix}unreachable`],
  ["MemoryPressure", "True", `${prefix}memory-pressure`],
  ["DiskPressure", "True", `${prefix}disk-pressure`],
  ["NetworkUnavailable", "True", `${prefix}network-unavailable`],
  ["PIDPressure", "True", `${prefix}pid-pressure`],
];

/**
 * The taints that a node should have: those of this effect follow its conditions and `spec.unschedulable`, all others stay. Returns undefined
 * if it has them. A node whose kubelet is about to start keeps the taints of conditions: a real kubelet creates its Node with conditions.
 */
export function taintsToSet(
  node: KubeObject,
  effect: Effect,
  now: number,
): readonly JsonObject[] | undefined {
  const taints = listAt(node, "spec", "taints");
  const wanted = wantedKeys(node, effect);
  const managed = managedKeys(node, effect);
  const isMine = ({ key, effect: its }: JsonObject) => its === effect && managed.has(String(key));
  const kept = taints.filter((taint) => !isMine(taint) || wanted.includes(textAt(taint, "key")));
  const present = new Set(kept.filter((taint) => taint["effect"] === effect).map(({ key }) => key));
  const added = wanted
    .filter((key) => !present.has(key))
    .map((key) => ({ key, effect, timeAdded: formatTime(now) }));
  const next = [...kept, ...added];
  return jsonEqual(next, [...taints]) ? undefined : next;
}

function wantedKeys(node: KubeObject, effect: Effect): readonly string[] {
  const isWanted = ([condition, status]: (typeof keys)[number]) =>
    conditionOf(node, condition)?.["status"] === status;
  const conditions = keysOf(effect).filter(isWanted);
  const isCordoned = effect === "NoSchedule" && booleanAt(node, "spec", "unschedulable");
  return [...conditions.map(([, , key]) => key), ...(isCordoned ? [unschedulable] : [])];
}

/** Whether a node has no taint with the effect NoExecute for its condition Ready, and needs one. */
export function lacksEviction(node: KubeObject): boolean {
  return wantedKeys(node, "NoExecute").length > 0 && withoutEviction(node) === undefined;
}

/** The taints of a node without those with the effect NoExecute for its condition Ready; undefined if it has none of these. */
export function withoutEviction(node: KubeObject): readonly JsonObject[] | undefined {
  const mine = new Set(keysOf("NoExecute").map(([, , key]) => key));
  const taints = listAt(node, "spec", "taints");
  const others = taints.filter(({ key, effect }) => effect !== "NoExecute" || !mine.has(String(key)));
  return others.length === taints.length ? undefined : others;
}

function managedKeys(node: KubeObject, effect: Effect): ReadonlySet<string> {
  const isReady = conditionOf(node, "Ready") !== undefined;
  const follows = isReady || (effect === "NoSchedule" && !isSimulatedNode(node));
  const conditions = follows ? keysOf(effect).map(([, , key]) => key) : [];
  return new Set([...conditions, ...(effect === "NoSchedule" ? [unschedulable] : [])]);
}

/** Only whether a node is ready lets pods be evicted. */
function keysOf(effect: Effect): typeof keys {
  return effect === "NoSchedule" ? keys : keys.filter(([condition]) => condition === "Ready");
}
