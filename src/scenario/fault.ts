import type { LoggedRequest } from "./logged-request.ts";
import { RequestMatcher } from "./request-matcher.ts";
import type { Scenario } from "./scenario.ts";

/** What becomes of a fault. */
export interface FaultHandle {
  readonly scenario: Scenario;
  /** How many requests it has struck. */
  readonly hits: number;
  /** Whether it strikes no more: it has struck as often as it should, or was taken back. */
  readonly isOver: boolean;
  /** Resolves when so many requests have been struck; one if left out. Rejects if it is taken back before. */
  hit(times?: number): Promise<void>;
  /** Takes it back. */
  remove(): void;
  [Symbol.dispose](): void;
}

interface Waiter {
  readonly times: number;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** A scenario in force. */
export class Fault implements FaultHandle {
  readonly scenario: Scenario;
  readonly #matcher: RequestMatcher;
  readonly #onRemoved: (fault: Fault) => void;
  #waiters: Waiter[] = [];
  #passed = 0;
  #hits = 0;
  #isRemoved = false;

  constructor(scenario: Scenario, onRemoved: (fault: Fault) => void) {
    this.scenario = scenario;
    this.#matcher = new RequestMatcher(scenario.scope);
    this.#onRemoved = onRemoved;
  }

  get hits(): number {
    return this.#hits;
  }

  get isOver(): boolean {
    return this.#isRemoved || this.#hits >= this.scenario.times;
  }

  hit(times = 1): Promise<void> {
    if (this.#hits >= times) return Promise.resolve();
    if (this.#isRemoved) return Promise.reject(this.#removedError());
    return new Promise((resolve, reject) => this.#waiters.push({ times, resolve, reject }));
  }

  remove(): void {
    if (this.#isRemoved) return;
    this.#isRemoved = true;
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const { reject } of waiters) reject(this.#removedError());
    this.#onRemoved(this);
  }

  [Symbol.dispose](): void {
    this.remove();
  }

  /** Whether it strikes this request; that counts. */
  takes(request: LoggedRequest): boolean {
    if (this.isOver || !this.#matcher.matches(request)) return false;
    if (this.#passed < this.scenario.after) {
      this.#passed += 1;
      return false;
    }
    this.#hits += 1;
    const reached = this.#waiters.filter(({ times }) => times <= this.#hits);
    this.#waiters = this.#waiters.filter(({ times }) => times > this.#hits);
    for (const { resolve } of reached) resolve();
    return true;
  }

  /** What of the scope a request was not. */
  missed(request: LoggedRequest): readonly string[] {
    return this.#matcher.missed(request);
  }

  #removedError(): Error {
    return new Error(`The fault ${this.scenario.name} was taken back after ${this.#hits} hits`);
  }
}
