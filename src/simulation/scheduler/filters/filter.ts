import type { ClusterView } from "../snapshot/cluster-view.ts";
import type { NodeInfo } from "../snapshot/node-info.ts";
import type { PodInfo } from "../snapshot/pod-info.ts";

/** Why a pod cannot be on a node. */
export interface Rejection {
  readonly reasons: readonly string[];
  /** Whether the pod may fit if other pods go. */
  readonly isResolvable: boolean;
  /** The pod is tried again when others have gone, although it may not ask them to. Upstream: `EventsToRegister` of the plugin. */
  readonly waitsForPods?: boolean;
}

/** Decides about one node; undefined lets the pod in. */
export type Filter = (node: NodeInfo) => Rejection | undefined;

/** A plugin's filter for a pod; undefined if the pod needs none. A text rejects the pod for all nodes. */
export type FilterPlugin = (pod: PodInfo, view: ClusterView) => Filter | string | undefined;

/** A rejection that the removal of pods can undo. */
export function resolvable(...reasons: readonly string[]): Rejection {
  return { reasons, isResolvable: true };
}

export function unresolvable(...reasons: readonly string[]): Rejection {
  return { reasons, isResolvable: false };
}
