import type { ControllerClient } from "../../controllers/contract/controller.ts";
import type { ControllerMemory } from "../../controllers/controller-memory.ts";
import type { SimulationEnvironment } from "../contract/simulation-environment.ts";
import { EventRecorder } from "../events/event-recorder.ts";

/** What a kubelet writes with. */
export interface KubeletClient {
  readonly client: ControllerClient;
  readonly recorder: EventRecorder;
}

/** The clients of all kubelets: each is the user of its node. */
export class KubeletClients {
  readonly #environment: SimulationEnvironment;
  readonly #memory: ControllerMemory;
  readonly #known = new Map<string, KubeletClient>();

  constructor(environment: SimulationEnvironment, memory: ControllerMemory) {
    this.#environment = environment;
    this.#memory = memory;
  }

  of(node: string): KubeletClient {
    const known = this.#known.get(node);
    if (known !== undefined) return known;
    const { clientOf, clock } = this.#environment;
    const user = { name: `system:node:${node}`, uid: "", groups: ["system:nodes"], extra: {} };
    const client = clientOf(user, "kubelet");
    const source = { component: "kubelet", host: node };
    const made = { client, recorder: new EventRecorder({ client, clock, memory: this.#memory, source }) };
    this.#known.set(node, made);
    return made;
  }

  forget(node: string): void {
    this.#known.delete(node);
  }
}
