// Written by `npm run api`: what this entry exports, and all that can be reached from it.

export { BookmarksOptions, CloseWatchOptions, ContinueExpiredOptions, CrdNotReadyOptions, CutOptions, DisconnectedOptions, DownOptions, EmptyAsNullOptions, FaultHandle, GoAwayOptions, GroupDownOptions, LaggingReplicaOptions, LargeEventOptions, LateInitialEventsEndOptions, LatencyOptions, LoggedRequest, Need, RequestScope, ResetOptions, Scenario, ScenarioOptions, SliceOptions, SlowConsumerOptions, StaleReadOptions, StreamErrorOptions, StreamOptions, Strike, StruckServer, ThrottleOptions, TooLargeOptions, WatchGoneOptions, WebhookTimeoutOptions, bareStatus, bookmarks, closeWatch, conflict, continueExpired, crdNotReady, delayUntilWatched, deleteReturns, disconnected, doubledInitialEventsEnd, down, emptyAsNull, etcdLeaderChange, freeze, goAway, groupDown, laggingReplica, largeEvent, lateInitialEventsEnd, latency, namespaceTerminating, noInitialEventsEnd, notReady, pairEvents, permissionRevoked, refuseInitialEvents, reset, slice, slowConsumer, staleRead, storageInitializing, streamError, throttle, tokenExpired, tooLargeResourceVersion, truncate, unauthorizedOnce, unknownEvent, watchGone, webhookTimeout, whileDisconnected };

// src/apimachinery/clock.ts

interface Clock {
    now(): number;
    after(milliseconds: number, callback: () => void): Timer;
}

interface Timer {
    cancel(): void;
}

// src/apimachinery/errors.ts

class StatusError extends Error {
    readonly name = "StatusError";
    readonly status: Status;
    readonly code: number;
    readonly headers: readonly (readonly [name: string, value: string])[];
    constructor(status: Status, headers?: readonly (readonly [name: string, value: string])[]);
    static [Symbol.hasInstance](value: unknown): value is StatusError;
}

// src/apimachinery/json.ts

interface JsonObject {
    readonly [key: string]: JsonValue | undefined;
}

type JsonValue = string | number | bigint | boolean | null | readonly JsonValue[] | JsonObject;

// src/apimachinery/status.ts

interface Status extends JsonObject {
    readonly kind: "Status";
    readonly apiVersion: "v1";
    readonly metadata: JsonObject;
    readonly status: "Success" | "Failure";
    readonly message?: string;
    readonly reason?: Exclude<StatusReason, "">;
    readonly details?: StatusDetails;
    readonly code?: number;
}

interface StatusCause extends JsonObject {
    readonly reason?: string;
    readonly message?: string;
    readonly field?: string;
}

interface StatusDetails extends JsonObject {
    readonly name?: string;
    readonly group?: string;
    readonly kind?: string;
    readonly uid?: string;
    readonly causes?: readonly StatusCause[];
    readonly retryAfterSeconds?: number;
}

type StatusReason = "" | "Unauthorized" | "Forbidden" | "NotFound" | "AlreadyExists" | "Conflict" | "Gone" | "Expired" | "Invalid" | "ServerTimeout" | "Timeout" | "TooManyRequests" | "BadRequest" | "MethodNotAllowed" | "NotAcceptable" | "RequestEntityTooLarge" | "UnsupportedMediaType" | "InternalError" | "StorageReadError" | "ServiceUnavailable";

// src/apimachinery/user-info.ts

interface UserInfo {
    readonly name: string;
    readonly uid: string;
    readonly groups: readonly string[];
    readonly extra: {
        readonly [key: string]: readonly string[];
    };
}

// src/request/handler.ts

interface ApiResponse {
    readonly status: number;
    readonly headers: readonly (readonly [name: string, value: string])[];
    readonly body: ApiResponseBody;
}

type ApiResponseBody = Uint8Array | readonly Uint8Array[] | AsyncIterable<Uint8Array> | undefined;

interface HeaderLookup {
    get(name: string): string | undefined;
    getAll(name: string): readonly string[];
}

// src/scenario/answer-shapes.ts

interface EmptyAsNullOptions extends ScenarioOptions {
    readonly fields?: readonly string[];
}

interface LargeEventOptions extends ScenarioOptions {
    readonly bytes?: number;
    readonly afterEvents?: number;
}

function deleteReturns(returns: "object" | "status", options?: ScenarioOptions): Scenario;

function emptyAsNull(options?: EmptyAsNullOptions): Scenario;

function largeEvent(options?: LargeEventOptions): Scenario;

// src/scenario/connection-faults.ts

interface GoAwayOptions extends CutOptions {
    readonly close?: boolean;
}

interface ResetOptions extends CutOptions {
    readonly of?: "connection" | "stream";
}

function freeze(options?: CutOptions): Scenario;

function goAway(options?: GoAwayOptions): Scenario;

function reset(options?: ResetOptions): Scenario;

// src/scenario/delayed-response.ts

function delayUntilWatched(options?: ScenarioOptions): Scenario;

// src/scenario/fault.ts

