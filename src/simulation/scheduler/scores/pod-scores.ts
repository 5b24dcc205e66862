import { numberAt, sizeAt, stringsAt, structAt } from "../../../apimachinery/fields.ts";
import { labelSelectorFromObject } from "../../../apimachinery/selectors/label-selector-object.ts";
import type { Labels } from "../../../apimachinery/validation/label-requirement.ts";
import { requiredNodes } from "../../placement/node-selector.ts";
import { affinityTerm } from "../filters/affinity-term.ts";
import { domainOf, podsOf } from "../filters/inter-pod-affinity.ts";
import { countedPods, podsByDomain, spreadConstraints } from "../filters/topology-spread.ts";
import type { ClusterView } from "../snapshot/cluster-view.ts";
import type { NodeInfo } from "../snapshot/node-info.ts";
import { hasPodAffinity, type PodInfo, preferredTerms, requiredTerms } from "../snapshot/pod-info.ts";
import { bestScore, type ScorePlugin } from "./score.ts";

/** The weight of required affinity of other pods to this one. */
const hardWeight = 1;

/** Prefers nodes near the pods of preferred affinity, and far from those of anti-affinity (plugins/interpodaffinity/scoring.go). */
export const preferredPods: ScorePlugin = (pod, nodes, view) => {
  const others = view.podsWithAffinity();
  if (!hasPodAffinity(pod) && others.length === 0) return undefined;
  const domains = new Map<string, number>();
  const add = (topologyKey: string, node: NodeInfo | undefined, weight: number) => {
    const domain = node && domainOf({ topologyKey }, node);
    if (domain !== undefined) domains.set(domain, (domains.get(domain) ?? 0) + weight);
  };
  for (const { term, weight } of weightedTerms(pod, view)) {
    for (const { node } of podsOf(term, view)) add(term.topologyKey, view.node(node), weight);
  }
  for (const other of others) {
    for (const { term, weight } of [...weightedTerms(other, view), ...hardTerms(other, view)]) {
      if (term.matches(pod)) add(term.topologyKey, view.node(other.node), weight);
    }
  }
  if (domains.size === 0) return undefined;
  return spreadEvenly(nodes.map((node) => sumOf(domains, node)));
};

function weightedTerms(pod: PodInfo, view: ClusterView) {
  const terms = (affinity: "podAffinity" | "podAntiAffinity", sign: number) =>
    preferredTerms(pod, affinity).map((preferred) => ({
      term: affinityTerm(structAt(preferred, "podAffinityTerm"), pod, view.lister),
      weight: sign * numberAt(preferred, "weight"),
    }));
  return [...terms("podAffinity", 1), ...terms("podAntiAffinity", -1)];
}

function hardTerms(pod: PodInfo, view: ClusterView) {
  return requiredTerms(pod, "podAffinity").map((term) => ({
    term: affinityTerm(term, pod, view.lister),
    weight: hardWeight,
  }));
}

function sumOf(domains: ReadonlyMap<string, number>, { labels }: NodeInfo): number {
  let sum = 0;
  for (const [domain, weight] of domains) {
    const end = domain.indexOf("=");
    if (labels[domain.slice(0, end)] === domain.slice(end + 1)) sum += weight;
  }
  return sum;
}

/** The lowest score becomes 0, the highest 100. */
function spreadEvenly(scores: readonly number[]): readonly number[] {
  const [low, high] = [Math.min(...scores), Math.max(...scores)];
  if (low === high) return scores.map(() => 0);
  return scores.map((score) => Math.floor(bestScore * ((score - low) / (high - low))));
}

const hostname = "kubernetes.io/hostname";
const zone = "topology.kubernetes.io/zone";
const services = { group: "", resource: "services" };

/** A count of pods in the domain of a node, and how much it weighs. */
interface SpreadCount {
  readonly topologyKey: string;
  readonly maxSkew: number;
  /** What each counted pod weighs: more if the feasible nodes are in many domains. */
  readonly weight: number;
  readonly countOn: (node: NodeInfo) => number;
}

/**
 * Prefers domains with few of the pods that a constraint counts (plugins/podtopologyspread/scoring.go). The default constraints spread
 * the pods of a controller or Service over hosts and zones.
 */
