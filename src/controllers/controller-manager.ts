import type { Clock } from "../apimachinery/clock.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import type { WorkQueueMetrics } from "../endpoints/contract/work-queue-metrics.ts";
import type { ServedApi } from "../served/served-api.ts";
import type { Store } from "../store/store.ts";
import type { WatchFeed } from "../store/watch-feed.ts";
import type { Controller, ObjectChange } from "./contract/controller.ts";
import { ControllerMemory } from "./controller-memory.ts";
import { type QueuedKey, type QueueObserver, WorkQueue } from "./work-queue.ts";

interface Work {
  readonly controller: Controller;
  readonly key: string;
}

/** How far controllers have come, for the controllers of the same state elsewhere to go on. */
export interface ControllerProgress {
  /** The names of the controllers that have seen the objects. */
  readonly names: readonly string[];
  readonly memory: ControllerMemory;
  /** The keys to reconcile, by the names of their controllers. */
  readonly queue: readonly QueuedKey<{ readonly controller: string; readonly key: string }>[];
}

/** The dependencies of the controllers. */
export interface ControllerManagerOptions {
  readonly store: Store<KubeObject>;
  readonly clock: Clock;
  /** Makes the controllers, with what they remember. */
  readonly controllers: (memory: ControllerMemory) => readonly Controller[];
  /** `loading` is what they wait for. */
  readonly served: Pick<ServedApi, "onChange"> & Partial<Pick<ServedApi, "loading">>;
  /** Counts the keys of the controllers of kube-apiserver; undefined if none of them is one. */
  readonly workQueueMetrics?: WorkQueueMetrics;
}

/** Runs controllers, one key at a time and in the order of the changes. */
export class ControllerManager {
  readonly #options: ControllerManagerOptions;
  readonly #queue: WorkQueue<Work>;
  /** What the controllers remember. There are none before the start. */
  #memory = new ControllerMemory();
  #controllers: readonly Controller[] = [];
  #observers: Observers = () => [];
  /** What is being reconciled. */
  #current: Work | undefined;
  readonly #idle: (() => void)[] = [];
  #feed: WatchFeed<KubeObject> | undefined;
  #stopListening: (() => void) | undefined;
  #isWorking = false;
  #isStopped = false;

