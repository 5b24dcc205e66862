import type { LoggedRequest } from "./logged-request.ts";
import { RequestMatcher, type RequestScope } from "./request-matcher.ts";

/** What clients have asked of a cluster: the newest thousand requests at least. */
export interface Requests {
  /** In the order in which they came. */
  readonly all: readonly LoggedRequest[];
  /** Those that are meant, oldest first. */
  matching(scope: RequestScope): readonly LoggedRequest[];
  /** Forgets them. */
  clear(): void;
}

/** The newest requests, in the order in which they came. */
export class RequestLog implements Requests {
  readonly #capacity: number;
  #requests: LoggedRequest[] = [];

  /** Keeps so many at least, and twice as many at most. */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  add(request: LoggedRequest): void {
    this.#requests.push(request);
    if (this.#requests.length >= 2 * this.#capacity) this.#requests = this.#requests.slice(-this.#capacity);
  }

  get all(): readonly LoggedRequest[] {
    return this.#requests;
  }

  /** Those that are meant, oldest first. */
  matching(scope: RequestScope): readonly LoggedRequest[] {
    const matcher = new RequestMatcher(scope);
    return this.#requests.filter((request) => matcher.matches(request));
  }

  clear(): void {
    this.#requests = [];
  }
}
