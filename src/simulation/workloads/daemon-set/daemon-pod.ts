import { booleanAt, listAt, stringsAt, structAt, textAt, textsAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { requiredNodes } from "../../placement/node-selector.ts";
import { isTolerated } from "../../placement/tolerations.ts";
import { type PodManifest, podFromTemplate } from "../pods/pod-control.ts";

export const hashLabel = "controller-revision-hash";
const generationLabel = "pod-template-generation";
const generationAnnotation = "deprecated.daemonset.template.generation";
const nodeNameField = "metadata.name";

/** The taints that no daemon minds. Upstream: `AddOrUpdateDaemonPodTolerations` (pkg/controller/daemon/util/daemonset_util.go). */
const tolerated: readonly (readonly [taint: string, effect: string])[] = [
  ["not-ready", "NoExecute"],
  ["unreachable", "NoExecute"],
  ["disk-pressure", "NoSchedule"],
  ["memory-pressure", "NoSchedule"],
  ["pid-pressure", "NoSchedule"],
  ["unschedulable", "NoSchedule"],
];

/** The tolerations of a template and those that every daemon has, which know no time and replace their like. */
export function daemonTolerations(spec: JsonObject): readonly JsonObject[] {
  const taints = booleanAt(spec, "hostNetwork")
    ? [...tolerated, ["network-unavailable", "NoSchedule"] as const]
    : tolerated;
  const added = taints.map(([taint, effect]) => ({
    key: `node.kubernetes.io/${taint}`,
    operator: "Exists",
    effect,
  }));
  const own = listAt(spec, "tolerations");
  const replaced = own.map((one) => added.find((other) => isAlike(one, other)) ?? one);
  return [...replaced, ...added.filter((other) => !own.some((one) => isAlike(one, other)))];
}

/** Whether two tolerations differ in their `tolerationSeconds` at most. Upstream: `Toleration.MatchToleration`. */
function isAlike(a: JsonObject, b: JsonObject): boolean {
  return ["key", "operator", "value", "effect"].every((field) => textAt(a, field) === textAt(b, field));
}

/** Whether a daemon starts on a node, and whether one that is there stays. Upstream: `NodeShouldRunDaemonPod` (pkg/controller/daemon/daemon_controller.go). */
export function placementOf(set: KubeObject, node: KubeObject): "runs" | "stays" | "leaves" {
  const spec = structAt(set, "spec", "template", "spec");
  const name = node.metadata.name ?? "";
  const wanted = textAt(spec, "nodeName");
  const selectable = { name, labels: stringsAt(node, "metadata", "labels") };
  if (wanted !== "" && wanted !== name) return "leaves";
  if (requiredNodes(spec)?.(selectable) === false) return "leaves";
  const tolerations = daemonTolerations(spec);
  const untolerated = listAt(node, "spec", "taints").filter((taint) => !isTolerated(taint, tolerations));
  if (untolerated.some(({ effect }) => effect === "NoExecute")) return "leaves";
  return untolerated.some(({ effect }) => effect === "NoSchedule") ? "stays" : "runs";
}

/** The pod for a node: its affinity names the node, so that the scheduler binds it there. */
export function daemonPod(set: KubeObject, hash: string, node: string): PodManifest {
  const pod = podFromTemplate(structAt(set, "spec", "template"), set);
  const generation = set.metadata.annotations?.[generationAnnotation];
  const labels = {
    ...pod.metadata.labels,
    ...(generation !== undefined && { [generationLabel]: generation }),
    [hashLabel]: hash,
  };
  const tolerations = daemonTolerations(pod.spec);
  const affinity = affinityTo(node, structAt(pod.spec, "affinity"));
  return { ...pod, metadata: { ...pod.metadata, labels }, spec: { ...pod.spec, affinity, tolerations } };
}

/** Upstream: `ReplaceDaemonSetPodNodeNameNodeAffinity`. */
function affinityTo(node: string, affinity: JsonObject): JsonObject {
  const matchFields = [{ key: nodeNameField, operator: "In", values: [node] }];
  const required = { nodeSelectorTerms: [{ matchFields }] };
  const nodeAffinity = structAt(affinity, "nodeAffinity");
  return {
    ...affinity,
    nodeAffinity: { ...nodeAffinity, requiredDuringSchedulingIgnoredDuringExecution: required },
  };
}

/** The node that a daemon is on, or is meant for. Upstream: `GetTargetNodeName`. */
export function targetNode(pod: KubeObject): string {
  const name = textAt(pod, "spec", "nodeName");
  if (name !== "") return name;
  const required = structAt(
    pod,
    "spec",
    "affinity",
    "nodeAffinity",
    "requiredDuringSchedulingIgnoredDuringExecution",
  );
  const fields = listAt(required, "nodeSelectorTerms").flatMap((term) => listAt(term, "matchFields"));
  return textsAt(fields.find(({ key }) => key === nodeNameField) ?? {}, "values")[0] ?? "";
}

/** Whether a pod was created for the revision with a hash. */
export function isOfRevision(pod: KubeObject, hash: string): boolean {
  return pod.metadata.labels?.[hashLabel] === hash;
}

/** Whether a pod is of the newest template: of its revision, or of its generation, as pods that a new set of the same name adopts. Upstream: `IsPodUpdated`. */
export function isUpdated(set: KubeObject, pod: KubeObject, hash: string): boolean {
  const generation = set.metadata.annotations?.[generationAnnotation];
  const isOfGeneration = generation !== undefined && pod.metadata.labels?.[generationLabel] === generation;
  return isOfGeneration || isOfRevision(pod, hash);
}