  constructor(options: ControllerManagerOptions) {
    this.#options = options;
    const { clock, workQueueMetrics } = options;
    this.#queue = new WorkQueue(
      clock,
      () => this.#startWork(),
      workQueueMetrics && counting(workQueueMetrics),
    );
  }

  /** Observes all existing objects, or goes on from where others have come with them; then every change from now on. */
  start(progress?: ControllerProgress): void {
    const { store, served } = this.#options;
    this.#stopListening ??= served.onChange(() => this.#ask((controller) => controller.observeApi?.()));
    const feed = store.watch({ prefix: "/registry/", from: store.revision });
    this.#feed = feed;
    if (progress !== undefined) this.#resume(progress);
    else {
      // After events were lost, the controllers keep what they remember.
      if (this.#controllers.length === 0) this.#make(this.#memory);
      this.#observeAll(this.#observers);
    }
    feed.onReady(() => this.#startWork());
  }

  /** How far the controllers have come; undefined before the start and after the end. */
  progress(): ControllerProgress | undefined {
    if (this.#feed === undefined || this.#isStopped) return undefined;
    this.#takeChanges();
    const current = this.#current && {
      key: queueKeyOf(this.#current),
      item: this.#current,
      due: undefined,
      failures: 0,
    };
    const queue = [...(current === undefined ? [] : [current]), ...this.#queue.keys()];
    return {
      names: this.#controllers.map(({ name }) => name),
      memory: this.#memory.fork(),
      queue: queue.map(({ item: { controller, key }, ...queued }) => ({
        ...queued,
        item: { controller: controller.name, key },
      })),
    };
  }

  /** Goes on from there after the state was replaced. */
  restore(progress: ControllerProgress): void {
    if (this.#feed === undefined || this.#isStopped) return;
    this.#feed.close();
    this.#queue.clear();
    this.start(progress);
  }

  /** Makes controllers that go on with this memory. */
  #make(memory: ControllerMemory): void {
    this.#memory = memory;
    this.#controllers = this.#options.controllers(memory);
    this.#observers = observersOf(this.#controllers);
  }

  #observeAll(observers: Observers): void {
    for (const { value } of this.#options.store.range({ prefix: "/registry/" }).items) {
      this.#observe({ type: "put", object: value, isFound: true }, observers);
    }
  }

  #resume({ names, memory, queue }: ControllerProgress): void {
    this.#make(memory.fork());
    // The state may come from a cluster with fewer controllers: one that is not simulated, or of another release.
    const others = this.#controllers.filter(({ name }) => !names.includes(name));
    if (others.length > 0) this.#observeAll(observersOf(others));
    const named = new Map(this.#controllers.map((controller) => [controller.name, controller]));
    for (const { item, ...queued } of queue) {
      const controller = named.get(item.controller);
      if (controller !== undefined) this.#queue.resume({ ...queued, item: { controller, key: item.key } });
    }
    // The others may have published another address.
    this.#ask((controller) => controller.observePublication?.());
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
    this.#options.clock.works?.delete(this);
    this.#queue.clear();
    this.#settle();
  }

  /** Resolves when all remaining work waits for time to pass. */
  settle(): Promise<void> {
    if (this.#isStopped || this.#feed === undefined) return Promise.resolve();
    return new Promise((resolve) => {
      this.#idle.push(resolve);
      this.#startWork();
    });
  }

  #startWork(): void {
    if (this.#isWorking || this.#isStopped) return;
    this.#isWorking = true;
    const work = this.#reconcileAll();
    if (this.#isWorking) this.#options.clock.works?.set(this, work);
  }

  async #reconcileAll(): Promise<void> {
    try {
      for (;;) {
        this.#takeChanges();
        const next = this.#queue.take();
        if (next === undefined || this.#isStopped) break;
        await this.#reconcile(...next);
      }
    } finally {
      this.#isWorking = false;
      this.#options.clock.works?.delete(this);
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

  #observe(change: ObjectChange, observers: Observers = this.#observers): void {
    for (const controller of observers(change.object.kind)) {
      for (const key of controller.observe(change)) this.#add({ controller, key });
    }
  }

  /** Queues the keys that each controller returns. */
  #ask(keysOf: (controller: Controller) => Iterable<string> | undefined): void {
    for (const controller of this.#controllers) {
      for (const key of keysOf(controller) ?? []) this.#add({ controller, key });
    }
    this.#startWork();
  }

  #add(work: Work): void {
    this.#queue.add(queueKeyOf(work), work);
  }

  async #reconcile(id: string, work: Work): Promise<void> {
    this.#current = work;
    const { clock, served } = this.#options;
    const start = clock.now();
    try {
      // Objects of kinds that are not known yet would look as if they were gone.
      if (served.loading) await served.loading;
      const milliseconds = await work.controller.reconcile(work.key);
      if (!this.#isCurrent(work)) return;
      this.#queue.forget(id);
      // A test may have advanced the clock meanwhile. A call that comes too early does no harm, one that comes too late does.
      const passed = clock.now() - start;
      if (milliseconds !== undefined) this.#queue.addAfter(id, work, milliseconds - passed);
    } catch {
      if (this.#isCurrent(work)) this.#queue.retry(id, work);
    } finally {
      this.#current = undefined;
      this.#options.workQueueMetrics?.done(id);
    }
  }

  /** Whether the queue still has this work: it has other work once the manager goes on from another state. */
  #isCurrent({ controller }: Work): boolean {
    return !this.#isStopped && this.#controllers.includes(controller);
  }

  #settle(): void {
    for (const resolve of this.#idle.splice(0)) resolve();
  }
}

/** Counts the keys of those controllers that are of kube-apiserver. */
function counting(metrics: WorkQueueMetrics): QueueObserver<Work> {
  return {
    added: (id, { controller, key }) => {
      if (controller.queuesOf !== undefined) metrics.added(id, controller.queuesOf(key));
    },
    taken: (id) => metrics.taken(id),
    retried: (id) => metrics.retried(id),
    dropped: (id) => metrics.dropped(id),
  };
}

function queueKeyOf({ controller, key }: Work): string {
  return `${controller.name} ${key}`;
}

/** The controllers that observe objects of a kind, in their order. */
type Observers = (kind: string) => readonly Controller[];

function observersOf(controllers: readonly Controller[]): Observers {
  const kinds = new Set(controllers.flatMap((controller) => controller.kinds ?? []));
  const ofKind = (kind: string) => controllers.filter((one) => one.kinds?.includes(kind) ?? true);
  const known = new Map([...kinds].map((kind) => [kind, ofKind(kind)]));
  const ofAll = controllers.filter((controller) => controller.kinds === undefined);
  return (kind) => known.get(kind) ?? ofAll;
}
