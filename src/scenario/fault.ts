import type { HeaderLookup } from "../request/handler.ts";
import type { ClusterControls } from "./cluster-controls.ts";
import type { LoggedRequest } from "./logged-request.ts";
import { RequestMatcher } from "./request-matcher.ts";
import type { Scenario } from "./scenario.ts";

/** An injected fault: how often it has struck, and how to wait for it or remove it. */
export interface FaultHandle {
  readonly scenario: Scenario;
  /** The number of requests, open watches or connections that it has struck. */
  readonly hits: number;
  /** Whether it is over: it has struck `times` times, its duration has passed, or it was removed. */
  readonly isOver: boolean;
  /** Resolves when it has struck this many times (default: 1). Rejects if it is over before that. */
  hit(times?: number): Promise<void>;
  /** Removes it; it strikes no further request. */
  remove(): void;
  [Symbol.dispose](): void;
}

interface Waiter {
  readonly times: number;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** A scenario that is in effect. */
export class Fault implements FaultHandle {
  readonly scenario: Scenario;
  readonly #matcher: RequestMatcher;
  readonly #onRemoved: (fault: Fault) => void;
  #waiters: Waiter[] = [];
  #passed = 0;
  #hits = 0;
  #isOver = false;
  #isRemoved = false;
  /** Undoes what the scenario did to the cluster. */
  #end: () => void = () => {};

  /** @param onRemoved Called when it is removed, whether or not it was over. */
  constructor(scenario: Scenario, cluster: ClusterControls, onRemoved: (fault: Fault) => void) {
    this.scenario = scenario;
    this.#matcher = new RequestMatcher(scenario.scope);
    this.#onRemoved = onRemoved;
    const { milliseconds, begin } = scenario;
    const timer = Number.isFinite(milliseconds)
      ? cluster.clock.after(milliseconds, () => this.#finish())
      : undefined;
    const end = begin?.(cluster, () => this.#strike());
    this.#end = () => {
      timer?.cancel();
      end?.();
    };
    // It may have used up its hits when it took effect.
    if (this.#isOver) this.#end();
  }

  get hits(): number {
    return this.#hits;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  hit(times = 1): Promise<void> {
    if (this.#hits >= times) return Promise.resolve();
    if (this.#isOver) return Promise.reject(this.#overError());
    return new Promise((resolve, reject) => this.#waiters.push({ times, resolve, reject }));
  }

  remove(): void {
    if (this.#isRemoved) return;
    this.#isRemoved = true;
    this.#finish();
    this.#onRemoved(this);
  }

  [Symbol.dispose](): void {
    this.remove();
  }

  /** Whether it strikes this request, which then counts as a hit. */
  takes(request: LoggedRequest, headers?: HeaderLookup): boolean {
    if (this.#isOver || !this.#matcher.matches(request)) return false;
    const { need, after } = this.scenario;
    if (need !== undefined && !need.holds(request, headers)) return false;
    if (this.#passed < after) {
      this.#passed += 1;
      return false;
    }
    this.#strike();
    return true;
  }

  /** The members of the scope that a request does not match. */
  missed(request: LoggedRequest): readonly string[] {
    return this.#matcher.missed(request);
  }

  #strike(): void {
    this.#hits += 1;
    const reached = this.#waiters.filter(({ times }) => times <= this.#hits);
    this.#waiters = this.#waiters.filter(({ times }) => times > this.#hits);
    for (const { resolve } of reached) resolve();
    if (this.#hits >= this.scenario.times) this.#finish();
  }

  #finish(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#end();
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const { reject } of waiters) reject(this.#overError());
  }

  #overError(): Error {
    const hits = `after ${this.#hits} ${this.#hits === 1 ? "hit" : "hits"}`;
    return new Error(`The fault ${this.scenario.name} ${this.#isRemoved ? "was removed" : "ended"} ${hits}`);
  }
}
