import { messageOf } from "../../apimachinery/errors/message-of.ts";
import { numberAt } from "../../apimachinery/fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { ForkPort } from "../../transports/contract/served.ts";
import { ControlError } from "./control-error.ts";
import type { ControlCall, ControlRoute } from "./control-route.ts";
import { forkList, forkSchema, portProperties } from "./control-schemas.ts";
import type { ControlContext, ForkedCluster } from "./controlled-cluster.ts";
import { Numbered } from "./numbered.ts";

const mostForks = 20;

interface Fork {
  readonly cluster: ForkedCluster;
  readonly port: ForkPort;
}

/** Serves forks of the cluster on other ports. */
export class ForkRoutes<Snapshot> {
  readonly #context: ControlContext<Snapshot>;
  readonly #forks = new Numbered<Fork>("fork", mostForks);

  constructor(context: ControlContext<Snapshot>) {
    this.#context = context;
  }

  readonly routes: readonly ControlRoute[] = [
    {
      method: "GET",
      path: "forks",
      operation: "listForks",
      summary: "Lists the forks of this port.",
      success: { status: 200, schema: forkList },
      run: () => ({ forks: [...this.#forks.all].map(([id, { port }]) => ({ id, url: port.url })) }),
    },
    {
      method: "POST",
      path: "forks",
      operation: "fork",
      summary:
        "Serves an independent cluster with the same objects and time on another port, which has a control API too. It closes with this one.",
      body: { properties: portProperties },
      success: { status: 201, schema: forkSchema },
      errors: { 409: "There are too many forks, or the port is in use." },
      run: (call) => this.#fork(call),
    },
    {
      method: "DELETE",
      path: "forks/{id}",
      operation: "closeFork",
      summary: "Closes a fork.",
      success: { status: 204 },
      errors: { 404: "There is no such fork." },
      run: async ({ id }) => {
        await closeFork(this.#forks.remove(id));
        return undefined;
      },
    },
  ];

  /** Closes all forks. */
  async close(): Promise<void> {
    const forks = [...this.#forks.all.values()];
    this.#forks.clear();
    await Promise.all(forks.map(closeFork));
  }

  async #fork({ body }: ControlCall): Promise<JsonObject> {
    this.#forks.requireRoom();
    const cluster = this.#context.cluster.fork();
    try {
      const port = await this.#context.port.open(cluster, numberAt(body, "port"));
      const id = this.#forks.add({ cluster, port });
      const { url, caCertificate } = port;
      return { id, url, token: cluster.adminToken(), caCertificate, kubeconfig: port.kubeconfig() };
    } catch (error) {
      await cluster.close();
      throw new ControlError(409, messageOf(error));
    }
  }
}

async function closeFork({ cluster, port }: Fork): Promise<void> {
  await cluster.close();
  await port.close();
}
