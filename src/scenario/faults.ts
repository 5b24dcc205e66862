import type { AuthorizationAttributes } from "../authorization/contract/authorizer.ts";
import type { HeaderLookup } from "../request/handler.ts";
import type { RequestInfo } from "../request/request-info.ts";
import type { ClusterControls } from "./cluster-controls.ts";
import { Fault, type FaultHandle } from "./fault.ts";
import type { LoggedRequest, OpenEntry } from "./logged-request.ts";
import type { RequestLog } from "./request-log.ts";
import { formatScope, nearestTo, type RequestFacts, type RequestView } from "./request-matcher.ts";
import type { Scenario } from "./scenario.ts";
import { callFor } from "./scenario-call.ts";
import type { Strike } from "./strike.ts";

/** Some injected faults reached no client. The message shows the closest request for each, and what it would need. */
export class UnusedFaultError extends Error {
  override readonly name = "UnusedFaultError";
}

/** The injected faults of a cluster. */
export interface InjectedFaults {
  /** The faults that can still strike. */
  readonly inForce: readonly FaultHandle[];
  /**
   * Ends all faults.
   * @throws {UnusedFaultError} if one of them reached no client; the message shows the closest request, and what it would need
   */
  check(): void;
}

/** The faults of a cluster, in the order of injection. */
export class Faults implements InjectedFaults {
  readonly #log: RequestLog;
  readonly #cluster: ClusterControls;
  #inForce: Fault[] = [];
  /** Faults that were removed before they struck. */
  #unused: Fault[] = [];
  #view: RequestView | undefined;

  constructor(log: RequestLog, cluster: ClusterControls) {
    this.#log = log;
    this.#cluster = cluster;
  }

  /** Tests scopes on requests as they look in this way, from now on. */
  showAs(view: RequestView): void {
    this.#view = view;
    for (const fault of [...this.#inForce, ...this.#unused]) fault.showAs(view);
  }

  /** The name that the server has for one in the way of the view. */
  real(name: string): string {
    return this.#view?.real(name) ?? name;
  }

  /** No faults, for requests with a log of their own. */
  none(log: RequestLog): Faults {
    return new Faults(log, this.#cluster);
  }

  /** The faults that can still strike. */
  get inForce(): readonly FaultHandle[] {
    return this.#inForce.filter(({ isOver }) => !isOver);
  }

  /** The faults that were not removed, in the order of injection; some may be over. */
  get injected(): readonly FaultHandle[] {
    return this.#inForce;
  }

  /** Whether no fault is in effect, so that requests can skip the check. */
  get isEmpty(): boolean {
    return this.#inForce.length === 0;
  }

  /** Whether a fault takes the permission for a request away. */
  revokes({ user, info }: AuthorizationAttributes): boolean {
    return !this.isEmpty && this.#inForce.some((fault) => fault.revokes(factsOf(user.name, info)));
  }

  inject(scenario: Scenario): FaultHandle {
    const fault = new Fault(scenario, this.#cluster, (removed) => this.#forget(removed));
    if (this.#view !== undefined) fault.showAs(this.#view);
    this.#inForce.push(fault);
    return fault;
  }

  /** Has the first fault that may affect this request take it; undefined if there is none. */
  take(request: OpenEntry, headers?: HeaderLookup): Strike | undefined {
    for (const fault of this.#inForce) {
      const strike = fault.take(request, headers);
      if (strike !== undefined) return strike;
    }
    return undefined;
  }

  /**
   * Ends all faults.
   * @throws {UnusedFaultError} if a fault was never used
   */
  check(): void {
    const unused = [...this.#unused, ...this.#inForce].filter(({ hits }) => hits === 0);
    this.clear();
    if (unused.length > 0)
      throw new UnusedFaultError(unused.map((fault) => this.#unusedMessage(fault)).join("\n"));
  }

  /** Ends all faults, used or not. */
  clear(): void {
    const inForce = this.#inForce;
    this.#inForce = [];
    for (const fault of inForce) fault.remove();
    this.#unused = [];
  }

  #forget(fault: Fault): void {
    this.#inForce = this.#inForce.filter((other) => other !== fault);
    if (fault.hits === 0) this.#unused.push(fault);
  }

  #unusedMessage(fault: Fault): string {
    const { name, scope, need, after, awaits } = fault.scenario;
    if (awaits !== undefined) return `The fault ${name} was never used: it waits for ${awaits}`;
    const needed = need === undefined ? "" : ` ${need.text}`;
    const wanted = `The fault ${name} was never used: it waits for ${formatScope(scope)}${needed}`;
    const unaffected = fault.unaffected.slice(-reasonsShown);
    if (unaffected.length > 0) {
      const misses = unaffected.map(({ request, reason }) => `${seen(request)} was not affected: ${reason}`);
      return [wanted, ...misses].join("; ");
    }
    const nearest = nearestTo(fault, this.#log.all);
    if (nearest === undefined) return `${wanted}; there were no requests`;
    const missed = fault.missed(nearest);
    if (missed.length === 0 && need?.holds(nearest, undefined) === false)
      return `${wanted}; the nearest request was ${seen(nearest)}: ${need.reason}`;
    if (missed.length === 0)
      return `${wanted}, and skips the first ${after}; the last one was ${seen(nearest)}`;
    const differs = `${wanted}; the nearest request was ${seen(nearest)}, which differs in ${missed.join(", ")}`;
    const call = callFor(fault.scenario, missed, nearest);
    return call === undefined ? differs : `${differs}: ${call} would have matched it`;
  }
}

/** What a scope can name of a request that is only asked about. It has no client. */
function factsOf(user: string, info: RequestInfo): RequestFacts {
  const { verb, path } = info;
  if (info.isResourceRequest) return { ...info, user, userAgent: "" };
  return { ...noResource, verb, path, user };
}

const noResource = { group: "", resource: "", subresource: "", namespace: "", name: "", userAgent: "" };

/** How many reasons a message shows. */
const reasonsShown = 3;

function seen({ method, target, user }: LoggedRequest): string {
  return `${method} ${target} as ${user === "" ? "an unauthenticated user" : user}`;
}
