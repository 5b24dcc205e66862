import { listAt, textAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { requiredNodeNames, requiredNodes } from "../../placement/node-selector.ts";
import { isTolerated } from "../../placement/tolerations.ts";
import { isPortConflict } from "../snapshot/pod-info.ts";
import { type FilterPlugin, resolvable, unresolvable } from "./filter.ts";

const unschedulable = { key: "node.kubernetes.io/unschedulable", effect: "NoSchedule" };

/** Cordoned nodes (pkg/scheduler/framework/plugins/nodeunschedulable). */
export const nodeUnschedulable: FilterPlugin = ({ spec }) => {
  const isUntroubled = isTolerated(unschedulable, listAt(spec, "tolerations"));
  if (isUntroubled) return undefined;
  return (node) => (node.isUnschedulable ? unresolvable("node(s) were unschedulable") : undefined);
};

/** Taints with the effects NoSchedule and NoExecute (plugins/tainttoleration). */
export const taintToleration: FilterPlugin = ({ spec }, { gates }) => {
  const tolerations = listAt(spec, "tolerations");
  const repels = (taint: JsonObject) =>
    taint["effect"] !== "PreferNoSchedule" && !isTolerated(taint, tolerations);
  return ({ taints }) => {
    const taint = taints.find(repels);
    if (taint === undefined) return undefined;
    const name = `{${textAt(taint, "key")}: ${textAt(taint, "value")}}`;
    return unresolvable(`node(s) had untolerated taint${gates.since("1.34") ? "(s)" : ` ${name}`}`);
  };
};

/**
 * Required node affinity that names nodes, such as that of the pods of DaemonSets: no filter looks at other nodes, and before 1.32 no message
 * counts them. Upstream: `PreFilter` in plugins/nodeaffinity, and `findNodesThatFitPod` (pkg/scheduler/schedule_one.go).
 */
export const namedNodes: FilterPlugin = ({ spec }, { gates }) => {
  const names = requiredNodeNames(spec);
  if (names === undefined) return undefined;
  if (names.size === 0) return "pod affinity terms conflict";
  const reasons = gates.since("1.32") ? ["node(s) didn't satisfy plugin(s) [NodeAffinity]"] : [];
  return ({ name }) => (names.has(name) ? undefined : { reasons, isResolvable: false });
};

/** `nodeSelector` and required node affinity (plugins/nodeaffinity). */
export const nodeAffinity: FilterPlugin = ({ spec }) => {
  const accepts = requiredNodes(spec);
  if (accepts === undefined) return undefined;
  return (node) =>
    accepts(node) ? undefined : unresolvable("node(s) didn't match Pod's node affinity/selector");
};

/** Ports of the node (plugins/nodeports). */
export const nodePorts: FilterPlugin = ({ ports }) => {
  if (ports.length === 0) return undefined;
  return ({ usage }) =>
    usage.ports.some((used) => ports.some((port) => isPortConflict(used, port)))
      ? resolvable("node(s) didn't have free ports for the requested pod ports")
      : undefined;
};

/** Resources and the number of pods (plugins/noderesources/fit.go). */
export const nodeResourcesFit: FilterPlugin = ({ requests }, { gates }) => {
  const wanted = [...requests].filter(([, amount]) => amount > 0);
  return ({ allocatable, usage }) => {
    const hasRoom = usage.pods < (allocatable.get("pods") ?? 0);
    if (hasRoom && wanted.length === 0) return undefined;
    const reasons: string[] = [];
    let isResolvable = true;
    if (!hasRoom) reasons.push("Too many pods");
    for (const [name, amount] of wanted) {
      const all = allocatable.get(name) ?? 0;
      if (amount <= all - (usage.requested.get(name) ?? 0)) continue;
      reasons.push(`Insufficient ${name}`);
      if (amount > all && gates.since("1.34")) isResolvable = false;
    }
    return reasons.length === 0 ? undefined : { reasons, isResolvable };
  };
};
