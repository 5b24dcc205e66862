import type { Encodable } from "../../codec/encodable.ts";
import type { ResourceEvent, ResourceWatch } from "../../registry/contract/rest.ts";
import type { RequestFacts } from "../../scenario/request-matcher.ts";
import type { StorageError } from "../../store/storage-error.ts";

/** Who holds a watch. */
export interface WatchHolder {
  /** Called when something may have come to wait. */
  notice(): void;
}

/** A watch whose events a test can hold back. While none are, it only passes on what the source says. */
export class HeldWatch implements ResourceWatch {
  /** The request that opened it. */
  readonly request: RequestFacts;
  readonly #source: ResourceWatch;
  readonly #onClose: () => void;
  #holder: WatchHolder | undefined;
  /** What the client is not told yet, and after it what it may be told. */
  #waiting: ResourceEvent[] = [];
  #released: ResourceEvent[] = [];
  #callback: () => void = () => {};

  constructor(request: RequestFacts, source: ResourceWatch, onClose: () => void) {
    this.request = request;
    this.#source = source;
    this.#onClose = onClose;
  }

  get initial(): readonly Encodable[] {
    return this.#source.initial;
  }

  get revision(): number {
    return this.#source.revision;
  }

  get ended(): boolean {
    return this.#source.ended;
  }

  get error(): StorageError | undefined {
    return this.#source.error;
  }

  get heldAt(): number | undefined {
    const [first] = this.waiting;
    return first === undefined ? undefined : first.revision - 1;
  }

  /** Who holds it, if a test does. */
  get holder(): WatchHolder | undefined {
    return this.#holder;
  }

  /** The events that are held back, oldest first. */
  get waiting(): readonly ResourceEvent[] {
    if (this.#holder !== undefined) this.#take();
    return this.#waiting;
  }

  /** Takes what the source has: who is held is no reader that is too slow. */
  #take(): void {
    for (const event of this.#source.drain()) this.#waiting.push(event);
  }

  drain(): readonly ResourceEvent[] {
    if (this.#holder === undefined && this.#released.length === 0) return this.#source.drain();
    const released = this.#released;
    this.#released = [];
    return this.#holder === undefined ? [...released, ...this.#source.drain()] : released;
  }

  onReady(callback: () => void): void {
    this.#callback = callback;
    this.#source.onReady(() => {
      if (this.#holder !== undefined) {
        this.#take();
        this.#holder.notice();
      }
      callback();
    });
  }

  close(): void {
    this.#onClose();
    this.#source.close();
  }

  /** Holds back what happens from now on, and what its client has not been told yet. */
  hold(holder: WatchHolder): void {
    this.#holder = holder;
    holder.notice();
  }

  /** Tells the client of the oldest event that is held back. */
  deliver(): ResourceEvent | undefined {
    const event = this.waiting.length === 0 ? undefined : this.#waiting.shift();
    if (event === undefined) return undefined;
    this.#released.push(event);
    this.#callback();
    return event;
  }

  /** Holds nothing back any more; what waits is told at once. */
  release(): void {
    for (const event of this.waiting) this.#released.push(event);
    this.#waiting = [];
    this.#holder = undefined;
    if (this.#released.length > 0) this.#callback();
  }
}
