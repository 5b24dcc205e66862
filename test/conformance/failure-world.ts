import type { Cluster, FaultHandle } from "../../src/index.ts";
import type { Scenario } from "../../src/scenario/presets.ts";
import type { Served } from "../../src/transports/contract/served.ts";
import type { Client, Received, Sent } from "../transports/clients.ts";
import { header, whole } from "../transports/clients.ts";
import { shape } from "./lines.ts";

/** Connects a client to a cluster; `close` of the client releases the connection. */
export type ConnectTo = (cluster: Served) => Promise<Client> | Client;

export const configMaps = "/api/v1/namespaces/default/configmaps";

/** A cluster, and a client that encounters its failures through a transport. */
export class FailureWorld {
  readonly cluster: Cluster;
  readonly #connect: ConnectTo;
  readonly #clients: Client[] = [];
  readonly #watches: Watching[] = [];
  #token: string;

  constructor(cluster: Cluster, connect: ConnectTo) {
    this.cluster = cluster;
    this.#connect = connect;
    this.#token = cluster.token("alice");
  }

  inject(scenario: Scenario): FaultHandle {
    return this.cluster.inject(scenario);
  }

  create(name: string, data: Readonly<Record<string, string>> = {}): Promise<unknown> {
    return this.cluster.create({ apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data });
  }

  /** Gives the client new credentials. */
  renewToken(): void {
    this.#token = this.cluster.token("alice");
  }

  /** The response for the client in short: `200 ConfigMapList`, `429 TooManyRequests`, or `failed`. */
  async ask(path: string, sent: Partial<Sent> = {}): Promise<string> {
    try {
      const answer = await this.#open(path, sent);
      return `${answer.status} ${inShort(Buffer.from(await whole(answer)).toString())}`;
    } catch {
      return "failed";
    }
  }

  /** The JSON response for the client. */
  async read<T>(path: string, sent: Partial<Sent> = {}): Promise<T> {
    return JSON.parse(Buffer.from(await whole(await this.#open(path, sent))).toString());
  }

  /** Opens a watch; with `fresh`, by a new client. */
  async watch(query: string, path = configMaps, fresh = false): Promise<Watching> {
    const watching = new Watching(await this.#open(`${path}?watch=1&${query}`, {}, fresh));
    this.#watches.push(watching);
    return watching;
  }

  /** Resolves when all watches have received pending events, because a watch of another client has. */
  async eventsHaveCome(): Promise<void> {
    const other = await this.watch("resourceVersion=0", "/api/v1/namespaces/default/secrets", true);
    await this.cluster.create({ apiVersion: "v1", kind: "Secret", metadata: { name: "marker" } });
    await other.next();
    // It takes some more turns from a transport to its reader.
    for (let turns = 0; turns < 10; turns++) await new Promise((resolve) => setImmediate(resolve));
    await this.cluster.delete("v1", "Secret", "marker");
  }

  async close(): Promise<void> {
    for (const watching of this.#watches) watching.leave();
    for (const client of this.#clients) await client.close?.();
    await this.cluster.close();
  }

  async #open(path: string, { method = "GET", headers = [], body }: Partial<Sent>, fresh = false) {
    const [known] = this.#clients;
    const client = known === undefined || fresh ? await this.#connect(this.cluster) : known;
    if (client !== known) this.#clients.push(client);
    const all = [["authorization", `Bearer ${this.#token}`] as const, ...headers];
    return client.open({ method, path, headers: all, ...(body !== undefined && { body }) });
  }
}

/** A watch in JSON, event by event. */
export class Watching {
  readonly status: number;
  readonly #received: Received;
  #text = "";
  #pending: Promise<Uint8Array | undefined> | undefined;

  constructor(received: Received) {
    this.status = received.status;
    this.#received = received;
  }

  /** The next event in short, or `ended`, `broken`, or `ended within an event` after an incomplete event. */
  async next(): Promise<string> {
    for (;;) {
      const end = this.#text.indexOf("\n");
      if (end >= 0) {
        const line = this.#text.slice(0, end);
        this.#text = this.#text.slice(end + 1);
        return line.includes("initial-events-end") ? "INITIAL END" : shape(line);
      }
      const piece = await this.piece().catch(() => "broken" as const);
      if (piece === "broken") return "broken";
      if (piece === undefined) return this.#text === "" ? "ended" : "ended within an event";
      this.#text += Buffer.from(piece).toString("latin1");
    }
  }

  /** The next chunk of bytes; undefined at the end. */
  async piece(): Promise<Uint8Array | undefined> {
    for (;;) {
      this.#pending ??= this.#received.next();
      const piece = await this.#pending;
      this.#pending = undefined;
      if (piece === undefined || piece.length > 0) return piece;
    }
  }

  /** Whether the server has asked the client to open another connection. */
  get isSentAway(): boolean {
    const { isSentAway } = this.#received;
    return isSentAway?.() === true || header(this.#received, "connection") === "close";
  }

  leave(): void {
    this.#pending?.catch(() => {});
    this.#received.leave();
  }
}

function inShort(text: string): string {
  if (!text.startsWith("{")) return text.trim();
  const { kind, reason, message } = JSON.parse(text);
  return kind === "Status" ? reason || message || "Success" : kind;
}
