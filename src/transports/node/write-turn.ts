import { setImmediate } from "node:timers";
import { unfaked } from "../../apimachinery/clock.ts";
import { SharedBytes } from "./shared-bytes.ts";

/** Captured at load, so that fake timers of a test do not replace them. */
const nextTick = unfaked(process.nextTick, "nextTick");
const afterPoll = unfaked(setImmediate, "setImmediate");

/** Has collected data to write. */
export interface Collector {
  /** Writes what has been collected. */
  flush(): void;
}

/** How many bytes are copied into one piece before they are written. */
const batchSize = 128 * 1024;
/** The same once so many bytes wait for slow clients, of which each holds one piece. */
const crowdedBatchSize = 8 * 1024;
const crowdedAt = 16 * 1024 * 1024;

/** What the clients of a port are sent in one turn of the event loop: at its end, all at once. */
export class WriteTurn {
  /** How many copied bytes wait for clients that do not take them. */
  waitingBytes = 0;
  #afterTick: Collector[] = [];
  #afterTurn: Collector[] = [];
  readonly #shared = new SharedBytes();
  /** The memory of a batch that has been sent. */
  #spare: Uint8Array | undefined;

  /** Whether many bytes wait for slow clients. */
  get isCrowded(): boolean {
    return this.waitingBytes >= crowdedAt;
  }

  /** How many bytes of an answer are written together. */
  get batchSize(): number {
    return this.isCrowded ? crowdedBatchSize : batchSize;
  }

  /** Flushes the collector when what happens now is over. */
  flushAfterTick(collector: Collector): void {
    if (this.#afterTick.length === 0)
      nextTick(() => {
        const collectors = this.#afterTick;
        this.#afterTick = [];
        this.#flush(collectors);
      });
    this.#afterTick.push(collector);
  }

  /** Flushes the collector when all requests that have arrived in this turn have had theirs: several writers are one write for a watcher. */
  flushAfterTurn(collector: Collector): void {
    if (this.#afterTurn.length === 0)
      afterPoll(() => {
        const collectors = this.#afterTurn;
        this.#afterTurn = [];
        this.#flush(collectors);
      });
    this.#afterTurn.push(collector);
  }

  /** The pieces as one, as an HTTP/1.1 chunk. */
  chunkOf(pieces: readonly Uint8Array[], size: number): Uint8Array {
    return this.#shared.chunkOf(pieces, size);
  }

  /** The pieces as one. */
  joined(pieces: readonly Uint8Array[], size: number): Uint8Array {
    return this.#shared.joined(pieces, size);
  }

  /** Memory for a batch. It may hold anything. */
  takeMemory(): Uint8Array {
    const size = this.batchSize;
    const spare = this.#spare;
    if (spare?.byteLength !== size) return Buffer.allocUnsafeSlow(size);
    this.#spare = undefined;
    return spare;
  }

  /** Memory whose batch has been sent, for the next one: new memory costs more than the copying. */
  reuse(memory: Uint8Array): void {
    this.#spare = memory;
  }

  #flush(collectors: readonly Collector[]): void {
    for (const collector of collectors) collector.flush();
    this.#shared.forget();
  }
}
