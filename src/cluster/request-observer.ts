import { concatenate } from "../apimachinery/bytes.ts";
import type { Clock } from "../apimachinery/clock.ts";
import { unauthorized } from "../apimachinery/errors/errors.ts";
import type { UserInfo } from "../apimachinery/user-info.ts";
import { credentialsOf, type ExpiredCredentials } from "../authentication/expired-credentials.ts";
import { ConnectionFailure } from "../request/connection-failure.ts";
import type { ApiRequest, ApiResponse, HeaderLookup } from "../request/handler.ts";
import type { Peer } from "../request/peer.ts";
import type { ReachabilityControl } from "../request/reachability.ts";
import type { RequestInfo } from "../request/request-info.ts";
import type { RoutedRequest } from "../request/routed-request.ts";
import type { Faults } from "../scenario/faults.ts";
import { type OpenEntry, openEntry } from "../scenario/logged-request.ts";
import type { OpenWatches } from "../scenario/open-watches.ts";
import type { RequestLog } from "../scenario/request-log.ts";
import type { FaultContext } from "../scenario/scenario.ts";
import type { StateChanges } from "./state-changes.ts";

/** What the pipeline knows about a request that a fault takes. */
export type FaultRequest = Pick<
  FaultContext,
  "query" | "headers" | "signal" | "body" | "answer" | "forbidden"
>;

export interface RequestObserverOptions {
  readonly log: RequestLog;
  readonly faults: Faults;
  readonly reachability: ReachabilityControl;
  readonly expired: ExpiredCredentials;
  readonly watches: OpenWatches;
  readonly clock: Clock;
  readonly watchFormat: FaultContext["watchFormat"];
  readonly changesFor: (request: OpenEntry, headers: HeaderLookup) => StateChanges;
}

/** Records requests and finds the fault that takes them. */
export class RequestObserver {
  readonly #options: RequestObserverOptions;

  constructor(options: RequestObserverOptions) {
    this.#options = options;
  }

  /**
   * `receivedAt` is in milliseconds since the epoch.
   * @throws {ConnectionFailure} while clients cannot reach the server
   */
  begin(request: ApiRequest, { remoteAddress }: Peer, auditId: string, receivedAt: number): OpenEntry {
    const { reachability, log } = this.#options;
    if (!reachability.isReachable) {
      reachability.refuse();
      throw new ConnectionFailure("refused");
    }
    const { method, target, headers } = request;
    const userAgent = headers.get("user-agent") ?? "";
    const entry = openEntry({ method, target, remoteAddress, userAgent, auditId, receivedAt });
    log.add(entry);
    return entry;
  }

  /** The request to continue with: one whose body is recorded when it is read, if the audit level asks for it. */
  recorded(entry: OpenEntry, request: ApiRequest): ApiRequest {
    const { log } = this.#options;
    if (log.level === "Metadata") return request;
    return new RecordedRequest(request, (body) => log.keepBody(entry, "requestBody", body));
  }

  end(
    entry: OpenEntry,
    { status, body }: ApiResponse,
    route: RoutedRequest | undefined,
    answeredAt: number,
  ): void {
    const { log } = this.#options;
    entry.status = status;
    entry.route = route;
    entry.milliseconds = answeredAt - entry.receivedAt;
    if (log.level === "RequestResponse" && body !== undefined && !(Symbol.asyncIterator in body)) {
      log.keepBody(entry, "responseBody", body instanceof Uint8Array ? body : concatenate(body));
    }
    log.answered(entry);
  }

  /** Records that the connection breaks instead of a response. */
  failed(entry: OpenEntry): void {
    this.#options.log.note("failed", entry);
  }

  /** Records what the request is about. */
  describe(entry: OpenEntry, info: RequestInfo): void {
    entry.path = info.path;
    entry.verb = info.verb;
    if (info.isResourceRequest) {
      entry.group = info.group;
      entry.version = info.version;
      entry.resource = info.resource;
      entry.subresource = info.subresource;
      entry.namespace = info.namespace;
      entry.name = info.name;
    }
  }

  /** Registers an answered watch for as long as it is open. `onEnd` gets the seconds that it was. */
  opened<A extends ApiResponse>(entry: OpenEntry, answer: A, onEnd?: (seconds: number) => void): A {
    const { watches, clock, log } = this.#options;
    return watches.track(entry, answer, () => {
      entry.endedAt = clock.now();
      onEnd?.((entry.endedAt - entry.receivedAt) / 1000);
      log.note("ended", entry);
    });
  }

  /** @throws {StatusError} unauthorized, for a request whose credentials a test has made expire */
  checkCredentials(entry: OpenEntry, request: ApiRequest, peer: Peer): void {
    const { expired } = this.#options;
    if (expired.isEmpty || !expired.refuse(request, peer)) return;
    entry.fault = "tokenExpired";
    throw unauthorized();
  }

  /** Records the user. */
  authenticated(entry: OpenEntry, user: UserInfo): void {
    entry.user = user.name;
    entry.userInfo = user;
    this.#options.log.note("authenticated", entry);
  }

  /** The fault that takes the request; undefined if none does. */
  faultOf(
    entry: OpenEntry,
    request: ApiRequest,
    peer: Peer,
  ): ((request: FaultRequest) => Promise<ApiResponse>) | undefined {
    const { faults, clock, watches, watchFormat, changesFor } = this.#options;
    const strike = faults.isEmpty ? undefined : faults.take(entry, request.headers);
    if (strike === undefined) return undefined;
    const changes = changesFor(entry, request.headers);
    const expireCredentials = this.#expiring(credentialsOf(request, peer));
    const real = (name: string) => faults.real(name);
    const server = { request: entry, clock, watches, watchFormat, expireCredentials, real, ...changes };
    return (struck) => strike.respond({ ...struck, ...server });
  }

  #expiring(credentials: readonly string[]): FaultContext["expireCredentials"] {
    if (credentials.length === 0) return undefined;
    return (refused) => this.#options.expired.expire(credentials, refused);
  }
}

/** A request whose body is recorded when it is read. */
class RecordedRequest implements ApiRequest {
  readonly #request: ApiRequest;
  readonly #note: (body: Uint8Array) => void;

  constructor(request: ApiRequest, note: (body: Uint8Array) => void) {
    this.#request = request;
    this.#note = note;
  }

  get method(): string {
    return this.#request.method;
  }

  get target(): string {
    return this.#request.target;
  }

  get headers(): HeaderLookup {
    return this.#request.headers;
  }

  get signal(): AbortSignal {
    return this.#request.signal;
  }

  get connection(): ApiRequest["connection"] {
    return this.#request.connection;
  }

  readonly body = async (limit: number): Promise<Uint8Array> => {
    const bytes = await this.#request.body(limit);
    this.#note(bytes);
    return bytes;
  };
}
