import type { ClusterView } from "../snapshot/cluster-view.ts";
import type { NodeInfo } from "../snapshot/node-info.ts";
import type { PodInfo } from "../snapshot/pod-info.ts";

/** Why a pod cannot be on a node. */
export interface Rejection {
  readonly reasons: readonly string[];
  /** Whether the pod may fit if other pods go. */
  readonly isResolvable: boolean;
}

/** What may let a pod fit that did not fit before. A change of a node always may. */
export type Occasion =
  | "node"
  | "nodeRemoved"
  | "podAdded"
  | "podRemoved"
  | "podLabels"
  | "podShrunk"
  | "volume";

/** A rejection, with what the plugin that made it waits for. */
export interface PluginRejection extends Rejection {
  /** Upstream: `EventsToRegister` of the plugin. */
  readonly occasions: readonly Occasion[];
}

/** Decides about one node; undefined lets the pod in. */
export type Filter = (node: NodeInfo) => Rejection | undefined;

/** What all plugins decide about one node. */
export type NodeFilter = (node: NodeInfo) => PluginRejection | undefined;

/** A plugin's filter for a pod; undefined if the pod needs none. A text rejects the pod for all nodes. */
export type FilterPlugin = (pod: PodInfo, view: ClusterView) => Filter | string | undefined;

/** A rejection that the removal of pods can undo. */
export function resolvable(...reasons: readonly string[]): Rejection {
  return { reasons, isResolvable: true };
}

export function unresolvable(...reasons: readonly string[]): Rejection {
  return { reasons, isResolvable: false };
}
