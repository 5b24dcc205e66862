import type { Clock } from "../../apimachinery/clock.ts";
import { Distribution } from "../../apimachinery/histogram.ts";

/** What is counted of one queue. */
export interface QueueCounts {
  adds: number;
  retries: number;
  readonly latencies: Distribution;
  readonly durations: Distribution;
}

/** A key that is in queues or comes from them, and since when. */
interface QueuedWork {
  readonly queues: readonly string[];
  readonly since: number;
}

/**
 * Counts the keys of the queues that kube-apiserver's own controllers have. Durations pass by the clock of the cluster. Upstream:
 * client-go, util/workqueue/metrics.go.
 */
export class WorkQueueMetrics {
  readonly #clock: Clock;
  readonly #queues = new Map<string, QueueCounts>();
  readonly #waiting = new Map<string, QueuedWork>();
  readonly #processing = new Map<string, QueuedWork>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Counts a key that enters queues; one that waits already is not counted again. */
  added(key: string, queues: readonly string[]): void {
    if (queues.length === 0 || this.#waiting.has(key)) return;
    for (const queue of queues) this.#countsOf(queue).adds += 1;
    this.#waiting.set(key, { queues, since: this.#clock.now() });
  }

  /** Counts a key that its controller takes. */
  taken(key: string): void {
    const work = this.#waiting.get(key);
    if (work === undefined) return;
    this.#waiting.delete(key);
    this.#observe(work, "latencies");
    this.#processing.set(key, { ...work, since: this.#clock.now() });
  }

  /** Counts a key whose work is over. */
  done(key: string): void {
    const work = this.#processing.get(key);
    if (work === undefined) return;
    this.#processing.delete(key);
    this.#observe(work, "durations");
  }

  /** Counts a key that is being processed and comes again later, since its work has failed. */
  retried(key: string): void {
    for (const queue of this.#processing.get(key)?.queues ?? []) this.#countsOf(queue).retries += 1;
  }

  /** Forgets a key that leaves its queues without being processed. */
  dropped(key: string): void {
    this.#waiting.delete(key);
  }

  /** What is counted of each queue that a key has entered. */
  get counts(): ReadonlyMap<string, QueueCounts> {
    return this.#queues;
  }

  /** How many keys wait in a queue. */
  depth(queue: string): number {
    return workIn(this.#waiting, queue).length;
  }

  /** How long each key of a queue has been processed, in seconds. */
  processing(queue: string): readonly number[] {
    return workIn(this.#processing, queue).map(({ since }) => (this.#clock.now() - since) / 1000);
  }

  #countsOf(queue: string): QueueCounts {
    const known = this.#queues.get(queue);
    if (known !== undefined) return known;
    const counts = emptyCounts();
    this.#queues.set(queue, counts);
    return counts;
  }

  #observe({ queues, since }: QueuedWork, series: "latencies" | "durations"): void {
    const seconds = (this.#clock.now() - since) / 1000;
    for (const queue of queues) this.#countsOf(queue)[series].observe(seconds);
  }
}

/** From ten nanoseconds to ten seconds. */
export const workQueueBounds: readonly number[] = [1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 0.01, 0.1, 1, 10];

/** What is counted of a queue that no key has entered. */
export function emptyCounts(): QueueCounts {
  const [latencies, durations] = [new Distribution(workQueueBounds), new Distribution(workQueueBounds)];
  return { adds: 0, retries: 0, latencies, durations };
}

function workIn(work: ReadonlyMap<string, QueuedWork>, queue: string): readonly QueuedWork[] {
  return [...work.values()].filter(({ queues }) => queues.includes(queue));
}
