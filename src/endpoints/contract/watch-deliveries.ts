import { turn } from "../../apimachinery/clock.ts";
import { RandomNumbers } from "../../apimachinery/random-numbers.ts";
import type { ResourceEvent, ResourceWatch } from "../../registry/contract/rest.ts";
import { type RequestFacts, RequestMatcher, type RequestScope } from "../../scenario/request-matcher.ts";
import { HeldWatch, type WatchHolder } from "./held-watch.ts";

/** One event for one watch. */
export interface WatchDelivery {
  /** The request that opened the watch. */
  readonly watch: RequestFacts;
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  /** The empty string where the kind has none. */
  readonly namespace: string;
  readonly name: string;
  readonly resourceVersion: string;
}

/** Which watches to hold, and in which order to let them go on. */
export interface HoldOptions extends RequestScope {
  /**
   * Chooses which watch is told next; the same seed makes the same choices. Default: what happened first is told first,
   * to the watch that was opened first.
   */
  readonly seed?: number;
}

/** The watches that clients have open, and what they are told when. */
export interface Watches {
  /** The requests that opened them, oldest first. */
  readonly open: readonly RequestFacts[];
  /**
   * Holds back the events of watches, those that are open and those that will be: the cluster changes, and their clients
   * do not know. All watches of clients are held unless a scope names some.
   */
  hold(options?: HoldOptions): HeldDeliveries;
  /**
   * Lets watches lag behind each other from now on, by an order that the seed chooses: a race that is found with a seed
   * is found with it again.
   */
  shuffle(seed: number, scope?: RequestScope): HeldDeliveries;
}

/** Watches that are held. `await using` releases them at the end of a block. */
export interface HeldDeliveries {
  /** What their clients are not told yet, watch by watch. */
  readonly waiting: readonly WatchDelivery[];
  /**
   * Tells one watch of one event, and gives its client a turn; undefined if nothing waits. A scope names the watch that
   * is to be told.
   */
  step(scope?: RequestScope): Promise<WatchDelivery | undefined>;
  /** Tells all that waits, one event at a time and in order, and holds nothing back from then on. */
  release(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** The watches of one cluster. While nobody holds any, each costs a place in a set. */
export class WatchDeliveries implements Watches {
  readonly #watches = new Set<HeldWatch>();
  readonly #holds = new Set<Hold>();

  get open(): readonly RequestFacts[] {
    return [...this.#watches].filter(({ ended }) => !ended).map(({ request }) => request);
  }

  /** A watch that a client has opened. */
  add(request: RequestFacts, source: ResourceWatch): ResourceWatch {
    const watch = new HeldWatch(request, source, () => this.#watches.delete(watch));
    this.#watches.add(watch);
    for (const hold of this.#holds) hold.take(watch);
    return watch;
  }

  hold(options: HoldOptions = {}): HeldDeliveries {
    const { seed, ...scope } = options;
    return this.#hold(scope, seed === undefined ? oldest : chosenBy(new RandomNumbers(seed)), undefined);
  }

  shuffle(seed: number, scope: RequestScope = {}): HeldDeliveries {
    const numbers = new RandomNumbers(seed);
    return this.#hold(scope, chosenBy(numbers), () => numbers.next() % 2 === 0);
  }

  #hold(scope: RequestScope, choose: Choice, lags: (() => boolean) | undefined): Hold {
    const watches = () => [...this.#watches].filter((watch) => watch.holder === hold && !watch.ended);
    const hold = new Hold({ scope, choose, lags, watches, onRelease: () => this.#holds.delete(hold) });
    this.#holds.add(hold);
    for (const watch of this.#watches) hold.take(watch);
    return hold;
  }
}

/** Which of some watches is told next. Each of them has something to be told. */
type Choice = (watches: readonly HeldWatch[]) => HeldWatch | undefined;

function oldest(watches: readonly HeldWatch[]): HeldWatch | undefined {
  const revision = ({ waiting: [first] }: HeldWatch) => first?.revision ?? Number.POSITIVE_INFINITY;
  let found = watches[0];
  for (const watch of watches) {
    if (found !== undefined && revision(watch) < revision(found)) found = watch;
  }
  return found;
}

function chosenBy(numbers: RandomNumbers): Choice {
  return (watches) => watches[numbers.next() % watches.length];
}

interface HoldParts {
  readonly scope: RequestScope;
  readonly choose: Choice;
  /** Whether nobody is told anything this turn, for one that lets watches go on by itself. */
  readonly lags: (() => boolean) | undefined;
  /** Those that it holds, oldest first. */
  readonly watches: () => readonly HeldWatch[];
  readonly onRelease: () => void;
}

class Hold implements HeldDeliveries, WatchHolder {
  readonly #parts: HoldParts;
  readonly #matcher: RequestMatcher;
  #isRunning = false;
  #isReleased = false;

  constructor(parts: HoldParts) {
    this.#parts = parts;
    this.#matcher = new RequestMatcher(parts.scope);
  }

  /** Holds a watch, if it is meant and nobody else holds it. */
  take(watch: HeldWatch): void {
    if (watch.holder === undefined && this.#matcher.matches(watch.request)) watch.hold(this);
  }

  get waiting(): readonly WatchDelivery[] {
    return this.#parts.watches().flatMap((watch) => watch.waiting.map((event) => deliveryOf(watch, event)));
  }

  async step(scope: RequestScope = {}): Promise<WatchDelivery | undefined> {
    const delivery = this.#deliver(new RequestMatcher(scope));
    await turn();
    return delivery;
  }

  async release(): Promise<void> {
    this.#isReleased = true;
    while (this.#deliver(everyRequest) !== undefined) await turn();
    this.#parts.onRelease();
    for (const watch of this.#parts.watches()) watch.release();
    await turn();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.release();
  }

  notice(): void {
    const { lags } = this.#parts;
    if (lags !== undefined && !this.#isRunning) void this.#run(lags);
  }

  async #run(lags: () => boolean): Promise<void> {
    this.#isRunning = true;
    await turn();
    // No choice is made while there is none, so that the order does not depend on how long nothing happens.
    while (!this.#isReleased && this.#ready(everyRequest).length > 0) {
      if (!lags()) this.#deliver(everyRequest);
      await turn();
    }
    this.#isRunning = false;
  }

  /** The watches that are meant for which something waits. */
  #ready(matcher: RequestMatcher): readonly HeldWatch[] {
    const watches = this.#parts.watches();
    return watches.filter((watch) => watch.waiting.length > 0 && matcher.matches(watch.request));
  }

  #deliver(matcher: RequestMatcher): WatchDelivery | undefined {
    const watches = this.#ready(matcher);
    const watch = watches.length === 0 ? undefined : this.#parts.choose(watches);
    const event = watch?.deliver();
    return watch && event && deliveryOf(watch, event);
  }
}

const everyRequest = new RequestMatcher({});

function deliveryOf({ request }: HeldWatch, { type, object, revision }: ResourceEvent): WatchDelivery {
  const { namespace = "", name = "" } = object.value.metadata;
  return { watch: request, type, namespace, name, resourceVersion: String(revision) };
}
