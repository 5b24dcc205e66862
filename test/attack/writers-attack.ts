import type { JsonObject } from "../../src/apimachinery/json.ts";
import type { FaultHandle } from "../../src/index.ts";
import { clusterFailures } from "../../src/scenario/cluster-failures.ts";
import { failureDefinitions, namedScenario } from "../../src/scenario/named-scenarios.ts";
import type { Random } from "../conformance/random.ts";
import { Arena, type ArenaClient } from "./arena.ts";
import type { Attack } from "./attack.ts";
import { flawsOfHistory } from "./history.ts";
import { Recorder } from "./recorder.ts";
import { Referee } from "./referee.ts";
import type { Tally } from "./tally.ts";

/** How many clients of each transport work at a time, and how many requests each sends in a round. */
const clientsAtOnce = 4;
const requestsOfClient = 8;

/** Concurrent clients of all transports: what each sees must be what one store, asked one by one, would show. */
export const concurrentWriters: Attack = {
  name: "concurrent writers",
  start: async (random, tally) => {
    const arena = await Arena.open(60_000);
    const field = await Field.open(arena, random, tally, "without faults");
    return { round: () => field.work(), settle: () => field.settle(), close: () => field.close() };
  },
};

/** The same with faults at random moments: clients do not always learn what they did, and recover afterwards. */
export const faultyMoments: Attack = {
  name: "faults at random moments",
  start: async (random, tally) => {
    const arena = await Arena.open(1000);
    const field = await Field.open(arena, random, tally, "with faults");
    return {
      round: async () => {
        const faults: FaultHandle[] = [];
        const watching = new AbortController();
        for (const client of arena.clients) void watchAWhile(client, watching.signal);
        const injecting = injectSome(arena, random, faults);
        await Promise.all([field.work(), injecting]);
        watching.abort();
        for (const fault of faults) fault.remove();
        for (const client of arena.clients) await recovered(client, tally);
      },
      settle: () => field.settle(),
      close: () => field.close(),
    };
  },
};

/** Some objects with their writers, and the referee. */
class Field {
  readonly #arena: Arena;
  readonly #recorder: Recorder;
  readonly #tally: Tally;
  readonly #isComplete: boolean;
  #referee: Referee;
  #markers = 0;

  private constructor(arena: Arena, recorder: Recorder, tally: Tally, isComplete: boolean, referee: Referee) {
    this.#arena = arena;
    this.#recorder = recorder;
    this.#tally = tally;
    this.#isComplete = isComplete;
    this.#referee = referee;
  }

  static async open(
    arena: Arena,
    random: Random,
    tally: Tally,
    faults: "with faults" | "without faults",
  ): Promise<Field> {
    const recorder = new Recorder(random, tally, faults);
    return new Field(arena, recorder, tally, faults === "without faults", await Referee.open(arena.cluster));
  }

  /** Lets all clients work at once. */
  async work(): Promise<void> {
    const workers = this.#arena.clients.flatMap((client) => Array<ArenaClient>(clientsAtOnce).fill(client));
    await Promise.all(workers.map((client) => this.#recorder.work(client, requestsOfClient)));
  }

  /** Compares everything with the history that the referee saw, and begins another. */
  async settle(): Promise<void> {
    const { cluster } = this.#arena;
    const recorder = this.#recorder;
    this.#markers += 1;
    const name = `marker-${this.#markers}`;
    const marker = {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name },
      data: { left: name, right: name },
    };
    await recorder.record("create", name, name, () => cluster.create(marker));
    await recorder.record("delete", name, name, () => cluster.delete("v1", "ConfigMap", name));
    await this.#referee.seen("DELETED", name);
    const { start, events } = this.#referee;
    const { operations } = recorder;
    const flaws = flawsOfHistory({ start, operations, events, isComplete: this.#isComplete });
    for (const flaw of flaws) this.#tally.found("lost or reordered", flaw);
    recorder.operations = [];
    await this.#referee.close();
    await this.#removeAll();
    this.#referee = await Referee.open(cluster);
  }

  async close(): Promise<void> {
    await this.#referee.close();
    await this.#arena.close();
  }

  async #removeAll(): Promise<void> {
    const { cluster } = this.#arena;
    const { items } = await cluster.list("v1", "ConfigMap", { namespace: "default" });
    for (const { metadata } of items) await cluster.delete("v1", "ConfigMap", String(metadata.name));
    cluster.compact();
  }
}

const group = { group: "networking.k8s.io", version: "v1" };
/** The options that failures cannot do without, or with which they strike these clients. */
const optionsOf: ReadonlyMap<string, JsonObject> = new Map<string, JsonObject>([
  ["crdNotReady", group],
  ["groupDown", group],
  ["deleteReturns", { returns: "object" }],
  ["latency", { milliseconds: 5 }],
  ["largeEvent", { bytes: 1000 }],
]);

/** The failures of requests; the others need a simulated cluster. */
const failures = Object.keys(failureDefinitions).filter((name) => !Object.hasOwn(clusterFailures, name));

/** Injects some failures, each at a random moment. */
async function injectSome(arena: Arena, random: Random, faults: FaultHandle[]): Promise<void> {
  for (let count = 1 + random.below(4); count > 0; count -= 1) {
    await new Promise((resolve) => setTimeout(resolve, random.below(10)));
    const name = random.pick(failures);
    const handle = arena.cluster.inject(namedScenario(name, optionsOf.get(name) ?? {}));
    // A failure that ends before it strikes is none of a client.
    handle.hit().catch(() => {});
    faults.push(handle);
  }
}

/** Reads a watch until the signal aborts, or it ends. */
async function watchAWhile(client: ArenaClient, signal: AbortSignal): Promise<void> {
  const target = "/api/v1/namespaces/default/configmaps?watch=1&resourceVersion=0";
  try {
    const { body } = await client.open(target, signal);
    for await (const _ of body ?? []) if (signal.aborted) break;
  } catch {
    // The fault or the abort.
  }
}

/** Without faults, a client gets through, on a busy machine not at once. */
async function recovered(client: ArenaClient, tally: Tally): Promise<void> {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    if ((await client.ask("GET", "/version")).status === 200) return;
  }
  tally.found("crash", `${client.name} does not get an answer after the faults are over`);
}