interface FaultHandle {
    readonly scenario: Scenario;
    readonly hits: number;
    readonly isOver: boolean;
    hit(times?: number): Promise<void>;
    remove(): void;
    [Symbol.dispose](): void;
}

// src/scenario/group-down.ts

interface GroupDownOptions extends Omit<ScenarioOptions, "group" | "path"> {
    readonly group?: string;
    readonly version?: string;
}

function groupDown(options?: GroupDownOptions): Scenario;

// src/scenario/lagging-reads.ts

interface LaggingReplicaOptions extends ScenarioOptions {
    readonly behind?: number;
}

interface StaleReadOptions extends ScenarioOptions {
    readonly behind?: number;
}

function laggingReplica(options?: LaggingReplicaOptions): Scenario;

function staleRead(options?: StaleReadOptions): Scenario;

// src/scenario/logged-request.ts

interface AccessDecision {
    readonly verdict: "allow" | "deny" | "noOpinion";
    readonly reason: string;
}

interface LoggedRequest {
    readonly method: string;
    readonly target: string;
    readonly path: string;
    readonly verb: string;
    readonly group: string;
    readonly version: string;
    readonly resource: string;
    readonly subresource: string;
    readonly namespace: string;
    readonly name: string;
    readonly user: string;
    readonly userInfo: UserInfo | undefined;
    readonly remoteAddress: string;
    readonly userAgent: string;
    readonly auditId: string;
    readonly receivedAt: number;
    readonly status: number | undefined;
    readonly refusal: Status | undefined;
    readonly decision: AccessDecision | undefined;
    readonly route: ReachedRoute | undefined;
    readonly fault: string | undefined;
    readonly requestBody: Uint8Array | undefined;
    readonly responseBody: Uint8Array | undefined;
    readonly milliseconds: number | undefined;
    readonly endedAt: number | undefined;
}

interface ReachedRoute {
    readonly scope: "resource" | "namespace" | "cluster";
    readonly removedRelease: string | undefined;
}

// src/scenario/lost-rights.ts

function permissionRevoked(options?: ScenarioOptions): Scenario;

function tokenExpired(options?: ScenarioOptions): Scenario;

function unauthorizedOnce(options?: ScenarioOptions): Scenario;

// src/scenario/open-watches.ts

type Observer = (piece: Uint8Array | undefined) => void;

class OpenWatch implements AsyncIterableIterator<Uint8Array> {
    #private;
    readonly request: LoggedRequest;
    readonly contentType: string;
    constructor(request: LoggedRequest, contentType: string, source: AsyncIterator<Uint8Array>, onEnd: () => void);
    [Symbol.asyncIterator](): this;
    next(): Promise<Piece>;
    return(): Promise<Piece>;
    close(): void;
    break(error: Error): void;
    observe(observer: Observer): () => void;
}

class OpenWatches {
    #private;
    track<A extends ApiResponse>(request: LoggedRequest, answer: A, onEnd: () => void): A;
    matching(scope: RequestScope): readonly OpenWatch[];
}

type Piece = IteratorResult<Uint8Array, unknown>;

// src/scenario/outages.ts

interface DisconnectedOptions extends ScenarioOptions {
    readonly compact?: boolean;
}

type DownOptions = Pick<ScenarioOptions, "lasting">;

function disconnected(options?: DisconnectedOptions): Scenario;

function down(options?: DownOptions): Scenario;

function whileDisconnected<T>(cluster: {
    inject(scenario: Scenario): FaultHandle;
}, work: () => Promise<T>, options?: DisconnectedOptions): Promise<T>;

// src/scenario/refusals.ts

interface CrdNotReadyOptions extends Omit<ScenarioOptions, "group" | "path"> {
    readonly group: string;
    readonly version: string;
}

interface ThrottleOptions extends ScenarioOptions {
    readonly retryAfter?: number | false;
}

interface TooLargeOptions extends ScenarioOptions {
    readonly withCause?: boolean;
}

interface WebhookTimeoutOptions extends ScenarioOptions {
    readonly webhook?: string;
}

function crdNotReady(options: CrdNotReadyOptions): Scenario;

function etcdLeaderChange(options?: ScenarioOptions): Scenario;

function namespaceTerminating(options?: ScenarioOptions): Scenario;

function notReady(options?: ScenarioOptions): Scenario;

function storageInitializing(options?: ThrottleOptions): Scenario;

function throttle(options?: ThrottleOptions): Scenario;

function tooLargeResourceVersion(options?: TooLargeOptions): Scenario;

function webhookTimeout(options?: WebhookTimeoutOptions): Scenario;

// src/scenario/request-matcher.ts

interface RequestScope {
    readonly verb?: string | readonly string[];
    readonly group?: string;
    readonly resource?: string | readonly string[];
    readonly subresource?: string;
    readonly namespace?: string;
    readonly name?: string;
    readonly path?: string | RegExp;
    readonly user?: string;
    readonly userAgent?: string | RegExp;
}

// src/scenario/scenario.ts

