import { listAt } from "../../apimachinery/fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { formatTime } from "../../apimachinery/time.ts";
import type { ControllerMemory } from "../../controllers/controller-memory.ts";
import { failuresOfType } from "../contract/cluster-failures.ts";
import type { SimulationEnvironment } from "../contract/simulation-environment.ts";
import { EventRecorder } from "../events/event-recorder.ts";
import type { KubeletClients } from "./kubelet-clients.ts";
import type { LostNodes } from "./lost-nodes.ts";
import { nodeOfController, nodeOfKubelet } from "./node-references.ts";
import { nodeConditions } from "./node-status.ts";
import { reliefs, statusEvent } from "./status-events.ts";

const nodes = { group: "", resource: "nodes" };
const unreachable = "node.kubernetes.io/unreachable";

/** `--node-monitor-grace-period` of kube-controller-manager, which is 40 seconds up to 1.31 and 50 since. */
const graceMilliseconds = { before: 40_000, since132: 50_000 };

/** What the node lifecycle controller does about nodes whose kubelets have stopped (pkg/controller/nodelifecycle). */
export class NodeLosses {
  readonly #environment: SimulationEnvironment;
  readonly #clients: KubeletClients;
  readonly #lost: LostNodes;
  readonly #recorder: EventRecorder;

  constructor(
    environment: SimulationEnvironment,
    memory: ControllerMemory,
    clients: KubeletClients,
    lost: LostNodes,
  ) {
    this.#environment = environment;
    this.#clients = clients;
    this.#lost = lost;
    const { client, clock } = environment;
    this.#recorder = new EventRecorder({ client, clock, memory, source: { component: "node-controller" } });
  }

  /** How long a kubelet may be silent, in milliseconds. */
  get grace(): number {
    const isLong = this.#environment.gates.since("1.32");
    return isLong ? graceMilliseconds.since132 : graceMilliseconds.before;
  }

  /** Marks a lost node once its kubelet has been silent for too long. Returns the milliseconds until then. */
  async attend(name: string): Promise<number | undefined> {
    const loss = this.#lost.get(name);
    if (loss === undefined) return undefined;
    const left = loss.since + this.grace - this.#environment.clock.now();
    if (left > 0) return left;
    await this.mark(name);
    return undefined;
  }

  /** Marks a node whose kubelet has been silent for too long, unless it is marked already or does not exist. */
  async mark(name: string): Promise<void> {
    const { lister, client, clock, failures } = this.#environment;
    const node = lister.get(nodes, "", name);
    if (node === undefined || isSilent(node)) return;
    const conditions = listAt(node, "status", "conditions");
    const now = formatTime(clock.now());
    const unknown = conditions.map((condition) => ({ ...condition, ...silence, lastTransitionTime: now }));
    await client.patch("v1", "Node", name, { status: { conditions: unknown } }, { subresource: "status" });
    // The node lifecycle controller adds the taint with the effect NoExecute, at the rate of the node's zone.
    const taint = { key: unreachable, effect: "NoSchedule", timeAdded: now };
    await client.patch("v1", "Node", name, { spec: { taints: [...otherTaints(node), taint] } });
    await this.#recorder.record(nodeOfController(node), statusEvent(name, "NodeNotReady"));
    for (const { failure, struck } of failuresOfType(failures, "nodeDown"))
      if (failure.node === name) struck();
  }

  /** Lets the kubelet of a node report again. `now` is the time by its clock. */
  async restore(name: string, now: number = this.#environment.clock.now()): Promise<void> {
    const { lister, client } = this.#environment;
    const node = lister.get(nodes, "", name);
    if (node === undefined || this.#lost.has(name)) return;
    const kubelet = this.#clients.of(name);
    const conditions = nodeConditions(now);
    await kubelet.client.patch("v1", "Node", name, { status: { conditions } }, { subresource: "status" });
    await client.patch("v1", "Node", name, { spec: { taints: otherTaints(node) } });
    // All conditions were unknown.
    for (const reason of [...reliefs, "NodeReady"])
      await kubelet.recorder.record(nodeOfKubelet(name), statusEvent(name, reason));
  }
}

/** Whether the controller has marked the node. */
export function isSilent(node: KubeObject): boolean {
  return listAt(node, "status", "conditions").some(({ status }) => status === "Unknown");
}

const silence = {
  status: "Unknown",
  reason: "NodeStatusUnknown",
  message: "Kubelet stopped posting node status.",
};

function otherTaints(node: KubeObject): readonly JsonObject[] {
  return listAt(node, "spec", "taints").filter(({ key }) => key !== unreachable);
}
