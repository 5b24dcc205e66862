import type { Lister } from "../../../apimachinery/lister.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";
import type { NodeInfo } from "./node-info.ts";
import type { PodInfo } from "./pod-info.ts";

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
