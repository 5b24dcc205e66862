import type { ClusterView, PlacedPod } from "../snapshot/cluster-view.ts";
import type { NodeInfo } from "../snapshot/node-info.ts";
import { type PodInfo, requiredTerms } from "../snapshot/pod-info.ts";
import { type AffinityTerm, affinityTerm } from "./affinity-term.ts";
import { type FilterPlugin, resolvable, unresolvable } from "./filter.ts";

/** Values of topology keys, as `key=value`. */
type Domains = Set<string>;

/** Required affinity to other pods, and the anti-affinity of both sides (plugins/interpodaffinity/filtering.go). */
export const interPodAffinity: FilterPlugin = (pod, view) => {
  const repelled = domainsThatRepel(pod, view);
  const terms = (affinity: "podAffinity" | "podAntiAffinity") =>
    requiredTerms(pod, affinity).map((term) => affinityTerm(term, pod, view.lister));
  const [attracting, repelling] = [terms("podAffinity"), terms("podAntiAffinity")];
  if (repelled.size === 0 && attracting.length === 0 && repelling.length === 0) return undefined;
  const occupied = domainsOf(repelling, view);
  const wanted = domainsThatAttract(attracting, view);
  const isFirst = wanted.size === 0 && attracting.every((term) => term.matches(pod));
  return (node) => {
    const isAttracted = attracting.every((term) => {
      const domain = domainOf(term, node);
      return domain !== undefined && (isFirst || wanted.has(domain));
    });
    if (!isAttracted) return unresolvable("node(s) didn't match pod affinity rules");
    if (isIn(occupied, node)) return resolvable("node(s) didn't match pod anti-affinity rules");
    if (isIn(repelled, node)) return resolvable("node(s) didn't satisfy existing pods anti-affinity rules");
    return undefined;
  };
};

/** The pods that a term matches. */
export function podsOf({ namespaces, matches }: AffinityTerm, view: ClusterView): readonly PlacedPod[] {
  const pods =
    namespaces === undefined
      ? view.nodes.flatMap(({ name }) => view.podsOn(name))
      : namespaces.flatMap((namespace) => view.podsIn(namespace));
  return pods.filter(matches);
}

export function domainOf(
  { topologyKey }: Pick<AffinityTerm, "topologyKey">,
  node: NodeInfo,
): string | undefined {
  const value = node.labels[topologyKey];
  return value === undefined ? undefined : `${topologyKey}=${value}`;
}

function domainsOf(terms: readonly AffinityTerm[], view: ClusterView): Domains {
  const domains: Domains = new Set();
  for (const term of terms) {
    for (const { node } of podsOf(term, view)) addDomain(domains, term, view.node(node));
  }
  return domains;
}

/** Where pods are that all terms match. Upstream: `updateWithAffinityTerms`. */
function domainsThatAttract(terms: readonly AffinityTerm[], view: ClusterView): Domains {
  const domains: Domains = new Set();
  const [first, ...others] = terms;
  if (first === undefined) return domains;
  for (const pod of podsOf(first, view)) {
    if (!others.every((term) => term.matches(pod))) continue;
    for (const term of terms) addDomain(domains, term, view.node(pod.node));
  }
  return domains;
}

/** Where pods are whose anti-affinity matches this pod. */
function domainsThatRepel(pod: PodInfo, view: ClusterView): Domains {
  const domains: Domains = new Set();
  for (const other of view.podsWithAffinity()) {
    for (const term of requiredTerms(other, "podAntiAffinity")) {
      const parsed = affinityTerm(term, other, view.lister);
      if (parsed.matches(pod)) addDomain(domains, parsed, view.node(other.node));
    }
  }
  return domains;
}

function addDomain(domains: Domains, term: AffinityTerm, node: NodeInfo | undefined): void {
  const domain = node && domainOf(term, node);
  if (domain !== undefined) domains.add(domain);
}

function isIn(domains: Domains, { labels }: NodeInfo): boolean {
  for (const domain of domains) {
    const end = domain.indexOf("=");
    if (labels[domain.slice(0, end)] === domain.slice(end + 1)) return true;
  }
  return false;
}
