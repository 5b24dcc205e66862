import { numberAt, structAt } from "../../../apimachinery/fields.ts";
import { affinityTerm } from "../filters/affinity-term.ts";
import { domainOf, podsOf } from "../filters/inter-pod-affinity.ts";
import { podsByDomain, spreadConstraints } from "../filters/topology-spread.ts";
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
  return scores.map((score) => Math.floor((bestScore * (score - low)) / (high - low)));
}

const hostname = "kubernetes.io/hostname";
const zone = "topology.kubernetes.io/zone";

/** A count of pods in the domain of a node, and how much it weighs. */
interface SpreadCount {
  readonly topologyKey: string;
  readonly maxSkew: number;
  /** What each counted pod weighs: more if there are many domains. */
  readonly weight: number;
  readonly countOn: (node: NodeInfo) => number;
}

/**
 * Prefers domains with few of the pods that a constraint counts (plugins/podtopologyspread/scoring.go). The default constraints spread
 * the pods of a controller over hosts and zones; upstream finds these pods by the selectors of Services and controllers.
 */
export const preferredSpread: ScorePlugin = (pod, nodes, view) => {
  const own = spreadConstraints(pod, "ScheduleAnyway");
  const counts = own.length > 0 ? ownCounts(pod, view) : defaultCounts(pod, view);
  if (counts.length === 0) return undefined;
  const isIgnored = (node: NodeInfo) => own.some(({ topologyKey }) => node.labels[topologyKey] === undefined);
  const scores = nodes.map((node) => (isIgnored(node) ? undefined : spreadScore(counts, node)));
  const valid = scores.filter((score) => score !== undefined);
  const [low, high] = [Math.min(...valid), Math.max(...valid)];
  return scores.map((score) => {
    if (score === undefined) return 0;
    return high === 0 ? bestScore : Math.floor((bestScore * (high + low - score)) / high);
  });
};

function ownCounts(pod: PodInfo, view: ClusterView): readonly SpreadCount[] {
  const constraints = spreadConstraints(pod, "ScheduleAnyway");
  return constraints.map((constraint) => {
    const { topologyKey, maxSkew } = constraint;
    const domains = podsByDomain(constraint, constraints, pod, view);
    const countOn = ({ labels }: NodeInfo) => domains.get(labels[topologyKey] ?? "") ?? 0;
    return { topologyKey, maxSkew, weight: weightOf(domains.size), countOn };
  });
}

function defaultCounts({ owner }: PodInfo, view: ClusterView): readonly SpreadCount[] {
  if (owner === "") return [];
  const siblings = view.siblingsOf(owner);
  const onHost: SpreadCount = {
    topologyKey: hostname,
    maxSkew: 3,
    weight: weightOf(view.nodes.length),
    countOn: ({ name }) => siblings.get(name) ?? 0,
  };
  const zones = new Map<string, number>();
  for (const { name, labels } of view.nodes) {
    const key = labels[zone];
    if (key !== undefined) zones.set(key, (zones.get(key) ?? 0) + (siblings.get(name) ?? 0));
  }
  if (zones.size === 0) return [onHost];
  const inZone = ({ labels }: NodeInfo) => zones.get(labels[zone] ?? "") ?? 0;
  return [onHost, { topologyKey: zone, maxSkew: 5, weight: weightOf(zones.size), countOn: inZone }];
}

function weightOf(domains: number): number {
  return Math.log(domains + 2);
}

function spreadScore(counts: readonly SpreadCount[], node: NodeInfo): number {
  let score = 0;
  for (const { topologyKey, maxSkew, weight, countOn } of counts) {
    if (node.labels[topologyKey] === undefined) continue;
    score += countOn(node) * weight + (maxSkew - 1);
  }
  return Math.round(score);
}
