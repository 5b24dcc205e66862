import type { UserInfo } from "../apimachinery/user-info.ts";
import { privilegedGroup } from "../authorization/privileged-group.ts";
import { type EndpointResponse, plainText } from "../endpoints/contract/endpoint-response.ts";
import type { InFlightMetrics, InFlightPeaks } from "../endpoints/contract/in-flight-metrics.ts";
import type { ApiRequest, Seat } from "../request/handler.ts";
import type { RequestInfo } from "../request/request-info.ts";

/** How many requests may be in flight; 0 is any number. */
export interface InFlightLimits {
  /** Those that read. */
  readonly maxRequestsInflight: number;
  /** All others. */
  readonly maxMutatingRequestsInflight: number;
}

const readingVerbs: ReadonlySet<string> = new Set(["get", "list", "watch"]);
const longRunningVerbs: ReadonlySet<string> = new Set(["watch", "proxy"]);
const longRunningSubresources: ReadonlySet<string> = new Set([
  "attach",
  "exec",
  "proxy",
  "log",
  "portforward",
]);

const plain = plainText(429, "Too many requests, please try again later.\n");
/** The answer to a request too many. */
export const tooManyRequestsInFlight: EndpointResponse = {
  ...plain,
  headers: [...plain.headers, ["Retry-After", "1"]],
};

/** The requests in flight: from their arrival until their clients have taken the whole response. Upstream: `WithMaxInFlightLimit`. */
export class RequestsInFlight implements InFlightMetrics {
  readonly limit: number;
  readonly #reading: Seats;
  readonly #mutating: Seats;

  constructor({ maxRequestsInflight, maxMutatingRequestsInflight }: InFlightLimits) {
    this.limit = maxRequestsInflight + maxMutatingRequestsInflight;
    this.#reading = new Seats(maxRequestsInflight);
    this.#mutating = new Seats(maxMutatingRequestsInflight);
  }

  takePeaks(): InFlightPeaks {
    return { readOnly: this.#reading.takePeak(), mutating: this.#mutating.takePeak() };
  }

  /** Whether a request may continue; if so, it takes a seat. Requests of the same process are never in flight. */
  admits(request: ApiRequest, info: RequestInfo, user: UserInfo): boolean {
    if (request.occupy === undefined || isLongRunning(info)) return true;
    const seats = readingVerbs.has(info.verb) ? this.#reading : this.#mutating;
    // Its members are never refused.
    if (!seats.take()) return user.groups.includes(privilegedGroup);
    request.occupy(seats);
    return true;
  }
}

/** Upstream: apiserver, server/filters/longrunning.go, with the verbs and subresources of kube-apiserver. */
function isLongRunning(info: RequestInfo): boolean {
  if (longRunningVerbs.has(info.verb)) return true;
  if (info.isResourceRequest) return longRunningSubresources.has(info.subresource);
  return info.path.startsWith("/debug/pprof/");
}

/** A number of equal seats. */
class Seats implements Seat {
  readonly #limit: number;
  #taken = 0;
  #peak = 0;

  constructor(limit: number) {
    this.#limit = limit === 0 ? Number.POSITIVE_INFINITY : limit;
  }

  /** Takes a seat if one is free, and returns whether it was. */
  take(): boolean {
    if (this.#taken >= this.#limit) return false;
    this.#taken++;
    if (this.#taken > this.#peak) this.#peak = this.#taken;
    return true;
  }

  leave(): void {
    this.#taken--;
  }

  /** The most that were taken at a time since the last call. */
  takePeak(): number {
    const peak = this.#peak;
    this.#peak = this.#taken;
    return peak;
  }
}
