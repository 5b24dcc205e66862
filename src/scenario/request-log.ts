import type { UserInfo } from "../apimachinery/user-info.ts";
import { encodeJson } from "../codec/json/json.ts";
import { type AuditEvent, type AuditLevel, auditEvent } from "./audit-event.ts";
import type { LoggedRequest, OpenEntry } from "./logged-request.ts";
import { nearestTo, RequestMatcher, type RequestScope, type RequestView } from "./request-matcher.ts";
import type {
  LeastPrivilege,
  LeastPrivilegeOptions,
  ReportedLog,
  RoleComparison,
  RoleManifests,
  RoleReports,
  RoleUser,
} from "./role-reports.ts";

/** The requests of clients: at least the newest thousand, unless they need more than 32 MiB. */
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
  /** How many requests the log has lost because it keeps no more, since it was cleared. */
  readonly lost: number;
  /**
   * The smallest Role and ClusterRole for what a user did, whether the user was allowed to or not:
   * `(await cluster.requests.leastPrivilege({ user: "alice" })).yaml`. It has no permissions that every user has by default.
   * @throws {Error} if the log has no request of the user
   */
  leastPrivilege(options: LeastPrivilegeOptions): Promise<LeastPrivilege>;
  /**
   * Compares roles with what a user did: manifests of Roles, ClusterRoles and their bindings. Without a user, the log must have
   * requests of one user only.
   * @throws {Error} for manifests without a role, and if the log has no request of the user
   */
  compareRoles(roles: RoleManifests, options?: RoleUser): Promise<RoleComparison>;
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
  readonly scope: RequestScope;
  readonly matcher: RequestMatcher;
  readonly resolve: (request: LoggedRequest) => void;
}

/**
 * How many bytes of bodies and of long targets, headers and messages are kept. Beyond that, the oldest bodies are dropped,
 * and the oldest requests whose texts are long.
 */
const bytesKept = 32 * 1024 * 1024;

/** The newest requests, in order of arrival. */
export class RequestLog implements Requests {
  readonly level: AuditLevel;
  readonly #capacity: number;
  #requests: LoggedRequest[] = [];
  /** The sizes of the entries with bodies or long texts, oldest first, and their total. */
  readonly #sizes = new Map<OpenEntry, number>();
  #bytes = 0;
  #waiters: Waiter[] = [];
  readonly #listeners: RequestListener[] = [];
  readonly #reports: RoleReports | undefined;
  #lost = 0;
  #view: RequestView | undefined;

  /** Keeps at least that many requests and at most twice as many, with bodies as the level says. */
  constructor(capacity: number, level: AuditLevel = "Metadata", reports?: RoleReports) {
    this.#capacity = capacity;
    this.level = level;
    this.#reports = reports;
  }

  /** Shows requests in this way from now on. */
  showAs(view: RequestView): void {
    this.#view = view;
    this.#waiters = this.#waiters.map((waiter) => ({ ...waiter, matcher: this.#matcherOf(waiter.scope) }));
  }

