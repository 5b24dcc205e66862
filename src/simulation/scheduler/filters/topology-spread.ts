import { listAt, numberAt, textAt, textsAt } from "../../../apimachinery/fields.ts";
import { isJsonObject, type JsonObject } from "../../../apimachinery/json.ts";
import type { LabelSelector } from "../../../apimachinery/selectors/label-selector.ts";
import { labelSelectorFromObject } from "../../../apimachinery/selectors/label-selector-object.ts";
import { requiredNodes } from "../../placement/node-selector.ts";
import { isTolerated } from "../../placement/tolerations.ts";
import type { ClusterView, PlacedPod } from "../snapshot/cluster-view.ts";
import type { NodeInfo } from "../snapshot/node-info.ts";
import type { PodInfo } from "../snapshot/pod-info.ts";
import { type FilterPlugin, resolvable, unresolvable } from "./filter.ts";

/** A constraint of a pod on how it spreads. */
export interface SpreadConstraint {
  readonly topologyKey: string;
  readonly maxSkew: number;
  readonly minDomains: number;
  readonly selector: LabelSelector;
  /** Whether the pods of a node count. */
  readonly counts: (node: NodeInfo) => boolean;
}

const mismatch = "node(s) didn't match pod topology spread constraints";

/** Topology spread constraints that must hold (plugins/podtopologyspread/filtering.go). */
export const podTopologySpread: FilterPlugin = (pod, view) => {
  const constraints = spreadConstraints(pod, "DoNotSchedule");
  if (constraints.length === 0) return undefined;
  const counted = constraints.map((constraint) => {
    const counts = podsByDomain(constraint, constraints, pod, view);
    const least = counts.size < constraint.minDomains ? 0 : Math.min(...counts.values());
    const own = constraint.selector.matches(pod.labels) ? 1 : 0;
    return { constraint, counts, least: counts.size === 0 ? 0 : least, own };
  });
  return (node) => {
    for (const { constraint, counts, least, own } of counted) {
      const domain = node.labels[constraint.topologyKey];
      if (domain === undefined) return unresolvable(`${mismatch} (missing required label)`);
      const skew = (counts.get(domain) ?? 0) + own - least;
      if (skew > constraint.maxSkew) return resolvable(mismatch);
    }
    return undefined;
  };
};

/** The constraints of a pod with this effect. */
export function spreadConstraints(
  pod: PodInfo,
  effect: "DoNotSchedule" | "ScheduleAnyway",
): readonly SpreadConstraint[] {
  return listAt(pod.spec, "topologySpreadConstraints")
    .filter((constraint) => constraint["whenUnsatisfiable"] === effect)
    .map((constraint) => ({
      topologyKey: textAt(constraint, "topologyKey"),
      maxSkew: numberAt(constraint, "maxSkew"),
      minDomains: numberAt(constraint, "minDomains") || 1,
      selector: selectorOf(constraint, pod),
      counts: inclusionOf(constraint, pod),
    }));
}

/** The matching pods in each domain. Only nodes that have the keys of all constraints count. */
export function podsByDomain(
  { topologyKey, selector, counts }: SpreadConstraint,
  all: readonly SpreadConstraint[],
  { namespace }: PodInfo,
  view: ClusterView,
): ReadonlyMap<string, number> {
  const domains = new Map<string, number>();
  const isCounted = (node: NodeInfo) =>
    counts(node) && all.every((constraint) => node.labels[constraint.topologyKey] !== undefined);
  for (const node of view.nodes) {
    const domain = node.labels[topologyKey];
    if (domain !== undefined && isCounted(node)) domains.set(domain, domains.get(domain) ?? 0);
  }
  for (const { node: name } of countedPods(view.podsIn(namespace), namespace, selector)) {
    const node = view.node(name);
    const domain = node?.labels[topologyKey];
    if (node === undefined || domain === undefined) continue;
    if (isCounted(node)) domains.set(domain, (domains.get(domain) ?? 0) + 1);
  }
  return domains;
}

/**
 * The pods of a namespace that a selector matches and that stay. An empty selector counts none. Upstream: `countPodsMatchSelector`
 * (plugins/podtopologyspread/common.go).
 */
export function countedPods(
  pods: readonly PlacedPod[],
  namespace: string,
  selector: LabelSelector,
): readonly PlacedPod[] {
  if (selector.isEmpty) return [];
  return pods.filter(
    (one) =>
      one.namespace === namespace && !one.pod.metadata.deletionTimestamp && selector.matches(one.labels),
  );
}

/** The selector, with the values that the pod has for `matchLabelKeys`. */
function selectorOf(constraint: JsonObject, { labels }: PodInfo): LabelSelector {
  const selector = constraint["labelSelector"];
  const keys = textsAt(constraint, "matchLabelKeys").filter((key) => Object.hasOwn(labels, key));
  if (keys.length === 0 || !isJsonObject(selector)) return labelSelectorFromObject(selector);
  const own = keys.map((key) => ({ key, operator: "In", values: [labels[key] ?? ""] }));
  return labelSelectorFromObject({
    ...selector,
    matchExpressions: [...listAt(selector, "matchExpressions"), ...own],
  });
}

/** By default, only nodes count that the pod's affinity accepts, whatever their taints. */
function inclusionOf(constraint: JsonObject, { spec }: PodInfo): (node: NodeInfo) => boolean {
  const accepts = constraint["nodeAffinityPolicy"] === "Ignore" ? undefined : requiredNodes(spec);
  const tolerations = constraint["nodeTaintsPolicy"] === "Honor" ? listAt(spec, "tolerations") : undefined;
  return (node) => {
    if (accepts !== undefined && !accepts(node)) return false;
    if (tolerations === undefined) return true;
    const hard = node.taints.filter(({ effect }) => effect !== "PreferNoSchedule");
    return hard.every((taint) => isTolerated(taint, tolerations));
  };
}
