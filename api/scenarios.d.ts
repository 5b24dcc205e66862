// Written by `npm run api`: what this entry exports, and all that can be reached from it.

export { BookmarksOptions, CloseWatchOptions, ContinueExpiredOptions, CrdNotReadyOptions, CutOptions, DisconnectedOptions, DownOptions, EmptyAsNullOptions, FaultHandle, GoAwayOptions, GroupDownOptions, LaggingReplicaOptions, LargeEventOptions, LateInitialEventsEndOptions, LatencyOptions, LoggedRequest, Need, RequestScope, ResetOptions, Scenario, ScenarioOptions, SliceOptions, SlowConsumerOptions, StaleReadOptions, StreamErrorOptions, StreamOptions, Strike, FaultContext, ThrottleOptions, TooLargeOptions, WatchGoneOptions, WebhookTimeoutOptions, bareStatus, bookmarks, closeWatch, conflict, continueExpired, crdNotReady, delayUntilWatched, deleteReturns, disconnected, doubledInitialEventsEnd, down, emptyAsNull, etcdLeaderChange, freeze, goAway, groupDown, laggingReplica, largeEvent, lateInitialEventsEnd, latency, namespaceTerminating, noInitialEventsEnd, notReady, pairEvents, permissionRevoked, refuseInitialEvents, reset, slice, slowConsumer, staleRead, storageInitializing, streamError, throttle, tokenExpired, tooLargeResourceVersion, truncate, unauthorizedOnce, unknownEvent, watchGone, webhookTimeout, whileDisconnected };

// src/apimachinery/clock.ts

// as in index.d.ts: Clock, Timer

// src/apimachinery/errors.ts

// as in index.d.ts: StatusError

// src/apimachinery/json.ts

// as in index.d.ts: JsonObject, JsonValue

// src/apimachinery/status.ts

// as in index.d.ts: Status, StatusCause, StatusDetails, StatusReason

// src/apimachinery/user-info.ts

// as in index.d.ts: UserInfo

// src/request/handler.ts

// as in index.d.ts: ApiResponse, ApiResponseBody, HeaderLookup

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

// as in index.d.ts: FaultHandle

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

// as in index.d.ts: AccessDecision, LoggedRequest, ReachedRoute

// src/scenario/lost-rights.ts

function permissionRevoked(options?: ScenarioOptions): Scenario;

function tokenExpired(options?: ScenarioOptions): Scenario;

function unauthorizedOnce(options?: ScenarioOptions): Scenario;

// src/scenario/open-watches.ts

// as in index.d.ts: Observer, OpenWatch, OpenWatches, Piece

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

// as in index.d.ts: RequestScope

// src/scenario/scenario.ts

// as in index.d.ts: Need, Scenario, Strike, ApiResponse, FaultContext

interface ScenarioOptions extends RequestScope {
    readonly nth?: number;
    readonly times?: number;
    readonly lasting?: number | string;
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

// as in index.d.ts: StateView

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

// src/scenario/cluster-controls.ts

// as in index.d.ts: ClusterControls

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

// as in index.d.ts: DecodedEvent, WatchFormat

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