  add(request: LoggedRequest): void {
    this.#requests.push(request);
    if (this.#requests.length >= 2 * this.#capacity) this.#forgetOldest();
  }

  /** Keeps a body of a request while there is room. */
  keepBody(entry: OpenEntry, name: "requestBody" | "responseBody", body: Uint8Array): void {
    if (body.byteLength === 0 || body.byteLength > bytesKept) return;
    entry[name] = body;
    this.#measure(entry);
  }

  get all(): readonly LoggedRequest[] {
    return this.#shown(this.#requests);
  }

  matching(scope: RequestScope): readonly LoggedRequest[] {
    const matcher = this.#matcherOf(scope);
    return this.#shown(this.#requests.filter((request) => matcher.matches(request)));
  }

  next(scope: RequestScope): Promise<LoggedRequest> {
    return new Promise((resolve) => this.#waiters.push({ scope, matcher: this.#matcherOf(scope), resolve }));
  }

  /** Calls the listener for each request from now on. */
  follow(listener: RequestListener): void {
    this.#listeners.push(listener);
  }

  /** Tells the listeners what has happened to a request. */
  note(event: keyof RequestListener, request: LoggedRequest): void {
    if (textLength(request) > longText) this.#measure(request);
    if (this.#listeners.length === 0) return;
    const shown = this.#shownOne(request);
    for (const listener of this.#listeners) listener[event]?.(shown);
  }

  #matcherOf(scope: RequestScope): RequestMatcher {
    return new RequestMatcher(scope, this.#view);
  }

  #shownOne(request: LoggedRequest): LoggedRequest {
    return this.#view?.shown(request) ?? request;
  }

  #shown(requests: readonly LoggedRequest[]): readonly LoggedRequest[] {
    return this.#view === undefined ? requests : requests.map(this.#view.shown);
  }

  /** Resolves the waiters of a request that has been answered. */
  answered(request: LoggedRequest): void {
    this.note("answered", request);
    if (this.#waiters.length === 0) return;
    const met = this.#waiters.filter(({ matcher }) => matcher.matches(request));
    this.#waiters = this.#waiters.filter((waiter) => !met.includes(waiter));
    for (const { resolve } of met) resolve(this.#shownOne(request));
  }

  nearest(scope: RequestScope): NearMiss | undefined {
    const matcher = this.#matcherOf(scope);
    const request = nearestTo(matcher, this.#requests);
    return request && { request: this.#shownOne(request), missed: matcher.missed(request) };
  }

  get unserved(): readonly LoggedRequest[] {
    return this.#shown(
      this.#requests.filter(
        ({ status, route, fault }) => status === 404 && route === undefined && fault === undefined,
      ),
    );
  }

  auditEvents(scope: RequestScope = {}): readonly AuditEvent[] {
    return this.matching(scope).map((request) => auditEvent(request, this.level));
  }

  get lost(): number {
    return this.#lost;
  }

  leastPrivilege(options: LeastPrivilegeOptions): Promise<LeastPrivilege> {
    return this.#reportsOfCluster().leastPrivilege(this.#reported(), options);
  }

  compareRoles(roles: RoleManifests, options: RoleUser = {}): Promise<RoleComparison> {
    return this.#reportsOfCluster().compareRoles(this.#reported(), roles, options);
  }

  /** Roles have the names of the server. */
  #reported(): ReportedLog {
    return { all: this.#requests, lost: this.#lost };
  }

  /** Only a cluster knows the default roles. */
  #reportsOfCluster(): RoleReports {
    if (this.#reports === undefined) throw new Error("this log belongs to no cluster");
    return this.#reports;
  }

  clear(): void {
    this.#requests = [];
    this.#lost = 0;
    this.#sizes.clear();
    this.#bytes = 0;
  }

  #forgetOldest(): void {
    this.#lost += this.#requests.length - this.#capacity;
    this.#requests = this.#requests.slice(-this.#capacity);
    const remembered = new Set(this.#requests);
    for (const entry of this.#sizes.keys()) if (!remembered.has(entry)) this.#drop(entry);
  }

  /** Counts the size of an entry, unless it is forgotten already, and makes room for it. */
  #measure(entry: OpenEntry): void {
    if (this.#requests.lastIndexOf(entry) < 0) {
      dropBodies(entry);
      return;
    }
    const size = sizeOf(entry);
    this.#bytes += size - (this.#sizes.get(entry) ?? 0);
    this.#sizes.set(entry, size);
    for (const oldest of this.#sizes.keys()) {
      if (this.#bytes <= bytesKept) return;
      this.#drop(oldest);
      if (textLength(oldest) <= longText) continue;
      this.#requests = this.#requests.filter((other) => other !== oldest);
      this.#lost += 1;
    }
  }

  #drop(entry: OpenEntry): void {
    this.#bytes -= this.#sizes.get(entry) ?? 0;
    this.#sizes.delete(entry);
    dropBodies(entry);
  }
}

function dropBodies(entry: OpenEntry): void {
  entry.requestBody = undefined;
  entry.responseBody = undefined;
}

/** Entries with shorter texts are not counted: two thousand of them need 4 MiB. */
const longText = 2048;

/** The length of the texts that clients choose. */
function textLength(request: LoggedRequest): number {
  const { target, userAgent, auditId, userInfo, refusal, decision } = request;
  const refused = (refusal?.message?.length ?? 0) + (decision?.reason.length ?? 0);
  const arrived = target.length + userAgent.length + auditId.length + userLength(userInfo);
  return arrived + refused + notesLength(request);
}

/** The length of what webhooks and policies say. The expressions themselves belong to the policies. */
function notesLength({ annotations, admission }: LoggedRequest): number {
  let length = 0;
  for (const key in annotations) length += key.length + (annotations[key]?.length ?? 0) + textOverhead;
  for (const { message, expressions, patch } of admission ?? []) {
    length += message.length + stepOverhead;
    for (const { message: told } of expressions) length += told.length + textOverhead;
    if (patch !== undefined) length += encodeJson(patch).length;
  }
  return length;
}

function userLength(user: UserInfo | undefined): number {
  if (user === undefined) return 0;
  let length = user.name.length + user.uid.length;
  for (const group of user.groups) length += group.length + textOverhead;
  for (const key in user.extra) {
    length += key.length + textOverhead;
    for (const value of user.extra[key] ?? []) length += value.length + textOverhead;
  }
  return length;
}

/** What a text in a list needs besides its characters. */
const textOverhead = 32;

/** What a step of admission needs besides its texts. */
const stepOverhead = 160;

/** A path and its parts, and the causes of a message, contain most of it again. */
function sizeOf(entry: LoggedRequest): number {
  const bodies = (entry.requestBody?.byteLength ?? 0) + (entry.responseBody?.byteLength ?? 0);
  return bodies + 3 * textLength(entry);
}
