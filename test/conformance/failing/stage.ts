import { setImmediate as turn } from "node:timers/promises";
import { type Cluster, createCluster, VirtualClock } from "../../../src/index.ts";
import type { Client, RunOptions, Surroundings } from "./client.ts";

/** The number of requests in a second from which a client is too fast, and the number of turns in a second. */
const mostInSecond = 8;
const turnsInSecond = 30;

/** The outcome of a client. */
export type Outcome =
  /** It has the current state, or has completed its task. */
  | "right"
  /** It has an outdated state without noticing. */
  | "stale"
  /** It has replaced an object by an older one. */
  | "went back"
  /** It never considers its cache complete. */
  | "waits"
  /** It has stopped with an unexpected error. */
  | "died"
  /** It sends requests endlessly without a pause. */
  | "looped"
  /** It retries before the time that the server demands. */
  | "impatient";

/** A cluster with some config maps, a client, and a virtual clock. */
export class Stage {
  readonly cluster: Cluster;
  readonly client: Client;
  readonly #clock: VirtualClock;
  /** The times of the requests of the client, including those that reached no server. */
  readonly #attempts: readonly number[];
  #hasDied = false;

  private constructor(cluster: Cluster, clock: VirtualClock, client: Client, attempts: readonly number[]) {
    this.#attempts = attempts;
    this.cluster = cluster;
    this.client = client;
    this.#clock = clock;
  }

  static async open(clientOf: (surroundings: Surroundings) => Client): Promise<Stage> {
    const clock = new VirtualClock(Date.UTC(2030, 0, 1));
    const cluster = createCluster({ controllers: [], clock });
    const attempts: number[] = [];
    const fetch: Cluster["fetch"] = (input, init) => {
      attempts.push(clock.now());
      return cluster.fetch(input, init);
    };
    const client = clientOf({ fetch, clock, newToken: () => cluster.token("client") });
    const stage = new Stage(cluster, clock, client, attempts);
    for (const name of ["a", "b", "c"]) await stage.write(name, "é");
    return stage;
  }

  /** Starts the client, and gives it time to load the state. */
  async begin(options: RunOptions = {}): Promise<void> {
    this.client.run(options).catch(() => {
      this.#hasDied = true;
    });
    await this.pass(1);
  }

  /** Another client writes an object. */
  async write(name: string, value: string): Promise<void> {
    const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data: { value } };
    await this.cluster.load([object]);
  }

  /** Another client creates, changes and deletes objects. */
  async change(): Promise<void> {
    await this.write("d", "new");
    await this.write("b", "changed");
    await this.cluster.delete("v1", "ConfigMap", "a");
  }

  /** Advances the time. */
  async pass(seconds: number): Promise<void> {
    for (let second = 0; second < seconds && !this.#hasDied; second++) {
      await this.#clock.advance("1s");
      for (let turns = 0; turns < turnsInSecond; turns++) await turn();
    }
  }

  /** Advances the time until the work is done; `died` if it fails. */
  async during(work: Promise<unknown>): Promise<Outcome> {
    let outcome: Outcome | undefined;
    work.then(
      () => {
        outcome = "right";
      },
      () => {
        outcome = "died";
      },
    );
    for (let second = 0; second < 120 && outcome === undefined; second++) await this.pass(1);
    return outcome ?? "waits";
  }

  /** The outcome of the client after the failure has ended and more time has passed. */
  async outcome(seconds = 150): Promise<Outcome> {
    await this.pass(seconds);
    if (this.#hasDied) return "died";
    const manners = this.#manners();
    if (manners !== undefined) return manners;
    if (!this.client.isSynced) return "waits";
    if (this.client.hasGoneBack) return "went back";
    return (await this.#knowsAll()) ? "right" : "stale";
  }

  async #knowsAll(): Promise<boolean> {
    const { items } = await this.cluster.list("v1", "ConfigMap", { namespace: "default" });
    const there = items.map((item) => `${item.metadata.name} ${item.metadata.resourceVersion}`);
    const known = [...this.client.cache.values()].map(
      ({ name, resourceVersion }) => `${name} ${resourceVersion}`,
    );
    return there.join() === known.sort().join();
  }

  #manners(): Outcome | undefined {
    let retryAt = 0;
    for (const { receivedAt, status, refusal } of this.cluster.requests.matching({ user: "client" })) {
      if (receivedAt < retryAt) return "impatient";
      const wait = refusal?.details?.retryAfterSeconds ?? 0;
      if (status === 429) retryAt = receivedAt + wait * 1000;
    }
    const isHasty = this.#attempts.some((at, n) => at - (this.#attempts[n - mostInSecond] ?? 0) < 1000);
    return isHasty ? "looped" : undefined;
  }

  async close(): Promise<void> {
    this.client.stop();
    await this.cluster.close();
  }
}
