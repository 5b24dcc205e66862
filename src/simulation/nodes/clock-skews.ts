import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { isSimulatedNode } from "../../apimachinery/simulated-node.ts";
import { formatMicroTime } from "../../apimachinery/time.ts";
import type { Controller } from "../../controllers/contract/controller.ts";
import type { ControllerMemory, Memory } from "../../controllers/controller-memory.ts";
import { type FailureOfType, failuresOfType } from "../contract/cluster-failures.ts";
import type { SimulationEnvironment } from "../contract/simulation-environment.ts";
import type { KubeletClients } from "./kubelet-clients.ts";
import type { LostNodes } from "./lost-nodes.ts";
import { isSilent, type NodeLosses } from "./node-losses.ts";

const nodes = { group: "", resource: "nodes" };

/** `--node-monitor-period` of kube-controller-manager, and how often a kubelet renews its Lease, in milliseconds. */
const monitorPeriod = 5_000;
const renewalPeriod = 10_000;

/** What is known of a node whose clock is or was wrong. Times are milliseconds since the epoch. */
interface Health {
  /** The renewTime of the Lease, by the clock of the node. */
  readonly renewed: number;
  /** When the kubelet renews the Lease next, by the cluster's clock. */
  readonly renewal: number;
  /** The newest renewTime that counted; undefined: any counts. */
  readonly counted: number | undefined;
  /** When the node lifecycle controller last saw a sign of life, by the cluster's clock. */
  readonly probed: number;
}

class NodeHealth implements Memory {
  readonly byNode: Map<string, Health>;

  constructor(byNode: Iterable<readonly [string, Health]> = []) {
    this.byNode = new Map(byNode);
  }

  fork(): this {
    // The class has no subclasses.
    return new NodeHealth(this.byNode) as this;
  }
}

/** What nodes have in common. */
interface ClockSkewParts {
  readonly environment: SimulationEnvironment;
  readonly memory: ControllerMemory;
  readonly clients: KubeletClients;
  readonly lost: LostNodes;
  readonly losses: NodeLosses;
}

/**
 * Renews the Leases of nodes whose clocks are wrong, and looks at these Leases as the node lifecycle controller does: only a renewTime
 * that is newer than the last one is a sign of life, as is a status. After a status, the next Lease counts whatever its time is.
 * Upstream: `tryUpdateNodeHealth` (pkg/controller/nodelifecycle/node_lifecycle_controller.go).
 */
export function clockSkews(parts: ClockSkewParts): Controller {
  const { environment, memory } = parts;
  const known = memory.part("clock-skews", () => new NodeHealth()).byNode;
  const skews = () => failuresOfType(environment.failures, "nodeClockSkew");
  const keys = () => new Set([...known.keys(), ...skews().map(({ failure }) => failure.node)]);
  return {
    name: "clock-skews",
    kinds: ["Node"],
    observe: ({ type, object: { metadata } }) => {
      const { name = "" } = metadata;
      if (type === "delete") known.delete(name);
      return !known.has(name) && skews().some(({ failure }) => failure.node === name) ? [name] : [];
    },
    observeRelease: keys,
    observePublication: keys,
    reconcile: async (name) => {
      const node = environment.lister.get(nodes, "", name);
      if (node === undefined || !isSimulatedNode(node)) return undefined;
      const skew = skews().findLast(({ failure }) => failure.node === name);
      const now = environment.clock.now();
      const before = known.get(name);
      if (skew === undefined && before === undefined) return undefined;
      // The clock was right until now, and so is the last time of the Lease that counted.
      const start: Health = before ?? { renewed: now, renewal: now, counted: now, probed: now };
      const reported = await report(node, start, skew, now, parts);
      const next = await monitor(name, reported, now, parts);
      const isOver = skew === undefined && next.counted === next.renewed;
      if (isOver) known.delete(name);
      else known.set(name, next);
      return isOver ? undefined : monitorPeriod;
    },
  };
}

/** What the kubelet does: it reports its status if the controller has marked the node, and renews its Lease. */
async function report(
  node: KubeObject,
  health: Health,
  skew: FailureOfType<"nodeClockSkew"> | undefined,
  now: number,
  { clients, lost, losses }: ClockSkewParts,
): Promise<Health> {
  const { name = "" } = node.metadata;
  if (lost.has(name) || (now < health.renewal && skew !== undefined)) return health;
  const renewed = now + (skew?.failure.by ?? 0);
  const wasSilent = isSilent(node);
  if (wasSilent) await losses.restore(name, renewed);
  const lease = { spec: { renewTime: formatMicroTime(renewed) } };
  const target = { namespace: "kube-node-lease" };
  await clients.of(name).client.patch("coordination.k8s.io/v1", "Lease", name, lease, target);
  skew?.struck();
  const seen = wasSilent ? { counted: undefined, probed: now } : {};
  return { ...health, ...seen, renewed, renewal: now + renewalPeriod };
}

/** What the controller does. */
async function monitor(
  name: string,
  health: Health,
  now: number,
  { losses }: ClockSkewParts,
): Promise<Health> {
  if (health.counted === undefined || health.counted < health.renewed)
    return { ...health, counted: health.renewed, probed: now };
  if (now > health.probed + losses.grace) await losses.mark(name);
  return health;
}