export const preferredSpread: ScorePlugin = (pod, nodes, view) => {
  const own = spreadConstraints(pod, "ScheduleAnyway");
  const isIgnored = (node: NodeInfo) => own.some(({ topologyKey }) => node.labels[topologyKey] === undefined);
  const hasOwn = sizeAt(pod.spec, "topologySpreadConstraints") > 0;
  const considered = own.length === 0 ? nodes : nodes.filter((node) => !isIgnored(node));
  const counts = hasOwn ? ownCounts(pod, considered, view) : defaultCounts(pod, nodes, view);
  if (counts.length === 0 || considered.length === 0) return undefined;
  const scores = nodes.map((node) => (isIgnored(node) ? undefined : spreadScore(counts, node)));
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const score of scores) {
    if (score === undefined) continue;
    if (score < low) low = score;
    if (score > high) high = score;
  }
  return scores.map((score) => {
    if (score === undefined) return 0;
    return high === 0 ? bestScore : Math.floor((bestScore * (high + low - score)) / high);
  });
};

function ownCounts(pod: PodInfo, nodes: readonly NodeInfo[], view: ClusterView): readonly SpreadCount[] {
  const constraints = spreadConstraints(pod, "ScheduleAnyway");
  return constraints.map((constraint) => {
    const { topologyKey, maxSkew } = constraint;
    const domains = podsByDomain(constraint, constraints, pod, view);
    const countOn = ({ labels }: NodeInfo) => domains.get(labels[topologyKey] ?? "") ?? 0;
    return { topologyKey, maxSkew, weight: weightOf(domainCount(topologyKey, nodes)), countOn };
  });
}

function weightOf(domains: number): number {
  return Math.log(domains + 2);
}

function domainCount(topologyKey: string, nodes: readonly NodeInfo[]): number {
  return topologyKey === hostname
    ? nodes.length
    : new Set(nodes.map(({ labels }) => labels[topologyKey])).size;
}

function defaultCounts(pod: PodInfo, nodes: readonly NodeInfo[], view: ClusterView): readonly SpreadCount[] {
  const siblingsOn = siblingCount(pod, view);
  if (siblingsOn === undefined) return [];
  const onHost: SpreadCount = {
    topologyKey: hostname,
    maxSkew: 3,
    weight: weightOf(nodes.length),
    countOn: ({ name }) => siblingsOn(name),
  };
  const zones = new Map<string, number>();
  // A zone counts the pods on nodes that the pod's own selector and affinity accept.
  const accepts = requiredNodes(pod.spec);
  for (const node of view.nodes) {
    const { name, labels } = node;
    const key = labels[zone];
    if (key !== undefined && accepts?.(node) !== false)
      zones.set(key, (zones.get(key) ?? 0) + siblingsOn(name));
  }
  if (zones.size === 0) return [onHost];
  const inZone = ({ labels }: NodeInfo) => zones.get(labels[zone] ?? "") ?? 0;
  const weight = weightOf(domainCount(zone, nodes));
  return [onHost, { topologyKey: zone, maxSkew: 5, weight, countOn: inZone }];
}

/**
 * Counts the pods on a node that the selectors of the pod's Services and of its replica set or stateful set match; undefined without such
 * selectors. The pods of one controller match them alike. Upstream: `DefaultSelector` (pkg/scheduler/framework/plugins/helper/spread.go).
 */
function siblingCount(
  { owner, namespace, labels }: PodInfo,
  view: ClusterView,
): ((node: string) => number) | undefined {
  if (owner !== "") {
    const siblings = view.siblingsOf(owner);
    return (node) => siblings.get(node) ?? 0;
  }
  const isSelected = (selector: Labels) =>
    Object.entries(selector).every(([key, value]) => labels[key] === value);
  const selectors = view.lister
    .list(services, namespace)
    .map((service) => stringsAt(service, "spec", "selector"))
    .filter((selector) => Object.keys(selector).length > 0 && isSelected(selector));
  if (selectors.length === 0) return undefined;
  const selector = labelSelectorFromObject({ matchLabels: Object.assign({}, ...selectors) });
  return (node) => countedPods(view.podsOn(node), namespace, selector).length;
}

function spreadScore(counts: readonly SpreadCount[], node: NodeInfo): number {
  let score = 0;
  for (const { topologyKey, maxSkew, weight, countOn } of counts) {
    if (node.labels[topologyKey] === undefined) continue;
    score += countOn(node) * weight + (maxSkew - 1);
  }
  return Math.round(score);
}
