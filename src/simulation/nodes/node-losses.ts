import { listAt } from "../../apimachinery/fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { formatTime } from "../../apimachinery/time.ts";
import type { ControllerMemory } from "../../controllers/controller-memory.ts";
import type { SimulationEnvironment } from "../contract/simulation-environment.ts";
import { EventRecorder } from "../events/event-recorder.ts";
import type { KubeletClients } from "./kubelet-clients.ts";
import type { LostNodes } from "./lost-nodes.ts";
import { nodeConditions } from "./node-status.ts";

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

  /** Marks a lost node once its kubelet has been silent for too long. Returns the milliseconds until then. */
  async attend(name: string): Promise<number | undefined> {
    const { lister, client, clock, gates } = this.#environment;
    const loss = this.#lost.get(name);
    const node = lister.get(nodes, "", name);
    if (loss === undefined || node === undefined) return undefined;
    const grace = gates.since("1.32") ? graceMilliseconds.since132 : graceMilliseconds.before;
    const left = loss.since + grace - clock.now();
    if (left > 0) return left;
    const conditions = listAt(node, "status", "conditions");
    if (conditions.some(({ status }) => status === "Unknown")) return undefined;
    const now = formatTime(clock.now());
    const unknown = conditions.map((condition) => ({ ...condition, ...silence, lastTransitionTime: now }));
    await client.patch("v1", "Node", name, { status: { conditions: unknown } }, { subresource: "status" });
    const taints = [
      { key: unreachable, effect: "NoSchedule", timeAdded: now },
      { key: unreachable, effect: "NoExecute", timeAdded: now },
    ];
    await client.patch("v1", "Node", name, { spec: { taints: [...otherTaints(node), ...taints] } });
    await this.#recorder.record(node, {
      type: "Normal",
      reason: "NodeNotReady",
      message: `Node ${name} status is now: NodeNotReady`,
    });
    return undefined;
  }

  /** Lets the kubelet of a node report again. */
  async restore(name: string): Promise<void> {
    const { lister, client, clock } = this.#environment;
    const node = lister.get(nodes, "", name);
    if (node === undefined || this.#lost.has(name)) return;
    const kubelet = this.#clients.of(name);
    const conditions = nodeConditions(clock.now());
    await kubelet.client.patch("v1", "Node", name, { status: { conditions } }, { subresource: "status" });
    await client.patch("v1", "Node", name, { spec: { taints: otherTaints(node) } });
    const message = `Node ${name} status is now: NodeReady`;
    await kubelet.recorder.record(node, { type: "Normal", reason: "NodeReady", message });
  }
}

const silence = {
  status: "Unknown",
  reason: "NodeStatusUnknown",
  message: "Kubelet stopped posting node status.",
};

function otherTaints(node: KubeObject): readonly JsonObject[] {
  return listAt(node, "spec", "taints").filter(({ key }) => key !== unreachable);
}
