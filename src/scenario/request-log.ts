import { type AuditEvent, type AuditLevel, auditEvent } from "./audit-event.ts";
import type { LoggedRequest, OpenEntry } from "./logged-request.ts";
import { nearestTo, RequestMatcher, type RequestScope } from "./request-matcher.ts";

/** What clients have asked of a cluster: the newest thousand requests at least. */
export interface Requests {
  /** In the order in which they came. */
  readonly all: readonly LoggedRequest[];
  /** Those that are meant, oldest first. */
  matching(scope: RequestScope): readonly LoggedRequest[];
  /** The next that is meant, as soon as it is answered; of a watch, its head. */
  next(scope: RequestScope): Promise<LoggedRequest>;
  /** The latest of the requests that lack least of a scope, and what they lack; undefined while there is none. */
  nearest(scope: RequestScope): NearMiss | undefined;
  /** Those that nothing in this API answers: their paths are not served. A 404 of an object that is missing is none. */
  readonly unserved: readonly LoggedRequest[];
  /**
   * What kube-apiserver would write into its audit log of those that are meant, oldest first; `auditLevel` in the options
   * of the cluster says how much.
   */
  auditEvents(scope?: RequestScope): readonly AuditEvent[];
  /** Forgets them. */
  clear(): void;
}

/** A request that is like one that is meant. */
export interface NearMiss {
  readonly request: LoggedRequest;
  /** What of the scope it is not; nothing if it is meant. */
  readonly missed: readonly (keyof RequestScope)[];
}

interface Waiter {
  readonly matcher: RequestMatcher;
  readonly resolve: (request: LoggedRequest) => void;
}

/** How much of bodies is kept, in bytes: when there are more, the oldest go. */
const bytesKept = 32 * 1024 * 1024;

/** The newest requests, in the order in which they came. */
export class RequestLog implements Requests {
  readonly level: AuditLevel;
  readonly #capacity: number;
  #requests: LoggedRequest[] = [];
  /** Whose bodies are kept, oldest first, and how long they are together. */
  #kept: OpenEntry[] = [];
  #bytes = 0;
  #waiters: Waiter[] = [];

  /** Keeps so many at least, and twice as many at most, and as much of their bodies as the level says. */
  constructor(capacity: number, level: AuditLevel = "Metadata") {
    this.#capacity = capacity;
    this.level = level;
  }

  add(request: LoggedRequest): void {
    this.#requests.push(request);
    if (this.#requests.length >= 2 * this.#capacity) this.#forgetOldest();
  }

  /** Keeps a body of a request, as long as there is room. */
  keepBody(entry: OpenEntry, name: "requestBody" | "responseBody", body: Uint8Array): void {
    if (body.byteLength === 0 || body.byteLength > bytesKept) return;
    if (!entry.requestBody && !entry.responseBody) this.#kept.push(entry);
    entry[name] = body;
    this.#bytes += body.byteLength;
    while (this.#bytes > bytesKept) this.#dropBodies(this.#kept.shift());
  }

  get all(): readonly LoggedRequest[] {
    return this.#requests;
  }

  matching(scope: RequestScope): readonly LoggedRequest[] {
    const matcher = new RequestMatcher(scope);
    return this.#requests.filter((request) => matcher.matches(request));
  }

  next(scope: RequestScope): Promise<LoggedRequest> {
    return new Promise((resolve) => this.#waiters.push({ matcher: new RequestMatcher(scope), resolve }));
  }

  /** Tells those who wait for a request that it is answered. */
  answered(request: LoggedRequest): void {
    if (this.#waiters.length === 0) return;
    const met = this.#waiters.filter(({ matcher }) => matcher.matches(request));
    this.#waiters = this.#waiters.filter((waiter) => !met.includes(waiter));
    for (const { resolve } of met) resolve(request);
  }

  nearest(scope: RequestScope): NearMiss | undefined {
    const matcher = new RequestMatcher(scope);
    const request = nearestTo(matcher, this.#requests);
    return request && { request, missed: matcher.missed(request) };
  }

  get unserved(): readonly LoggedRequest[] {
    return this.#requests.filter(
      ({ status, route, fault }) => status === 404 && route === undefined && fault === undefined,
    );
  }

  auditEvents(scope: RequestScope = {}): readonly AuditEvent[] {
    return this.matching(scope).map((request) => auditEvent(request, this.level));
  }

  clear(): void {
    this.#requests = [];
    this.#kept = [];
    this.#bytes = 0;
  }

  #forgetOldest(): void {
    this.#requests = this.#requests.slice(-this.#capacity);
    const remembered = new Set(this.#requests);
    while (this.#kept[0] !== undefined && !remembered.has(this.#kept[0]))
      this.#dropBodies(this.#kept.shift());
  }

  #dropBodies(entry: OpenEntry | undefined): void {
    if (entry === undefined) return;
    this.#bytes -= (entry.requestBody?.byteLength ?? 0) + (entry.responseBody?.byteLength ?? 0);
    entry.requestBody = undefined;
    entry.responseBody = undefined;
  }
}