interface Need {
    readonly text: string;
    readonly holds: (request: LoggedRequest, headers: HeaderLookup | undefined) => boolean;
}

interface Scenario {
    readonly name: string;
    readonly scope: RequestScope;
    readonly need: Need | undefined;
    readonly after: number;
    readonly times: number;
    readonly milliseconds: number;
    readonly strike: Strike;
    readonly begin: ((cluster: StruckCluster, struck: () => void) => () => void) | undefined;
}

interface ScenarioOptions extends RequestScope {
    readonly nth?: number;
    readonly times?: number;
    readonly lasting?: number | string;
}

type Strike = (server: StruckServer) => Promise<StruckAnswer>;

type StruckAnswer = ApiResponse;

interface StruckServer {
    readonly request: LoggedRequest;
    readonly query: URLSearchParams;
    readonly headers: HeaderLookup;
    readonly clock: Clock;
    readonly revision: () => number;
    readonly signal: AbortSignal;
    readonly answer: () => Promise<StruckAnswer>;
    readonly answerFrom: (view: StateView) => Promise<StruckAnswer>;
    readonly answerDelete: (returns: "object" | "status") => Promise<StruckAnswer>;
    readonly answerUnlessAdmitted: (refuse: (name: string) => StatusError) => Promise<StruckAnswer>;
    readonly forbidden: () => StatusError;
    readonly viewOf: (revisionsAgo: number) => StateView;
    readonly watches: OpenWatches;
    readonly watchFormat: (contentType: string) => Promise<WatchFormat>;
    readonly expireHistory: () => void;
    readonly raceWriter: () => Promise<void>;
}

// src/scenario/slow-consumer.ts

interface SlowConsumerOptions extends ScenarioOptions {
    readonly capacity?: number;
}

function slowConsumer(options?: SlowConsumerOptions): Scenario;

// src/scenario/slowness.ts

interface LatencyOptions extends ScenarioOptions {
    readonly milliseconds: number | (() => number);
}

function latency(options: LatencyOptions): Scenario;

// src/scenario/state-failures.ts

interface ContinueExpiredOptions extends ScenarioOptions {
    readonly page?: number;
    readonly inconsistent?: boolean;
}

function conflict(options?: ScenarioOptions): Scenario;

function continueExpired(options?: ContinueExpiredOptions): Scenario;

// src/scenario/state-view.ts

interface StateView {
    catchUp(): void;
}

// src/scenario/stream-bytes.ts

interface CutOptions extends ScenarioOptions {
    readonly afterEvents?: number;
    readonly afterBytes?: number;
}

interface SliceOptions extends ScenarioOptions {
    readonly bytes?: number;
}

function pairEvents(options?: ScenarioOptions): Scenario;

function slice(options?: SliceOptions): Scenario;

function truncate(options?: CutOptions): Scenario;

// src/scenario/struck-cluster.ts

interface StruckCluster {
    readonly clock: Clock;
    readonly interrupt: () => () => void;
    readonly watches: OpenWatches;
    readonly viewOf: (revisionsAgo: number) => StateView;
    readonly expireHistory: () => void;
}

// src/scenario/watch-failures.ts

interface CloseWatchOptions extends StreamOptions {
    readonly afterMilliseconds?: number;
}

interface StreamErrorOptions extends ScenarioOptions {
    readonly code?: 429 | 500;
    readonly afterEvents?: number;
    readonly close?: boolean;
}

interface StreamOptions extends ScenarioOptions {
    readonly afterEvents?: number;
}

interface WatchGoneOptions extends ScenarioOptions {
    readonly at?: "open" | "stream";
    readonly reason?: "Expired" | "Gone";
    readonly close?: boolean;
    readonly afterEvents?: number;
}

function bareStatus(options?: StreamOptions): Scenario;

function closeWatch(options?: CloseWatchOptions): Scenario;

function streamError(options?: StreamErrorOptions): Scenario;

function unknownEvent(options?: StreamOptions): Scenario;

function watchGone(options?: WatchGoneOptions): Scenario;

// src/scenario/watch-format.ts

interface DecodedEvent {
    readonly type: string;
    readonly object: JsonObject;
}

interface WatchFormat {
    readonly firstEnd: (bytes: Uint8Array) => number | undefined;
    readonly typeOf: (event: Uint8Array) => string;
    readonly decode: (event: Uint8Array) => DecodedEvent;
    readonly encode: (type: string, object: JsonObject) => Uint8Array;
    readonly bare: (object: JsonObject) => Uint8Array;
}

// src/scenario/watch-progress.ts

interface BookmarksOptions extends ScenarioOptions {
    readonly every?: number;
}

interface LateInitialEventsEndOptions extends ScenarioOptions {
    readonly afterEvents?: number;
}

function bookmarks(options?: BookmarksOptions): Scenario;

function doubledInitialEventsEnd(options?: ScenarioOptions): Scenario;

function lateInitialEventsEnd(options?: LateInitialEventsEndOptions): Scenario;

function noInitialEventsEnd(options?: ScenarioOptions): Scenario;

function refuseInitialEvents(options?: ScenarioOptions): Scenario;
