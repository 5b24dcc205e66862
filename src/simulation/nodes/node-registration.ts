import { isAlreadyExists } from "../../apimachinery/errors/error-predicates.ts";
import { listAt, sizeAt, stringsAt, textAt } from "../../apimachinery/fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { simulatedProviderId } from "../../apimachinery/simulated-node.ts";
import { formatMicroTime } from "../../apimachinery/time.ts";
import type { ControllerMemory } from "../../controllers/controller-memory.ts";
import type { SimulationEnvironment } from "../contract/simulation-environment.ts";
import { EventRecorder } from "../events/event-recorder.ts";
import type { RecordedEvent } from "../events/recorded-event.ts";
import { csiNodeOf } from "./csi-node.ts";
import type { KubeletClients } from "./kubelet-clients.ts";
import type { NodeNetworks } from "./node-networks.ts";
import { nodeOfController, nodeOfKubelet, registered } from "./node-references.ts";
import { labelsOfNode, statusOfNode } from "./node-status.ts";
import { reliefs, statusEvent } from "./status-events.ts";

const leaseNamespace = "kube-node-lease";
const leaseSeconds = 40;
const notReady = "node.kubernetes.io/not-ready";

/** What registers nodes and starts their kubelets. */
export class NodeRegistration {
  readonly #environment: SimulationEnvironment;
  readonly #clients: KubeletClients;
  readonly #networks: NodeNetworks;
  readonly #nodeController: EventRecorder;

  constructor(
    environment: SimulationEnvironment,
    memory: ControllerMemory,
    clients: KubeletClients,
    networks: NodeNetworks,
  ) {
    this.#environment = environment;
    this.#clients = clients;
    this.#networks = networks;
    const { client, clock } = environment;
    this.#nodeController = new EventRecorder({
      client,
      clock,
      memory,
      source: { component: "node-controller" },
    });
  }

  /** Creates a Node as its kubelet does, unless it exists. */
  async register(name: string): Promise<void> {
    const node = {
      apiVersion: "v1",
      kind: "Node",
      metadata: { name, labels: labelsOfNode(name, {}), annotations: nodeAnnotations },
      spec: { providerID: simulatedProviderId(name) },
    };
    const { client } = this.#clients.of(name);
    await client.create({ ...node, status: this.#statusOf(node) }).catch(ignoreExisting);
  }

  /** Lets the kubelet of a node start, once, and the controllers of nodes see that it is ready. */
  async start(node: KubeObject): Promise<void> {
    const isNew = sizeAt(node, "status", "conditions") === 0;
    if (isNew) await this.#complete(node);
    const network = this.#networks.of(node.metadata.name ?? "");
    if (textAt(node, "spec", "podCIDR") !== "") return;
    // The plugin TaintNodesByCondition adds the taint to every new Node; the node lifecycle controller removes it.
    const taints = listAt(node, "spec", "taints").filter(({ key }) => key !== notReady);
    const spec = { podCIDR: network.podCidr, podCIDRs: [network.podCidr], taints };
    await this.#environment.client.patch("v1", "Node", node.metadata.name ?? "", { spec });
    await this.#createOwned(node);
    await this.#recordStart(node);
  }

  /** Adds what the kubelet reports to a Node that a client created. */
  async #complete(node: KubeObject): Promise<void> {
    const { name = "" } = node.metadata;
    const { client } = this.#clients.of(name);
    const labels = labelsOfNode(name, stringsAt(node, "metadata", "labels"));
    await client.patch("v1", "Node", name, { metadata: { labels, annotations: nodeAnnotations } });
    await client.patch("v1", "Node", name, { status: this.#statusOf(node) }, { subresource: "status" });
  }

  #statusOf(node: KubeObject): JsonObject {
    const { release, gates, clock, identifiers } = this.#environment;
    const { address } = this.#networks.of(node.metadata.name ?? "");
    return statusOfNode(node, { release, gates, now: clock.now(), address, machineId: identifiers.uid() });
  }

  /** Creates what belongs to a node besides its Node. */
  async #createOwned(node: KubeObject): Promise<void> {
    const { client } = this.#clients.of(node.metadata.name ?? "");
    await client.create(leaseOf(node, this.#environment.clock.now())).catch(ignoreExisting);
    const csiNode = csiNodeOf(node, this.#environment);
    if (csiNode !== undefined) await client.create(csiNode).catch(ignoreExisting);
  }

  async #recordStart(node: KubeObject): Promise<void> {
    const { name = "" } = node.metadata;
    const about = nodeOfKubelet(name);
    const { recorder } = this.#clients.of(name);
    for (const event of startEvents(name)) await recorder.record(about, event);
    await this.#nodeController.record(nodeOfController(node), registered(name));
  }
}

/** The Lease is made once. It is not renewed, because an idle cluster has no timers. */
function leaseOf({ metadata: { name = "", uid = "" } }: KubeObject, now: number): JsonObject {
  const owner = { apiVersion: "v1", kind: "Node", name, uid };
  return {
    apiVersion: "coordination.k8s.io/v1",
    kind: "Lease",
    metadata: { name, namespace: leaseNamespace, ownerReferences: [owner] },
    spec: { holderIdentity: name, leaseDurationSeconds: leaseSeconds, renewTime: formatMicroTime(now) },
  };
}

function ignoreExisting(error: unknown): void {
  if (!isAlreadyExists(error)) throw error;
}

const nodeAnnotations = { "volumes.kubernetes.io/controller-managed-attach-detach": "true" };

function startEvents(name: string): readonly RecordedEvent[] {
  return [
    normal("Starting", "Starting kubelet."),
    ...reliefs.map((reason) => statusEvent(name, reason)),
    normal("NodeAllocatableEnforced", "Updated Node Allocatable limit across pods"),
    statusEvent(name, "NodeReady"),
  ];
}

function normal(reason: string, message: string): RecordedEvent {
  return { type: "Normal", reason, message };
}
