// Written by `npm run api`: what this entry exports, and all that can be reached from it.

export { BookmarksOptions, ContinueExpiredOptions, CutOptions, FaultHandle, GroupDownOptions, LateInitialEventsEndOptions, LatencyOptions, LoggedRequest, RequestScope, Scenario, ScenarioOptions, SliceOptions, StreamErrorOptions, StreamOptions, Strike, StruckServer, ThrottleOptions, TooLargeOptions, WatchGoneOptions, WebhookTimeoutOptions, bareStatus, bookmarks, closeWatch, conflict, continueExpired, doubledInitialEventsEnd, etcdLeaderChange, freeze, groupDown, lateInitialEventsEnd, latency, namespaceTerminating, noInitialEventsEnd, notReady, pairEvents, refuseInitialEvents, reset, slice, storageInitializing, streamError, throttle, tooLargeResourceVersion, truncate, unauthorizedOnce, unknownEvent, watchGone, webhookTimeout };

// src/apimachinery/clock.ts

interface Clock {
    now(): number;
    after(milliseconds: number, callback: () => void): Timer;
}

interface Timer {
    cancel(): void;
}

// src/apimachinery/json.ts

interface JsonObject {
    readonly [key: string]: JsonValue;
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

// src/request/routed-request.ts

interface RoutedRequest {
    readonly verb: string;
    readonly dryRun: string;
    readonly group: string;
    readonly version: string;
    readonly resource: string;
    readonly subresource: string;
    readonly scope: "resource" | "namespace" | "cluster";
    readonly removedRelease: string | undefined;
}

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
    readonly route: RoutedRequest | undefined;
    readonly fault: string | undefined;
    readonly requestBody: Uint8Array | undefined;
    readonly responseBody: Uint8Array | undefined;
    readonly milliseconds: number | undefined;
}

// src/scenario/refusals.ts

interface ThrottleOptions extends ScenarioOptions {
    readonly retryAfter?: number | false;
}

interface TooLargeOptions extends ScenarioOptions {
    readonly withCause?: boolean;
}

interface WebhookTimeoutOptions extends ScenarioOptions {
    readonly webhook?: string;
}

function etcdLeaderChange(options?: ScenarioOptions): Scenario;

function namespaceTerminating(options?: ScenarioOptions): Scenario;

function notReady(options?: ScenarioOptions): Scenario;

function storageInitializing(options?: ThrottleOptions): Scenario;

function throttle(options?: ThrottleOptions): Scenario;

function tooLargeResourceVersion(options?: TooLargeOptions): Scenario;

function unauthorizedOnce(options?: ScenarioOptions): Scenario;

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

interface Scenario {
    readonly name: string;
    readonly scope: RequestScope;
    readonly after: number;
    readonly times: number;
    readonly strike: Strike;
}

interface ScenarioOptions extends RequestScope {
    readonly nth?: number;
    readonly times?: number;
}

type Strike = (server: StruckServer) => Promise<StruckAnswer>;

type StruckAnswer = ApiResponse;

interface StruckServer {
    readonly request: LoggedRequest;
    readonly query: URLSearchParams;
    readonly clock: Clock;
    readonly revision: () => number;
    readonly signal: AbortSignal;
    readonly answer: () => Promise<StruckAnswer>;
    readonly expireHistory: () => void;
    readonly raceWriter: () => Promise<void>;
}

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

// src/scenario/stream-bytes.ts

interface CutOptions extends ScenarioOptions {
    readonly afterEvents?: number;
}

interface SliceOptions extends ScenarioOptions {
    readonly bytes?: number;
}

function pairEvents(options?: ScenarioOptions): Scenario;

function reset(options?: CutOptions): Scenario;

function slice(options?: SliceOptions): Scenario;

function truncate(options?: CutOptions): Scenario;

// src/scenario/watch-failures.ts

interface StreamErrorOptions extends ScenarioOptions {
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

function closeWatch(options?: StreamOptions): Scenario;

function freeze(options?: StreamOptions): Scenario;

function streamError(options?: StreamErrorOptions): Scenario;

function unknownEvent(options?: StreamOptions): Scenario;

function watchGone(options?: WatchGoneOptions): Scenario;

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
