import { turn } from "../apimachinery/clock.ts";
import { RandomNumbers } from "../apimachinery/random-numbers.ts";
import { type HeldEvent, HeldWatch, type WatchHolder, type WatchSource } from "./held-watch.ts";
import { type RequestFacts, RequestMatcher, type RequestScope, type RequestView } from "./request-matcher.ts";

/** One event for one watch. */
export interface WatchDelivery {
  /** The request that opened the watch. */
  readonly watch: RequestFacts;
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  /** The empty string for cluster-scoped kinds. */
  readonly namespace: string;
  readonly name: string;
  readonly resourceVersion: string;
}

/** Which watches to hold, and the order in which they receive events. */
export interface HoldOptions extends RequestScope {
  /**
   * Seed of the random order in which watches receive events; the same seed gives the same order. Default: the order
   * of the events, and for one event the order in which the watches were opened.
   */
  readonly seed?: number;
}

/** The open watches of clients, and when they receive events. */
export interface Watches {
  /** The requests that opened the watches, oldest first. */
  readonly open: readonly RequestFacts[];
  /**
   * Holds back the events of open and future watches: the cluster changes, but the clients do not know. Default: all
   * watches of clients.
   */
  hold(options?: HoldOptions): HeldDeliveries;
  /**
   * Delays watches relative to each other from now on, in an order that the seed determines. A race that a seed finds
   * is found again with the same seed.
   */
  shuffle(seed: number, scope?: RequestScope): HeldDeliveries;
}

/** Watches that are held. `await using` releases them at the end of a block. */
export interface HeldDeliveries {
  /** The events that clients have not received, by watch. */
  readonly waiting: readonly WatchDelivery[];
  /**
   * Delivers one event to one watch and lets its client react; undefined if no event waits. A scope selects the watch.
   */
  step(scope?: RequestScope): Promise<WatchDelivery | undefined>;
  /** Delivers all waiting events in order, one at a time, and stops holding. */
  release(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** The watches of a cluster. While no test holds a watch, each costs one entry of a set. */
export class WatchDeliveries implements Watches {
  readonly #watches = new Set<HeldWatch>();
  readonly #holds = new Set<Hold>();
  #view: RequestView | undefined;

  get open(): readonly RequestFacts[] {
    const view = this.#view;
    const open = [...this.#watches].filter(({ ended }) => !ended);
    return open.map(({ request }) => view?.shown(request) ?? request);
  }

  /** Shows requests in this way from now on. */
  showAs(view: RequestView): void {
    this.#view = view;
  }

  /** Registers a watch that a client opened. */
  add(request: RequestFacts, source: WatchSource): WatchSource {
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
    const view = () => this.#view;
    const hold = new Hold({ scope, choose, view, lags, watches, onRelease: () => this.#holds.delete(hold) });
    this.#holds.add(hold);
    for (const watch of this.#watches) hold.take(watch);
    return hold;
  }
}

/** Chooses the watch that receives the next event, among watches with waiting events. */
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
  /** How requests look now. */
  readonly view: () => RequestView | undefined;
  /** Whether this turn delivers no event, for holds that release events on their own. */
  readonly lags: (() => boolean) | undefined;
  /** The held watches, oldest first. */
  readonly watches: () => readonly HeldWatch[];
  readonly onRelease: () => void;
}

class Hold implements HeldDeliveries, WatchHolder {
  readonly #parts: HoldParts;
  #isRunning = false;
  #isReleased = false;

  constructor(parts: HoldParts) {
    this.#parts = parts;
  }

  /** Holds a watch if it matches and no other test holds it. */
  take(watch: HeldWatch): void {
    if (watch.holder === undefined && this.#matcherOf(this.#parts.scope).matches(watch.request))
      watch.hold(this);
  }

  get waiting(): readonly WatchDelivery[] {
    return this.#parts
      .watches()
      .flatMap((watch) => watch.waiting.map((event) => this.#deliveryOf(watch, event)));
  }

  async step(scope: RequestScope = {}): Promise<WatchDelivery | undefined> {
    const delivery = this.#deliver(this.#matcherOf(scope));
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
    // Makes no random choice while no event waits, so that the order does not depend on idle time.
    while (!this.#isReleased && this.#ready(everyRequest).length > 0) {
      if (!lags()) this.#deliver(everyRequest);
      await turn();
    }
    this.#isRunning = false;
  }

  /** The matching watches with waiting events. */
  #ready(matcher: RequestMatcher): readonly HeldWatch[] {
    const watches = this.#parts.watches();
    return watches.filter((watch) => watch.waiting.length > 0 && matcher.matches(watch.request));
  }

  #deliver(matcher: RequestMatcher): WatchDelivery | undefined {
    const watches = this.#ready(matcher);
    const watch = watches.length === 0 ? undefined : this.#parts.choose(watches);
    const event = watch?.deliver();
    return watch && event && this.#deliveryOf(watch, event);
  }

  #matcherOf(scope: RequestScope): RequestMatcher {
    return new RequestMatcher(scope, this.#parts.view());
  }

  #deliveryOf({ request }: HeldWatch, { type, object, revision }: HeldEvent): WatchDelivery {
    const view = this.#parts.view();
    const { namespace = "", name = "" } = object.value.metadata;
    const delivery = { type, namespace, name, resourceVersion: String(revision) };
    if (view === undefined) return { watch: request, ...delivery };
    const shown = view.shown({ ...request, namespace, name });
    return { ...delivery, watch: view.shown(request), namespace: shown.namespace, name: shown.name };
  }
}

const everyRequest = new RequestMatcher({});
