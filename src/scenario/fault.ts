import type { HeaderLookup } from "../request/handler.ts";
import type { ClusterControls } from "./cluster-controls.ts";
import type { LoggedRequest, OpenEntry } from "./logged-request.ts";
import { type RequestFacts, RequestMatcher, type RequestScope, type RequestView } from "./request-matcher.ts";
import type { Scenario } from "./scenario.ts";
import { Strike, type StrikeOwner } from "./strike.ts";

/** An injected fault: how often it has struck, and how to wait for it or remove it. */
export interface FaultHandle {
  readonly scenario: Scenario;
  /** The number of requests, open watches or connections whose clients have felt its effect. */
  readonly hits: number;
  /** Requests in its scope that its effect has not reached, and why: the newest of each reason, at most twenty. */
  readonly unaffected: readonly UnaffectedRequest[];
  /** Whether it is over: it has struck `times` times, its duration has passed, or it was removed. */
  readonly isOver: boolean;
  /** Resolves when it has struck this many times (default: 1). Rejects if it is over before that. */
  hit(times?: number): Promise<void>;
  /** Removes it; it strikes no further request. */
  remove(): void;
  [Symbol.dispose](): void;
}

/** A request in the scope of a fault that its effect has not reached. */
export interface UnaffectedRequest {
  readonly request: LoggedRequest;
  /** What the request would need, or why the effect has not come yet, as a sentence. */
  readonly reason: string;
}

/** How many reasons are kept. */
const reasonsKept = 20;

interface Waiter {
  readonly times: number;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** A scenario that is in effect. */
export class Fault implements FaultHandle, StrikeOwner {
  readonly scenario: Scenario;
  #matcher: RequestMatcher;
  #view: RequestView | undefined;
  readonly #onRemoved: (fault: Fault) => void;
  #waiters: Waiter[] = [];
  /** The requests for which it is not yet known whether the effect reaches the client. */
  readonly #pending = new Set<Strike>();
  /** The newest request for each reason, oldest first. */
  readonly #unaffected = new Map<string, LoggedRequest>();
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
    const end = begin?.(cluster, () => this.#hit());
    const timer = Number.isFinite(milliseconds)
      ? cluster.clock.after(milliseconds, () => this.#finish())
      : undefined;
    this.#end = () => {
      timer?.cancel();
      end?.();
    };
    // It may have used up its hits when it took effect.
    if (this.#isOver) this.#end();
  }

  /** Tests its scope on requests as they look in this way, from now on. */
  showAs(view: RequestView): void {
    this.#view = view;
    this.#matcher = new RequestMatcher(this.scenario.scope, view);
  }

  get hits(): number {
    return this.#hits;
  }

  get unaffected(): readonly UnaffectedRequest[] {
    const pending = [...this.#pending].map(({ request, reason }) => ({ request, reason }));
    const noted = [...this.#unaffected].map(([reason, request]) => ({ request, reason }));
    const view = this.#view;
    return [...noted, ...pending].map(({ request, reason }) => ({
      request: view?.shown(request) ?? request,
      reason,
    }));
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

  /** Takes a request that it may affect; undefined for others. */
  take(request: OpenEntry, headers?: HeaderLookup): Strike | undefined {
    if (this.#isOver || this.scenario.awaits !== undefined || !this.#matcher.matches(request))
      return undefined;
    const { need, lacks, times } = this.scenario;
    if (need !== undefined && !need.holds(request, headers)) {
      this.#note(request, need.reason);
      return undefined;
    }
    if (this.#hits + this.#pending.size >= times) return undefined;
    if (lacks === undefined && this.skips()) return undefined;
    const strike = new Strike(this, request);
    this.#pending.add(strike);
    return strike;
  }

  /** Whether it would refuse a client that made this request now. */
  revokes(request: RequestFacts): boolean {
    const { definition, after } = this.scenario;
    if (definition?.revokes !== true || this.#isOver || this.#passed < after) return false;
    return this.#matcher.matches(request);
  }

  skips(): boolean {
    if (this.#passed >= this.scenario.after) return false;
    this.#passed += 1;
    return true;
  }

  settled(strike: Strike, outcome: Parameters<StrikeOwner["settled"]>[1]): void {
    this.#pending.delete(strike);
    const { request } = strike;
    if (outcome === "hit") {
      request.fault = this.scenario.name;
      this.#hit();
    } else if (outcome !== "skipped") this.#note(request, outcome.reason);
  }

  /** The members of the scope that a request does not match. */
  missed(request: LoggedRequest): readonly (keyof RequestScope)[] {
    return this.#matcher.missed(request);
  }

  #note(request: LoggedRequest, reason: string): void {
    this.#unaffected.delete(reason);
    this.#unaffected.set(reason, request);
    const [oldest] = this.#unaffected.keys();
    if (this.#unaffected.size > reasonsKept && oldest !== undefined) this.#unaffected.delete(oldest);
  }

  #hit(): void {
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
