import type { Cluster } from "../../src/index.ts";
import { Arena, type ArenaClient } from "./arena.ts";
import type { Attack } from "./attack.ts";
import type { HistoryEvent } from "./history.ts";
import { Recorder, versionOf } from "./recorder.ts";
import { Referee } from "./referee.ts";
import type { Tally } from "./tally.ts";

const watchesInRound = 12;
const path = "/api/v1/namespaces/default/configmaps";

/**
 * Watches from random revisions or from now on, read at once, late or never: each delivers the events that the referee
 * saw, from its revision or from its answer on.
 */
export const watchers: Attack = {
  name: "watches, read late or never",
  start: async (random, tally) => {
    const arena = await Arena.open(60_000);
    const recorder = new Recorder(random, tally, "without faults");
    let referee = await Referee.open(arena.cluster);
    let markers = 0;
    return {
      round: async () => {
        const watches: Watched[] = [];
        for (let count = 0; count < watchesInRound; count += 1) {
          const from = random.chance(50)
            ? undefined
            : random.pick([referee.start, ...referee.events.map(({ version }) => version.revision)]);
          const watch = new Watched(
            random.pick(arena.clients),
            from,
            random.pick(["at once", "late", "never"]),
          );
          watches.push(watch);
          await Promise.all([watch.open(arena.cluster, tally), recorder.work(random.pick(arena.clients), 2)]);
        }
        markers += 1;
        const name = `marker-${markers}`;
        await arena.cluster.create({ apiVersion: "v1", kind: "ConfigMap", metadata: { name } });
        await referee.seen("ADDED", name);
        for (const watch of watches) await watch.check(name, referee.events, tally);
        recorder.operations = [];
      },
      settle: async () => {
        for (let turns = 0; turns < 1000 && arena.cluster.watches.open.length > 0; turns += 1)
          await new Promise((resolve) => setTimeout(resolve, 10));
        const open = arena.cluster.watches.open.length;
        if (open > 0) tally.found("malformed", `${open} watches are open without a client`);
        await referee.close();
        const { items } = await arena.cluster.list("v1", "ConfigMap", { namespace: "default" });
        for (const { metadata } of items)
          await arena.cluster.delete("v1", "ConfigMap", String(metadata.name));
        arena.cluster.compact();
        referee = await Referee.open(arena.cluster);
      },
      close: async () => {
        await referee.close();
        await arena.close();
      },
    };
  },
};

/** A watch of a client, and when it is read. */
class Watched {
  readonly #client: ArenaClient;
  /** `undefined` begins with the present state. */
  readonly #from: number | undefined;
  /** The revision after which it must deliver every event. */
  #after = 0;
  readonly #when: "at once" | "late" | "never";
  readonly #leaving = new AbortController();
  /** Kept, because undici cancels the unread body of a response that is garbage. */
  #response: Response | undefined;
  #lines: AsyncIterator<string> | undefined;
  #first: Promise<IteratorResult<string>> | undefined;
  /** How the body ended, if it did. */
  #end = "";

  constructor(client: ArenaClient, from: number | undefined, when: "at once" | "late" | "never") {
    this.#client = client;
    this.#from = from;
    this.#when = when;
  }

  async open(cluster: Cluster, tally: Tally): Promise<void> {
    const started = performance.now();
    const target = `${path}?watch=1${this.#from === undefined ? "" : `&resourceVersion=${this.#from}`}`;
    this.#response = await this.#client.open(target, this.#leaving.signal);
    const { status, body } = this.#response;
    tally.count(status, performance.now() - started, `${this.#client.name}: GET ${target}`);
    const { metadata } = await cluster.list("v1", "ConfigMap", { namespace: "default", limit: 1 });
    this.#after = this.#from ?? Number(metadata["resourceVersion"]);
    if (body !== null) this.#lines = this.#linesOf(body);
    if (this.#when === "at once") this.#first = this.#lines?.next();
  }

  /** Compares its events up to the marker with those of the referee, and leaves. */
  async check(marker: string, events: readonly HistoryEvent[], tally: Tally): Promise<void> {
    const lines = this.#lines;
    if (this.#when !== "never" && lines !== undefined) {
      const expected = events.filter(({ version }) => version.revision > this.#after).map(inShort);
      const seen: string[] = [];
      for (let key = ""; key !== marker; ) {
        const { done, value } = await (this.#first ?? lines.next());
        this.#first = undefined;
        if (done === true) break;
        const { type, object } = JSON.parse(value);
        key = object.metadata.name;
        const version = versionOf(object);
        const isInitial = this.#from === undefined && version.revision <= this.#after;
        if (!isInitial) seen.push(inShort({ type, key, version }));
      }
      if (seen.join("\n") !== expected.slice(0, seen.length).join("\n") || seen.length !== expected.length)
        tally.found(
          "lost or reordered",
          `${this.#client.name}, read ${this.#when}, from ${this.#from ?? "now"}: ${seen.join(", ")} instead of ${expected.join(", ")}${this.#end}`,
        );
    }
    this.#leaving.abort();
  }

  /** The lines of a body. Ends like it. */
  async *#linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string, undefined> {
    const decoder = new TextDecoder();
    let rest = "";
    try {
      for await (const piece of body) {
        const lines = (rest + decoder.decode(piece, { stream: true })).split("\n");
        rest = lines.pop() ?? "";
        yield* lines;
      }
      this.#end = "; the body ended";
    } catch (error) {
      // The comparison shows what is missing.
      const { cause } = error instanceof Error ? error : {};
      this.#end = `; the connection broke: ${String(error)}${cause === undefined ? "" : `, ${String(cause)}`}`;
    }
    return undefined;
  }
}

function inShort({ type, key, version }: HistoryEvent): string {
  return `${type} ${key} ${version.revision} ${version.left} ${version.right} ${version.uid}`;
}
