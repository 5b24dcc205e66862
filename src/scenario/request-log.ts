import { type AuditEvent, type AuditLevel, auditEvent } from "./audit-event.ts";
import type { LoggedRequest, OpenEntry } from "./logged-request.ts";
import { nearestTo, RequestMatcher, type RequestScope } from "./request-matcher.ts";

/** The requests of clients: at least the newest thousand. */
export interface Requests {
  /** In order of arrival. */
  readonly all: readonly LoggedRequest[];
  /** The requests that match a scope, oldest first. */
  matching(scope: RequestScope): readonly LoggedRequest[];
  /** The next request that matches, once it is answered (a watch: once its headers are sent). */
  next(scope: RequestScope): Promise<LoggedRequest>;
  /** The latest of the requests that come closest to a scope, and the members they miss; undefined if there are none. */
  nearest(scope: RequestScope): NearMiss | undefined;
  /** The requests for paths that this API does not serve. A 404 for a missing object does not count. */
  readonly unserved: readonly LoggedRequest[];
  /**
   * The audit events that kube-apiserver would write for the matching requests, oldest first; the cluster's `auditLevel`
   * option sets how much they record.
   */
  auditEvents(scope?: RequestScope): readonly AuditEvent[];
  /** Clears the log. */
  clear(): void;
}

/** What follows requests of clients as they pass. */
export interface RequestListener {
  /** The user of a request is known. */
  readonly authenticated?: (request: LoggedRequest) => void;
  /** The response headers are sent. */
  readonly answered?: (request: LoggedRequest) => void;
  /** The connection ends without a response. */
  readonly failed?: (request: LoggedRequest) => void;
  /** A watch has ended. */
  readonly ended?: (request: LoggedRequest) => void;
}

/** A request that almost matches a scope. */
export interface NearMiss {
  readonly request: LoggedRequest;
  /** The members of the scope that it does not match; empty if it matches. */
  readonly missed: readonly (keyof RequestScope)[];
}

interface Waiter {
  readonly matcher: RequestMatcher;
  readonly resolve: (request: LoggedRequest) => void;
}

/** How many bytes of bodies are kept; beyond that, the oldest are dropped. */
const bytesKept = 32 * 1024 * 1024;

/** The newest requests, in order of arrival. */
export class RequestLog implements Requests {
  readonly level: AuditLevel;
  readonly #capacity: number;
  #requests: LoggedRequest[] = [];
  /** The entries whose bodies are kept, oldest first, and their total size. */
  #kept: OpenEntry[] = [];
  #bytes = 0;
  #waiters: Waiter[] = [];
  readonly #listeners: RequestListener[] = [];

  /** Keeps at least `kept` requests and at most twice as many, with bodies as the level says. */
  constructor(capacity: number, level: AuditLevel = "Metadata") {
    this.#capacity = capacity;
    this.level = level;
  }

  add(request: LoggedRequest): void {
    this.#requests.push(request);
    if (this.#requests.length >= 2 * this.#capacity) this.#forgetOldest();
  }

  /** Keeps a body of a request while there is room. */
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

  /** Calls the listener for each request from now on. */
  follow(listener: RequestListener): void {
    this.#listeners.push(listener);
  }

  /** Tells the listeners what has happened to a request. */
  note(event: keyof RequestListener, request: LoggedRequest): void {
    for (const listener of this.#listeners) listener[event]?.(request);
  }

  /** Resolves the waiters of a request that has been answered. */
  answered(request: LoggedRequest): void {
    this.note("answered", request);
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
