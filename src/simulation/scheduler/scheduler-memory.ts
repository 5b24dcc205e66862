import type { Lister } from "../../apimachinery/lister.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { FeatureGates } from "../../catalog/feature-gates.ts";
import type { Memory } from "../../controllers/controller-memory.ts";
import { ForkableMap } from "../../store/forkable-map.ts";
import { ForkableTable } from "../../store/forkable-table.ts";
import type { ClusterView, PlacedPod } from "./snapshot/cluster-view.ts";
import { type NodeInfo, nodeInfo, noUsage, usageWith, usageWithout } from "./snapshot/node-info.ts";
import { hasPodAffinity, type PodInfo } from "./snapshot/pod-info.ts";

/** How many pods of one controller are on a node. */
interface Siblings {
  readonly node: string;
  readonly count: number;
}

/** The nodes and the pods on them, as the scheduler has observed them, and those that it has assigned itself. */
export class SchedulerMemory implements Memory {
  #nodes = new ForkableMap<NodeInfo>();
  /** In the order of their names; made when it is read. */
  #nodeList: readonly NodeInfo[] | undefined;
  /** By namespace and name. */
  #pods = new ForkableMap<PlacedPod>();
  /** By node, namespace and name. */
  #podsOfNodes = new ForkableMap<PlacedPod>();
  #withAffinity = new ForkableMap<PlacedPod>();
  /** The numbers of pods on nodes, by controller and node. */
  #siblings = new ForkableMap<Siblings>();
  /** The same of the controller whose pods were scheduled last, because its next pod follows. */
  #latest: { readonly owner: string; readonly counts: Map<string, number> } | undefined;
  /** The pods that wait for others to leave a node, by node, namespace and name. */
  #nominated = new ForkableMap<PlacedPod>();
  /** The nodes of the pods whose volumes are being bound, by namespace and name. */
  #assumed = new ForkableTable<string>();
  /** Where to start looking for nodes in a large cluster. */
  nextNode = 0;

  fork(): this {
    const copy = new SchedulerMemory();
    copy.#nodes = this.#nodes.fork();
    copy.#pods = this.#pods.fork();
    copy.#podsOfNodes = this.#podsOfNodes.fork();
    copy.#withAffinity = this.#withAffinity.fork();
    copy.#siblings = this.#siblings.fork();
    copy.#nominated = this.#nominated.fork();
    copy.#assumed = this.#assumed.fork();
    copy.nextNode = this.nextNode;
    // The class has no subclasses.
    return copy as this;
  }

  node(name: string): NodeInfo | undefined {
    return this.#nodes.get(name);
  }

  putNode(node: KubeObject): void {
    const { name = "" } = node.metadata;
    const usage = this.#nodes.get(name)?.usage ?? this.#podsOn(name).reduce(usageWith, noUsage);
    this.#setNode(nodeInfo(node, usage));
  }

  deleteNode(name: string): void {
    this.#nodes.delete(name);
    this.#nodeList = undefined;
  }

  pod(key: string): PlacedPod | undefined {
    return this.#pods.get(key);
  }

  /** Adds a pod that has a node, or replaces what is known of it. */
  putPod(info: PodInfo, node: string): void {
    this.deletePod(info.key);
    const placed: PlacedPod = { ...info, node };
    this.#pods.set(info.key, placed);
    this.#podsOfNodes.set(`${node}/${info.key}`, placed);
    if (hasPodAffinity(info)) this.#withAffinity.set(info.key, placed);
    this.#countSibling(placed, 1);
    const known = this.#nodes.get(node);
    if (known !== undefined) this.#setNode({ ...known, usage: usageWith(known.usage, info) });
  }

  deletePod(key: string): void {
    const placed = this.#pods.get(key);
    if (placed === undefined) return;
    this.#pods.delete(key);
    this.#podsOfNodes.delete(`${placed.node}/${key}`);
    this.#withAffinity.delete(key);
    this.#countSibling(placed, -1);
    const known = this.#nodes.get(placed.node);
    if (known !== undefined) this.#setNode({ ...known, usage: usageWithout(known.usage, placed) });
  }

  /** Reserves room on a node for a pod until it is placed, deleted or nominated for another node. */
  nominate(info: PodInfo, node: string): void {
    this.#nominated.set(`${node}/${info.key}`, { ...info, node });
  }

  withdraw(key: string, node: string): void {
    this.#assumed.delete(key);
    this.#nominated.delete(`${node}/${key}`);
  }

  /** Remembers the node of a pod until its volumes are bound. */
  assume(key: string, node: string): void {
    this.#assumed.set(key, node);
  }

  assumedNode(key: string): string | undefined {
    return this.#assumed.get(key);
  }

  /** Whether there is room to be kept on any node. */
  get hasNominated(): boolean {
    return this.#nominated.values("", 1).length > 0;
  }

  /** The pods for which there is room to be kept on a node. */
  nominatedFor(node: string): readonly PlacedPod[] {
    return this.#nominated.values(`${node}/`);
  }

  /** What a decision sees now. Later changes are not in it, as far as they concern nodes. */
  view(lister: Lister, gates: FeatureGates): ClusterView {
    this.#nodeList ??= this.#nodes.values("");
    return {
      lister,
      gates,
      nodes: this.#nodeList,
      node: (name) => this.#nodes.get(name),
      podsOn: (node) => this.#podsOn(node),
      podsIn: (namespace) => this.#pods.values(`${namespace}/`),
      podsWithAffinity: () => this.#withAffinity.values(""),
      nominatedFor: (node, priority) => this.nominatedFor(node).filter((pod) => pod.priority >= priority),
      siblingsOf: (owner) => this.#siblingsOf(owner),
    };
  }

  #podsOn(node: string): readonly PlacedPod[] {
    return this.#podsOfNodes.values(`${node}/`);
  }

  #setNode(info: NodeInfo): void {
    const isKnown = this.#nodes.has(info.name);
    this.#nodes.set(info.name, info);
    this.#nodeList = isKnown
      ? this.#nodeList?.map((node) => (node.name === info.name ? info : node))
      : undefined;
  }

  #countSibling({ owner, node, pod }: PlacedPod, change: number): void {
    if (owner === "" || pod.metadata.deletionTimestamp) return;
    const key = `${owner}/${node}`;
    const count = (this.#siblings.get(key)?.count ?? 0) + change;
    if (count > 0) this.#siblings.set(key, { node, count });
    else this.#siblings.delete(key);
    if (this.#latest?.owner === owner) this.#latest.counts.set(node, count);
  }

  #siblingsOf(owner: string): ReadonlyMap<string, number> {
    if (this.#latest?.owner !== owner) {
      const known = this.#siblings.values(`${owner}/`);
      this.#latest = { owner, counts: new Map(known.map(({ node, count }) => [node, count])) };
    }
    return this.#latest.counts;
  }
}
