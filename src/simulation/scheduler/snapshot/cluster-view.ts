import type { Lister } from "../../../apimachinery/lister.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";
import { type NodeInfo, usageWith, usageWithout } from "./node-info.ts";
import { hasPodAffinity, type PodInfo } from "./pod-info.ts";

/** A pod with the node that it is on. */
export interface PlacedPod extends PodInfo {
  readonly node: string;
}

/** The nodes and the pods on them, as one decision of the scheduler sees them. */
export interface ClusterView {
  readonly lister: Lister;
  readonly gates: FeatureGates;
  /** In the order of their names. */
  readonly nodes: readonly NodeInfo[];
  readonly node: (name: string) => NodeInfo | undefined;
  readonly podsOn: (node: string) => readonly PlacedPod[];
  readonly podsIn: (namespace: string) => readonly PlacedPod[];
  /** The pods that have affinity or anti-affinity to other pods. */
  readonly podsWithAffinity: () => readonly PlacedPod[];
  /** The pods of at least this priority for which there is room to be kept on a node. */
  readonly nominatedFor: (node: string, priority: number) => readonly PlacedPod[];
  /** How many pods of a controller are on each node that has some, and stay there. */
  readonly siblingsOf: (owner: string) => ReadonlyMap<string, number>;
}

/** The same with more pods on a node. */
export function viewWith(added: readonly PlacedPod[], node: NodeInfo, view: ClusterView): ClusterView {
  const fuller: NodeInfo = { ...node, usage: added.reduce(usageWith, node.usage) };
  const more = (isMeant: (pod: PlacedPod) => boolean) => added.filter(isMeant);
  return {
    ...withNode(fuller, view),
    podsOn: (name) => [...view.podsOn(name), ...more((pod) => pod.node === name)],
    podsIn: (namespace) => [...view.podsIn(namespace), ...more((pod) => pod.namespace === namespace)],
    podsWithAffinity: () => [...view.podsWithAffinity(), ...more(hasPodAffinity)],
  };
}

/** The same without some pods of a node. */
export function viewWithout(removed: readonly PlacedPod[], node: NodeInfo, view: ClusterView): ClusterView {
  const emptier: NodeInfo = { ...node, usage: removed.reduce(usageWithout, node.usage) };
  const gone = new Set(removed.map(({ key }) => key));
  const staying = (pods: readonly PlacedPod[]) => pods.filter(({ key }) => !gone.has(key));
  return {
    ...withNode(emptier, view),
    podsOn: (name) => staying(view.podsOn(name)),
    podsIn: (namespace) => staying(view.podsIn(namespace)),
    podsWithAffinity: () => staying(view.podsWithAffinity()),
  };
}

function withNode(node: NodeInfo, view: ClusterView): ClusterView {
  return {
    ...view,
    nodes: view.nodes.map((other) => (other.name === node.name ? node : other)),
    node: (name) => (name === node.name ? node : view.node(name)),
  };
}
