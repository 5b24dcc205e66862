import type { Clock } from "../apimachinery/clock.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import type { ServedApi } from "../served/served-api.ts";
import type { Store } from "../store/store.ts";
import type { WatchFeed } from "../store/watch-feed.ts";
import type { Controller, ObjectChange } from "./contract/controller.ts";
import { WorkQueue } from "./work-queue.ts";

interface Work {
  readonly controller: Controller;
  readonly key: string;
}

/** The dependencies of the controllers. */
export interface ControllerManagerOptions {
  readonly store: Store<KubeObject>;
  readonly clock: Clock;
  readonly controllers: readonly Controller[];
  readonly served: Pick<ServedApi, "onChange">;
}

/** Runs controllers, one key at a time and in the order of the changes. */
export class ControllerManager {
  readonly #options: ControllerManagerOptions;
  readonly #queue: WorkQueue<Work>;
  readonly #idle: (() => void)[] = [];
  #feed: WatchFeed<KubeObject> | undefined;
  #stopListening: (() => void) | undefined;
  #isWorking = false;
  #isStopped = false;

  constructor(options: ControllerManagerOptions) {
    this.#options = options;
    this.#queue = new WorkQueue(options.clock, () => void this.#work());
  }

  /** Observes all existing objects, and every change from now on. */
  start(): void {
    const { store, served } = this.#options;
    this.#stopListening ??= served.onChange(() => this.#ask((controller) => controller.observeApi?.()));
    const feed = store.watch({ prefix: "/registry/", from: store.revision });
    this.#feed = feed;
    for (const { value } of store.range({ prefix: "/registry/" }).items) {
      this.#observe({ type: "put", object: value, isFound: true });
    }
    feed.onReady(() => void this.#work());
  }

  /** Observes that the server has another address or authority. Before the start there is nothing to do. */
  observePublication(): void {
    if (this.#feed !== undefined) this.#ask((controller) => controller.observePublication?.());
  }

  /** Lets the controllers go on with what they were kept from. */
  resume(): void {
    if (this.#feed !== undefined) this.#ask((controller) => controller.observeRelease?.());
  }

  stop(): void {
    this.#isStopped = true;
    this.#feed?.close();
    this.#stopListening?.();
    this.#queue.stop();
    this.#settle();
  }

  /** Resolves when all remaining work waits for time to pass. */
  settle(): Promise<void> {
    if (this.#isStopped || this.#feed === undefined) return Promise.resolve();
    return new Promise((resolve) => {
      this.#idle.push(resolve);
      void this.#work();
    });
  }

  async #work(): Promise<void> {
    if (this.#isWorking || this.#isStopped) return;
    this.#isWorking = true;
    try {
      for (;;) {
        this.#takeChanges();
        const next = this.#queue.take();
        if (next === undefined || this.#isStopped) break;
        await this.#reconcile(...next);
      }
    } finally {
      this.#isWorking = false;
    }
    this.#settle();
  }

  /** If events were lost, because there were too many or the state was replaced, it lists all objects again. */
  #takeChanges(): void {
    const feed = this.#feed;
    if (feed === undefined) return;
    for (const { type, value } of feed.drain()) this.#observe({ type, object: value.value, isFound: false });
    if (feed.error !== undefined && !this.#isStopped) this.start();
  }

  #observe(change: ObjectChange): void {
    for (const controller of this.#options.controllers) {
      for (const key of controller.observe(change)) {
        this.#queue.add(`${controller.name} ${key}`, { controller, key });
      }
    }
  }

  /** Queues the keys that each controller returns. */
  #ask(keysOf: (controller: Controller) => Iterable<string> | undefined): void {
    for (const controller of this.#options.controllers) {
      for (const key of keysOf(controller) ?? []) {
        this.#queue.add(`${controller.name} ${key}`, { controller, key });
      }
    }
    void this.#work();
  }

  async #reconcile(id: string, work: Work): Promise<void> {
    try {
      const milliseconds = await work.controller.reconcile(work.key);
      this.#queue.forget(id);
      if (milliseconds !== undefined && !this.#isStopped) this.#queue.addAfter(id, work, milliseconds);
    } catch {
      if (!this.#isStopped) this.#queue.retry(id, work);
    }
  }

  #settle(): void {
    for (const resolve of this.#idle.splice(0)) resolve();
  }
}
