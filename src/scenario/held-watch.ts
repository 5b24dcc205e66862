import type { Encodable } from "../codec/encodable.ts";
import type { StorageError } from "../store/storage-error.ts";
import type { RequestFacts } from "./request-matcher.ts";

/** A change for a watcher; `revision` is the resourceVersion of its object. */
export interface HeldEvent {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly object: Encodable;
  readonly revision: number;
}

/** A watch of the registry. */
export type WatchSource = Pick<
  HeldWatch,
  "initial" | "revision" | "progress" | "isCrowded" | "ended" | "error" | "drain" | "onReady" | "close"
>;

/** A test that holds back the events of a watch. */
export interface WatchHolder {
  /** Called when events may be waiting. */
  notice(): void;
}

/** A watch whose events a test can hold back. While none are held back, it passes on the events of its source. */
export class HeldWatch {
  /** The request that opened it. */
  readonly request: RequestFacts;
  readonly #source: WatchSource;
  readonly #onClose: () => void;
  #holder: WatchHolder | undefined;
  /** Events that are held back, and events that are released but not drained. */
  #waiting: HeldEvent[] = [];
  #released: HeldEvent[] = [];
  #callback: () => void = () => {};

  constructor(request: RequestFacts, source: WatchSource, onClose: () => void) {
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

  get isCrowded(): boolean {
    return this.#source.isCrowded;
  }

  get error(): StorageError | undefined {
    return this.#source.error;
  }

  /** Before the first event that a test holds back. */
  get progress(): number {
    const [first] = this.waiting;
    return first === undefined ? this.#source.progress : first.revision - 1;
  }

  /** The holder, if a test holds the watch. */
  get holder(): WatchHolder | undefined {
    return this.#holder;
  }

  /** The held events, oldest first. */
  get waiting(): readonly HeldEvent[] {
    if (this.#holder !== undefined) this.#take();
    return this.#waiting;
  }

  /** Drains the source, so that a held watch does not count as a slow reader. */
  #take(): void {
    for (const event of this.#source.drain()) this.#waiting.push(event);
  }

  drain(): readonly HeldEvent[] {
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

  /** Holds back all events that the client has not received yet. */
  hold(holder: WatchHolder): void {
    this.#holder = holder;
    holder.notice();
  }

  /** Releases the oldest held event. */
  deliver(): HeldEvent | undefined {
    const event = this.waiting.length === 0 ? undefined : this.#waiting.shift();
    if (event === undefined) return undefined;
    this.#released.push(event);
    this.#callback();
    return event;
  }

  /** Releases all held events and stops holding. */
  release(): void {
    for (const event of this.waiting) this.#released.push(event);
    this.#waiting = [];
    this.#holder = undefined;
    if (this.#released.length > 0) this.#callback();
  }
}
