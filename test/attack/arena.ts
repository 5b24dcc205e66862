import { Agent, fetch as undiciFetch } from "undici-7";
import { type Cluster, createCluster } from "../../src/index.ts";
import { type Serving, serve } from "../../src/transports/node/serve.ts";

/** An answer; its status is `undefined` if the client does not know how the request ended. */
export interface Answered {
  readonly status: number | undefined;
  readonly text: string;
}

/** A client of a cluster on one transport. */
export class ArenaClient {
  readonly name: string;
  readonly #send: (path: string, init: RequestInit) => Promise<Response>;
  readonly #token: string;
  readonly #patience: number;
  readonly #reconnect: () => void;

  /** @param patience How long it waits for an answer, in milliseconds. */
  constructor(
    name: string,
    token: string,
    patience: number,
    send: (path: string, init: RequestInit) => Promise<Response>,
    reconnect: () => void = () => {},
  ) {
    this.name = name;
    this.#token = token;
    this.#patience = patience;
    this.#send = send;
    this.#reconnect = reconnect;
  }

  /** Sends a request, with a body of JSON. Never rejects. */
  async ask(method: string, path: string, body?: object, type = "application/json"): Promise<Answered> {
    const headers = {
      authorization: `Bearer ${this.#token}`,
      ...(body !== undefined && { "content-type": type }),
    };
    const signal = AbortSignal.timeout(this.#patience);
    const init = { method, headers, signal, ...(body !== undefined && { body: JSON.stringify(body) }) };
    try {
      const response = await this.#send(path, init);
      return { status: response.status, text: await response.text() };
    } catch {
      if (signal.aborted) this.#reconnect();
      return { status: undefined, text: "" };
    }
  }

  /** Opens a watch until the signal aborts. Rejects if there is no answer. */
  open(path: string, signal: AbortSignal): Promise<Response> {
    return this.#send(path, { headers: { authorization: `Bearer ${this.#token}` }, signal });
  }
}

/** A cluster without controllers, and a client on each transport. */
export class Arena {
  readonly cluster: Cluster;
  readonly clients: readonly ArenaClient[];
  readonly #servings: readonly Serving[];
  readonly #agents: readonly Agents[];

  private constructor(
    cluster: Cluster,
    servings: readonly [plain: Serving, secure: Serving],
    patience: number,
  ) {
    this.cluster = cluster;
    this.#servings = servings;
    const [plain, secure] = servings;
    const overPlain = new Agents(() => new Agent());
    const overHttp2 = new Agents(() => new Agent({ allowH2: true, connect: { ca: secure.caCertificate } }));
    this.#agents = [overPlain, overHttp2];
    const token = cluster.adminToken();
    const through = (name: string, url: string, agents: Agents) =>
      new ArenaClient(
        name,
        token,
        patience,
        // The types of undici and of the platform differ in details.
        (path, init) => undiciFetch(url + path, { ...init, dispatcher: agents.current } as never) as never,
        () => agents.renew(),
      );
    this.clients = [
      new ArenaClient("fetch", token, patience, (path, init) =>
        cluster.fetch(`https://cluster.test${path}`, init),
      ),
      through("HTTP/1.1", plain.url, overPlain),
      through("HTTP/2", secure.url, overHttp2),
    ];
  }

  /** @param patience How long clients wait for an answer, in milliseconds. */
  static async open(patience: number): Promise<Arena> {
    const cluster = createCluster({ controllers: [] });
    return new Arena(cluster, [await serve(cluster, { tls: false }), await serve(cluster)], patience);
  }

  async close(): Promise<void> {
    for (const agents of this.#agents) agents.current.destroy().catch(() => {});
    for (const serving of this.#servings) await serving.close();
    await this.cluster.close();
  }
}

/** The connections of a client, which gives up those that do not answer. */
class Agents {
  readonly #create: () => Agent;
  current: Agent;

  constructor(create: () => Agent) {
    this.#create = create;
    this.current = create();
  }

  renew(): void {
    this.current.destroy().catch(() => {});
    this.current = this.#create();
  }
}
