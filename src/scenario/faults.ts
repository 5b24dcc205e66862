import { Fault, type FaultHandle } from "./fault.ts";
import type { LoggedRequest } from "./logged-request.ts";
import type { RequestLog } from "./request-log.ts";
import { formatScope } from "./request-matcher.ts";
import type { Scenario } from "./scenario.ts";

/** A test put faults in force that never struck. The message shows for each the request that came nearest. */
export class UnusedFaultError extends Error {
  override readonly name = "UnusedFaultError";
}

/** The faults of a cluster, as a test sees them. */
export interface InjectedFaults {
  /** Those that can still strike. */
  readonly inForce: readonly FaultHandle[];
  /**
   * Ends all faults.
   * @throws {UnusedFaultError} if one of them never struck; it shows the request that came nearest
   */
  check(): void;
}

/** The faults of a cluster, in the order in which they came. */
export class Faults implements InjectedFaults {
  readonly #log: RequestLog;
  #inForce: Fault[] = [];
  /** Taken back before they struck. */
  #unused: Fault[] = [];

  constructor(log: RequestLog) {
    this.#log = log;
  }

  /** Those that can still strike. */
  get inForce(): readonly FaultHandle[] {
    return this.#inForce.filter(({ isOver }) => !isOver);
  }

  /** Whether none is in force, so that nobody needs to look. */
  get isEmpty(): boolean {
    return this.#inForce.length === 0;
  }

  inject(scenario: Scenario): FaultHandle {
    const fault = new Fault(scenario, (removed) => this.#forget(removed));
    this.#inForce.push(fault);
    return fault;
  }

  /** The scenario that strikes this request, if one does; the first that was put in force. */
  take(request: LoggedRequest): Scenario | undefined {
    return this.#inForce.find((fault) => fault.takes(request))?.scenario;
  }

  /**
   * Ends all faults.
   * @throws {UnusedFaultError} if one of them never struck
   */
  check(): void {
    const unused = [...this.#unused, ...this.#inForce.filter(({ hits }) => hits === 0)];
    const inForce = this.#inForce;
    this.#inForce = [];
    this.#unused = [];
    for (const fault of inForce) fault.remove();
    this.#unused = [];
    if (unused.length > 0)
      throw new UnusedFaultError(unused.map((fault) => this.#unusedMessage(fault)).join("\n"));
  }

  #forget(fault: Fault): void {
    this.#inForce = this.#inForce.filter((other) => other !== fault);
    if (fault.hits === 0) this.#unused.push(fault);
  }

  #unusedMessage(fault: Fault): string {
    const { name, scope, after } = fault.scenario;
    const wanted = `The fault ${name} never struck: it waits for ${formatScope(scope)}`;
    const nearest = nearestTo(fault, this.#log.all);
    if (nearest === undefined) return `${wanted}; no request came at all`;
    const missed = fault.missed(nearest);
    const { method, target, user } = nearest;
    const seen = `${method} ${target} as ${user === "" ? "nobody" : user}`;
    if (missed.length === 0) return `${wanted}, and lets ${after} pass; the last of them was ${seen}`;
    return `${wanted}; the nearest was ${seen}, which differs in ${missed.join(", ")}`;
  }
}

/** The latest of the requests that lack least. */
function nearestTo(fault: Fault, requests: readonly LoggedRequest[]): LoggedRequest | undefined {
  let nearest: LoggedRequest | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const request of requests) {
    const { length } = fault.missed(request);
    if (length > least) continue;
    nearest = request;
    least = length;
  }
  return nearest;
}
