// Written by `npm run api`: what this entry exports, and all that can be reached from it.

export { AccessDecision, AllowedPaths, ApiRequest, ApiResponse, ApplyOptions, AuditEvent, AuditLevel, AuditStage, AuthorizationMode, CheckOptions, Clock, Cluster, ClusterClient, ClusterClock, ClusterOptions, ClusterSnapshot, DeleteCollectionOptions, DeleteOptions, FaultHandle, Fetch, Handler, HeaderLookup, HeldDeliveries, HoldOptions, InjectedFaults, JsonObject, JsonValue, KubeList, KubeObject, ListOptions, LoggedRequest, NearMiss, ObjectMeta, ObjectOptions, PatchOptions, Peer, Reachability, ReachedRoute, RequestFacts, RequestScope, Requests, RestoreOptions, Scenario, Status, StatusCause, StatusDetails, StatusError, StatusReason, Timer, UserInfo, UserOptions, VirtualClock, WatchDelivery, Watches, WriteOptions, createCluster };

// src/apimachinery/clock.ts

interface Clock {
    now(): number;
    after(milliseconds: number, callback: () => void): Timer;
}

interface ClusterClock extends Clock {
    advance(duration: number | string): Promise<void>;
    fork(): ClusterClock;
}

interface Timer {
    cancel(): void;
}

class VirtualClock implements ClusterClock {
    #private;
    constructor(start: number | string);
    now(): number;
    after(milliseconds: number, callback: () => void): Timer;
    advance(duration: number | string): Promise<void>;
    fork(): VirtualClock;
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

// src/apimachinery/group-version.ts

interface GroupVersion {
    readonly group: string;
    readonly version: string;
}

interface GroupVersionKind extends GroupVersion {
    readonly kind: string;
}

interface GroupVersionResource extends GroupVersion {
    readonly resource: string;
}

// src/apimachinery/ip.ts

interface Cidr {
    readonly address: IpAddress;
    readonly prefixLength: number;
}

type IpAddress = Uint8Array;

// src/apimachinery/json.ts

interface JsonObject {
    readonly [key: string]: JsonValue | undefined;
}

type JsonValue = string | number | bigint | boolean | null | readonly JsonValue[] | JsonObject;

// src/apimachinery/label-requirement.ts

type Labels = {
    readonly [key: string]: string;
};

// src/apimachinery/object-meta.ts

interface KubeObject extends JsonObject {
    readonly apiVersion: string;
    readonly kind: string;
    readonly metadata: ObjectMeta;
}

interface ObjectMeta extends JsonObject {
    readonly name?: string;
    readonly generateName?: string;
    readonly namespace?: string;
    readonly uid?: string;
    readonly resourceVersion?: string;
    readonly generation?: number;
    readonly creationTimestamp?: string | null;
    readonly deletionTimestamp?: string | null;
    readonly deletionGracePeriodSeconds?: number;
    readonly labels?: {
        readonly [key: string]: string;
    };
    readonly annotations?: {
        readonly [key: string]: string;
    };
    readonly ownerReferences?: readonly OwnerReference[];
    readonly finalizers?: readonly string[];
}

interface OwnerReference extends JsonObject {
    readonly apiVersion: string;
    readonly kind: string;
    readonly name: string;
    readonly uid: string;
}

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

// src/authentication/jwt-signer.ts

type JwtSigner = (claims: JsonObject) => Promise<string>;

// src/authentication/service-account-token.ts

interface ServiceAccountIssuer {
    readonly issuer: string;
    readonly audiences: readonly string[];
    readonly maxExpirationSeconds: number;
    readonly extendsExpiration: boolean;
    readonly sign: JwtSigner;
}

// src/catalog/api-resource.ts

interface ApiResource {
    readonly group: string;
    readonly version: string;
    readonly resource: string;
    readonly kind: string;
    readonly singular: string;
    readonly namespaced: boolean;
    readonly verbs: readonly string[];
    readonly shortNames: readonly string[];
    readonly categories: readonly string[];
    readonly subresources: ReadonlyMap<string, ApiSubresource>;
    readonly lifecycle: Lifecycle;
}

interface ApiSubresource {
    readonly name: string;
    readonly gvk: GroupVersionKind;
    readonly verbs: readonly string[];
    readonly connect: readonly string[];
}

interface Lifecycle {
    readonly introduced: Release;
    readonly deprecated: Release | undefined;
    readonly removed: Release | undefined;
    readonly replacement: GroupVersionKind | undefined;
}

type Release = `1.${number}`;

// src/catalog/catalog.ts

class Catalog {
    #private;
    readonly release: Release;
    constructor(release: Release, served: readonly ServedVersion[]);
    groupVersions(): readonly GroupVersion[];
    resources(gv: GroupVersion): readonly ApiResource[];
    resource(gvr: GroupVersionResource): ApiResource | undefined;
    kind(gvk: GroupVersionKind): StructSchema | undefined;
    kindsOf(gv: GroupVersion): Iterable<[kind: string, schema: StructSchema]>;
    type(gv: GroupVersion, name: string): Schema | undefined;
    types(gv: GroupVersion): ReadonlyMap<string, Schema>;
}

// src/catalog/feature-gates.ts

interface FeatureGates {
    readonly minor: number;
    readonly isEnabled: (name: string) => boolean;
}

// src/catalog/served-versions.ts

interface ServedVersion extends GroupVersion {
    readonly resources: readonly string[];
}

// src/cluster/client.ts

interface ApplyOptions extends WriteOptions {
    readonly force?: boolean;
}

class ClusterClient {
    #private;
    constructor(handler: Handler, token: string, catalog: Catalog, userAgent?: string);
    get(apiVersion: string, kind: string, name: string, options?: ObjectOptions): Promise<KubeObject>;
    list(apiVersion: string, kind: string, options?: ListOptions): Promise<KubeList>;
    create(object: JsonObject, options?: WriteOptions): Promise<KubeObject>;
    update(object: JsonObject, options?: WriteOptions): Promise<KubeObject>;
    patch(apiVersion: string, kind: string, name: string, patch: JsonValue, options?: PatchOptions): Promise<KubeObject>;
    apply(object: JsonObject, options?: ApplyOptions): Promise<KubeObject>;
    delete(apiVersion: string, kind: string, name: string, options?: DeleteOptions): Promise<KubeObject | Status>;
    deleteCollection(apiVersion: string, kind: string, options?: DeleteCollectionOptions): Promise<KubeList>;
    load(objects: readonly JsonObject[]): Promise<void>;
}

interface DeleteCollectionOptions {
    readonly namespace?: string;
    readonly labelSelector?: string;
    readonly fieldSelector?: string;
    readonly dryRun?: boolean;
    readonly gracePeriodSeconds?: number;
    readonly propagationPolicy?: "Orphan" | "Background" | "Foreground";
}

interface DeleteOptions extends ObjectOptions {
    readonly dryRun?: boolean;
    readonly gracePeriodSeconds?: number;
    readonly propagationPolicy?: "Orphan" | "Background" | "Foreground";
    readonly preconditions?: {
        readonly uid?: string;
        readonly resourceVersion?: string;
    };
    readonly ignoreStoreReadErrorWithClusterBreakingPotential?: boolean;
}

interface KubeList extends JsonObject {
    readonly metadata: JsonObject;
    readonly items: readonly KubeObject[];
}

interface ListOptions {
    readonly namespace?: string;
    readonly labelSelector?: string;
    readonly fieldSelector?: string;
    readonly limit?: number;
    readonly continue?: string;
    readonly resourceVersion?: string;
    readonly resourceVersionMatch?: "Exact" | "NotOlderThan";
}

interface ObjectOptions {
    readonly namespace?: string;
    readonly subresource?: string;
}

interface PatchOptions extends WriteOptions {
    readonly type?: "json" | "merge" | "strategic";
}

interface WriteOptions extends ObjectOptions {
    readonly dryRun?: boolean;
    readonly fieldManager?: string;
    readonly fieldValidation?: "Ignore" | "Warn" | "Strict";
}

// src/cluster/cluster.ts

interface CheckOptions {
    readonly allowUnserved?: AllowedPaths;
}

class ClusterCore {
    #private;
    constructor(config: Config, state?: Store<KubeObject>);
    readonly log: RequestLog;
    readonly reachability: ReachabilityControl;
    readonly watches: OpenWatches;
    readonly faults: Faults;
    readonly deliveries: WatchDeliveries;
    readonly handler: Handler;
    readonly ownHandler: Handler;
    get release(): Release;
    get clock(): ClusterClock;
    adminToken(): string;
    token(name: string, { groups, uid }?: UserOptions): string;
    client(token: string): ClusterClient;
    admin(): ClusterClient;
    corrupt(apiVersion: string, kind: string, name: string, { namespace }: ObjectOptions): Promise<void>;
    compact(): void;
    snapshot(): ClusterSnapshot;
    restore(snapshot: ClusterSnapshot, { watches }: RestoreOptions): void;
    fork(): ClusterCore;
    settle(): Promise<void>;
    check({ allowUnserved }: CheckOptions): void;
    close(): Promise<void>;
    start(): Promise<void>;
}

interface ClusterSnapshot {
    readonly state: Snapshot<KubeObject>;
    readonly identifiers: number;
}

interface RestoreOptions {
    readonly watches?: "end" | "keep";
}

interface UserOptions {
    readonly groups?: readonly string[];
    readonly uid?: string;
}

// src/cluster/identifiers.ts

interface ClusterIdentifiers extends Identifiers {
    readonly auditId: () => string;
    readonly fraction: () => number;
    readonly fork: () => ClusterIdentifiers;
    readonly position: () => number;
    readonly goOnFrom: (position: number) => void;
}

// src/cluster/options.ts

type AuthorizationMode = "AlwaysAllow" | "AlwaysDeny" | "RBAC";

interface ClusterOptions {
    readonly release?: string;
    readonly objects?: readonly JsonObject[];
    readonly runtimeConfig?: ReadonlyMap<string, boolean>;
    readonly featureGates?: ReadonlyMap<string, boolean>;
    readonly controllers?: readonly string[];
    readonly rootCa?: string;
    readonly tokens?: ReadonlyMap<string, UserInfo>;
    readonly auditLevel?: AuditLevel;
    readonly authorizationMode?: AuthorizationMode;
    readonly clock?: ClusterClock;
    readonly seed?: number;
    readonly historyMilliseconds?: number;
    readonly watchCapacity?: number;
    readonly serviceClusterIpRange?: string;
    readonly serviceNodePortRange?: string;
    readonly advertiseAddress?: string;
}

interface Config {
    readonly catalog: Catalog;
    readonly objects: readonly JsonObject[];
    readonly featureGates: FeatureGates;
    readonly controllers: readonly string[];
    readonly rootCa: string;
    readonly tokens: ReadonlyMap<string, UserInfo>;
    readonly auditLevel: AuditLevel;
    readonly authorizationMode: AuthorizationMode;
    readonly clock: ClusterClock;
    readonly identifiers: ClusterIdentifiers;
    readonly historyMilliseconds: number;
    readonly watchCapacity: number;
    readonly serviceRanges: ServiceRanges;
    readonly serviceAccountIssuer: ServiceAccountIssuer;
    readonly advertiseAddress: string;
}

// src/codec/encodable.ts

interface Encodable {
    readonly value: KubeObject;
    encoded(form: string, encode: (value: KubeObject) => Uint8Array): Uint8Array;
}

// src/endpoints/watch-deliveries.ts

interface HeldDeliveries {
    readonly waiting: readonly WatchDelivery[];
    step(scope?: RequestScope): Promise<WatchDelivery | undefined>;
    release(): Promise<void>;
    [Symbol.asyncDispose](): Promise<void>;
}

interface HoldOptions extends RequestScope {
    readonly seed?: number;
}

class WatchDeliveries implements Watches {
    #private;
    get open(): readonly RequestFacts[];
    add(request: RequestFacts, source: ResourceWatch): ResourceWatch;
    hold(options?: HoldOptions): HeldDeliveries;
    shuffle(seed: number, scope?: RequestScope): HeldDeliveries;
}

interface WatchDelivery {
    readonly watch: RequestFacts;
    readonly type: "ADDED" | "MODIFIED" | "DELETED";
    readonly namespace: string;
    readonly name: string;
    readonly resourceVersion: string;
}

interface Watches {
    readonly open: readonly RequestFacts[];
    hold(options?: HoldOptions): HeldDeliveries;
    shuffle(seed: number, scope?: RequestScope): HeldDeliveries;
}

// src/index.ts

class Cluster {
    #private;
    readonly fetch: Fetch;
    constructor(core: ClusterCore);
    get release(): Release;
    get clock(): ClusterClock;
    get handler(): Handler;
    adminToken(): string;
    token(name: string, options?: UserOptions): string;
    kubeconfig(options: KubeconfigOptions): string;
    as(name: string, options?: UserOptions): ClusterClient;
    get(apiVersion: string, kind: string, name: string, options?: ObjectOptions): Promise<KubeObject>;
    list(apiVersion: string, kind: string, options?: ListOptions): Promise<KubeList>;
    create(object: JsonObject, options?: WriteOptions): Promise<KubeObject>;
    update(object: JsonObject, options?: WriteOptions): Promise<KubeObject>;
    patch(apiVersion: string, kind: string, name: string, patch: JsonValue, options?: PatchOptions): Promise<KubeObject>;
    apply(object: JsonObject, options?: ApplyOptions): Promise<KubeObject>;
    delete(apiVersion: string, kind: string, name: string, options?: DeleteOptions): Promise<KubeObject | Status>;
    deleteCollection(apiVersion: string, kind: string, options?: DeleteCollectionOptions): Promise<KubeList>;
    load(objects: readonly JsonObject[]): Promise<void>;
    corrupt(apiVersion: string, kind: string, name: string, options?: Pick<ObjectOptions, "namespace">): Promise<void>;
    get reachability(): Reachability;
    get requests(): Requests;
    get faults(): InjectedFaults;
    inject(scenario: Scenario): FaultHandle;
    get watches(): Watches;
    check(options?: CheckOptions): void;
    compact(): void;
    snapshot(): ClusterSnapshot;
    restore(snapshot: ClusterSnapshot, options?: RestoreOptions): void;
    fork(): Cluster;
    settle(): Promise<void>;
    close(): Promise<void>;
    [Symbol.asyncDispose](): Promise<void>;
}

function createCluster(options?: ClusterOptions): Cluster;

// src/registry/core/service-ranges.ts

interface PortRange {
    readonly first: number;
    readonly last: number;
}

interface ServiceRanges {
    readonly clusterIps: readonly Cidr[];
    readonly nodePorts: PortRange;
}

// src/registry/generic/system-fields.ts

interface Identifiers {
    readonly uid: () => string;
    readonly suffix: (length: number) => string;
    readonly number: (bound: number) => number;
}

// src/registry/rest.ts

interface ResourceEvent {
    readonly type: "ADDED" | "MODIFIED" | "DELETED";
    readonly object: Encodable;
    readonly revision: number;
}

interface ResourceWatch {
    readonly initial: readonly Encodable[];
    readonly revision: number;
    drain(): readonly ResourceEvent[];
    onReady(callback: () => void): void;
    readonly heldAt?: number | undefined;
    readonly ended: boolean;
    readonly error: StorageError | undefined;
    close(): void;
}

// src/request/handler.ts

interface ApiRequest {
    readonly method: string;
    readonly target: string;
    readonly headers: HeaderLookup;
    readonly body: (limit: number) => Promise<Uint8Array>;
    readonly signal: AbortSignal;
}

interface ApiResponse {
    readonly status: number;
    readonly headers: readonly (readonly [name: string, value: string])[];
    readonly body: ApiResponseBody;
}

type ApiResponseBody = Uint8Array | readonly Uint8Array[] | AsyncIterable<Uint8Array> | undefined;

type Handler = (request: ApiRequest, peer: Peer) => Promise<ApiResponse>;

interface HeaderLookup {
    get(name: string): string | undefined;
    getAll(name: string): readonly string[];
}

// src/request/peer.ts

interface Peer {
    readonly remoteAddress: string;
    readonly certificate: PeerCertificate | undefined;
}

interface PeerCertificate {
    readonly raw: Uint8Array;
    readonly authorized: boolean;
}

// src/request/reachability.ts

interface Reachability {
    readonly isReachable: boolean;
    onChange(listener: (isReachable: boolean) => void): () => void;
}

class ReachabilityControl implements Reachability {
    #private;
    get isReachable(): boolean;
    interrupt(): () => void;
    onChange(listener: (isReachable: boolean) => void): () => void;
}

// src/scenario/audit-event.ts

interface AuditEvent extends JsonObject {
    readonly kind: "Event";
    readonly apiVersion: "audit.k8s.io/v1";
    readonly level: AuditLevel;
    readonly auditID: string;
    readonly stage: AuditStage;
    readonly requestURI: string;
    readonly verb: string;
    readonly user: JsonObject;
    readonly requestReceivedTimestamp: string;
    readonly stageTimestamp: string;
}

type AuditLevel = "Metadata" | "Request" | "RequestResponse";

type AuditStage = "RequestReceived" | "ResponseStarted" | "ResponseComplete";

// src/scenario/fault.ts

interface FaultHandle {
    readonly scenario: Scenario;
    readonly hits: number;
    readonly isOver: boolean;
    hit(times?: number): Promise<void>;
    remove(): void;
    [Symbol.dispose](): void;
}

// src/scenario/faults.ts

class Faults implements InjectedFaults {
    #private;
    constructor(log: RequestLog, cluster: ClusterControls);
    get inForce(): readonly FaultHandle[];
    get isEmpty(): boolean;
    inject(scenario: Scenario): FaultHandle;
    take(request: LoggedRequest, headers?: HeaderLookup): Scenario | undefined;
    check(): void;
}

interface InjectedFaults {
    readonly inForce: readonly FaultHandle[];
    check(): void;
}

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

type OpenEntry = {
    -readonly [field in keyof LoggedRequest]: LoggedRequest[field];
};

interface ReachedRoute {
    readonly scope: "resource" | "namespace" | "cluster";
    readonly removedRelease: string | undefined;
}

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

// src/scenario/request-log.ts

interface NearMiss {
    readonly request: LoggedRequest;
    readonly missed: readonly (keyof RequestScope)[];
}

class RequestLog implements Requests {
    #private;
    readonly level: AuditLevel;
    constructor(capacity: number, level?: AuditLevel);
    add(request: LoggedRequest): void;
    keepBody(entry: OpenEntry, name: "requestBody" | "responseBody", body: Uint8Array): void;
    get all(): readonly LoggedRequest[];
    matching(scope: RequestScope): readonly LoggedRequest[];
    next(scope: RequestScope): Promise<LoggedRequest>;
    answered(request: LoggedRequest): void;
    nearest(scope: RequestScope): NearMiss | undefined;
    get unserved(): readonly LoggedRequest[];
    auditEvents(scope?: RequestScope): readonly AuditEvent[];
    clear(): void;
}

interface Requests {
    readonly all: readonly LoggedRequest[];
    matching(scope: RequestScope): readonly LoggedRequest[];
    next(scope: RequestScope): Promise<LoggedRequest>;
    nearest(scope: RequestScope): NearMiss | undefined;
    readonly unserved: readonly LoggedRequest[];
    auditEvents(scope?: RequestScope): readonly AuditEvent[];
    clear(): void;
}

// src/scenario/request-matcher.ts

type RequestFacts = Pick<LoggedRequest, keyof RequestScope>;

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
    readonly begin: ((cluster: ClusterControls, struck: () => void) => () => void) | undefined;
}

type Strike = (server: FaultContext) => Promise<ApiResponse>;

type ApiResponse = ApiResponse;

interface FaultContext {
    readonly request: LoggedRequest;
    readonly query: URLSearchParams;
    readonly headers: HeaderLookup;
    readonly clock: Clock;
    readonly revision: () => number;
    readonly signal: AbortSignal;
    readonly answer: () => Promise<ApiResponse>;
    readonly answerFrom: (view: StateView) => Promise<ApiResponse>;
    readonly answerDelete: (returns: "object" | "status") => Promise<ApiResponse>;
    readonly answerUnlessAdmitted: (refuse: (name: string) => StatusError) => Promise<ApiResponse>;
    readonly forbidden: () => StatusError;
    readonly viewOf: (revisionsAgo: number) => StateView;
    readonly watches: OpenWatches;
    readonly watchFormat: (contentType: string) => Promise<WatchFormat>;
    readonly expireHistory: () => void;
    readonly raceWriter: () => Promise<void>;
}

// src/scenario/state-view.ts

interface StateView {
    catchUp(): void;
}

// src/scenario/cluster-controls.ts

interface ClusterControls {
    readonly clock: Clock;
    readonly interrupt: () => () => void;
    readonly watches: OpenWatches;
    readonly viewOf: (revisionsAgo: number) => StateView;
    readonly expireHistory: () => void;
}

// src/scenario/unserved-requests.ts

type AllowedPaths = boolean | readonly (string | RegExp)[];

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

// src/schema/structural-schema.ts

interface EitherSchema {
    readonly type: "either";
    readonly name: string;
    readonly gv: GroupVersion;
    readonly alternatives: readonly Schema[];
    readonly fields: readonly FieldSchema[];
    readonly message: readonly MessageField[];
}

interface FieldSchema {
    readonly name: string;
    readonly schema: Schema;
    readonly declaredBy: string;
    readonly required: boolean;
    readonly emit: boolean;
    readonly pointer: boolean;
    readonly list: "atomic" | "set" | "map" | undefined;
    readonly keys: readonly string[];
    readonly mapType: "atomic" | "granular" | undefined;
    readonly patchStrategy: readonly ("merge" | "replace" | "retainKeys")[];
    readonly patchMergeKey: string | undefined;
    readonly default: JsonValue | undefined;
    readonly enum: readonly string[];
}

interface ListSchema {
    readonly type: "list";
    readonly items: Schema;
    readonly message: {
        readonly name: string;
        readonly proto: number;
    } | undefined;
}

interface MapSchema {
    readonly type: "map";
    readonly values: Schema;
}

interface MessageField {
    readonly number: number;
    readonly content: FieldSchema | {
        readonly inline: StructSchema;
    };
}

interface ScalarSchema {
    readonly type: "scalar";
    readonly scalar: ScalarType;
}

type ScalarType = "string" | "bool" | "int32" | "int64" | "uint32" | "uint64" | "double" | "float" | "bytes" | "time" | "microtime" | "duration" | "quantity" | "intOrString" | "rawExtension" | "json" | "fieldsV1" | "unknown";

type Schema = ScalarSchema | ListSchema | MapSchema | StructSchema | EitherSchema;

interface StructSchema {
    readonly type: "struct";
    readonly name: string;
    readonly gv: GroupVersion;
    readonly typeMeta: boolean;
    readonly fields: readonly FieldSchema[];
    field(name: string): FieldSchema | undefined;
    readonly message: readonly MessageField[];
    readonly mapType: "atomic" | "granular" | undefined;
    readonly unions: readonly Union[];
}

interface Union {
    readonly discriminator: string | undefined;
    readonly fields: {
        readonly [field: string]: string;
    };
}

// src/store/keyspace.ts

class Keyspace<T extends object> {
    #private;
    private constructor();
    static empty<T extends object>(revision: Revision): Keyspace<T>;
    fork(): Keyspace<T>;
    get revision(): Revision;
    get hasCorrupt(): boolean;
    get compactRevision(): Revision;
    get(key: string, at: Revision): StoredValue<T> | undefined;
    range(options: RangeOptions<T>): RangePage<T>;
    count(prefix: string, at: Revision): number;
    write(version: Version<T>, previous: StoredValue<T> | undefined, time: number): StoreEvent<T>;
    since(revision: Revision, matches: (key: string) => boolean): StoreEvent<T>[];
    expire(time: number): void;
    compact(revision: Revision): void;
}

interface RangeOptions<T extends object> {
    readonly prefix: string;
    readonly start?: string | undefined;
    readonly limit?: number | undefined;
    readonly at?: Revision | undefined;
    readonly select?: ((value: StoredValue<T>) => boolean) | undefined;
}

interface RangePage<T extends object> {
    readonly items: StoredValue<T>[];
    readonly more: boolean;
    readonly remaining: number;
    readonly revision: Revision;
}

// src/store/revision.ts

type Revision = number;

// src/store/snapshot.ts

class Snapshot<T extends object> {
    #private;
    constructor(keyspace: Keyspace<T>);
    get revision(): Revision;
    open(): Keyspace<T>;
}

// src/store/storage-error.ts

interface RequestedRevision {
    readonly requested: Revision;
    readonly compactRevision: Revision;
    readonly revision: Revision;
}

class StorageError extends Error {
    readonly name = "StorageError";
    readonly reason: StorageErrorReason;
    readonly requested: RequestedRevision | undefined;
    constructor(reason: StorageErrorReason, message: string, options?: {
        readonly requested?: RequestedRevision;
        readonly cause?: unknown;
    });
    static [Symbol.hasInstance](value: unknown): value is StorageError;
}

type StorageErrorReason = "compacted" | "future" | "tooSlow" | "restored" | "callbackFailed";

// src/store/store.ts

type Change<T extends object> = {
    readonly type: "put";
    readonly value: T;
} | Deletion<T> | {
    readonly type: "unchanged";
};

interface Deletion<T extends object> {
    readonly type: "delete";
    readonly last?: T;
    readonly others?: readonly string[];
}

class Store<T extends object> {
    #private;
    constructor(options: StoreOptions<T>);
    get revision(): Revision;
    get compactRevision(): Revision;
    get(key: string, at?: Revision): StoredValue<T> | undefined;
    range({ prefix, start, limit, at, select }: RangeOptions<T>): RangePage<T>;
    get hasCorrupt(): boolean;
    count(prefix: string): number;
    guaranteedUpdate(key: string, change: (current: StoredValue<T> | undefined, revision: Revision) => Change<T>): Promise<UpdateResult<T>>;
    corrupt(key: string, within: string): void;
    watch(options: WatchOptions): WatchFeed<T>;
    compact(revision?: Revision): void;
    fork(clock?: Clock): Store<T>;
    snapshot(): Snapshot<T>;
    restore(snapshot: Snapshot<T>, watchers?: "end" | "keep"): void;
    replica(at: Revision): Store<T>;
    follow(source: Store<T>): void;
}

interface StoreOptions<T extends object> {
    readonly clock: Clock;
    readonly historyMilliseconds: number;
    readonly stamp: (value: T, revision: Revision) => T;
    readonly labelsOf: (value: T) => Labels;
    readonly watchCapacity: number;
    readonly startRevision?: Revision;
}

type UpdateResult<T extends object> = StoreEvent<T> | {
    readonly type: "unchanged";
    readonly revision: Revision;
    readonly key: string;
    readonly value: StoredValue<T> | undefined;
};

interface WatchOptions {
    readonly prefix: string;
    readonly from: Revision;
    readonly signal?: AbortSignal | undefined;
    readonly outlivesRestore?: boolean;
}

// src/store/stored-value.ts

interface StoreEvent<T extends object = object> {
    readonly type: "put" | "delete";
    readonly revision: Revision;
    readonly key: string;
    readonly value: StoredValue<T>;
    readonly previous: StoredValue<T> | undefined;
}

interface StoredValue<T extends object = object> {
    readonly key: string;
    readonly value: T;
    readonly labels: Labels;
    readonly createRevision: Revision;
    readonly modRevision: Revision;
    readonly version: number;
    readonly corrupt: boolean;
    encoded(mediaType: string, encode: (value: T) => Uint8Array): Uint8Array;
}

class Version<T extends object> implements StoredValue<T> {
    #private;
    readonly value: T;
    readonly labels: Labels;
    readonly modRevision: Revision;
    readonly tombstone: boolean;
    readonly corrupt: boolean;
    readonly key: string;
    readonly createRevision: Revision;
    readonly version: number;
    constructor(type: StoreEvent["type"] | "corrupt", key: string, value: T, labels: Labels, modRevision: Revision, previous: StoredValue<T> | undefined);
    get live(): boolean;
    at(revision: Revision): this | undefined;
    encoded(mediaType: string, encode: (value: T) => Uint8Array): Uint8Array;
}

// src/store/watch-feed.ts

interface WatchFeed<T extends object> extends AsyncIterableIterator<StoreEvent<T>, undefined, undefined> {
    readonly ended: boolean;
    readonly error: StorageError | undefined;
    next(): Promise<IteratorResult<StoreEvent<T>, undefined>>;
    return(): Promise<IteratorResult<StoreEvent<T>, undefined>>;
    drain(): readonly StoreEvent<T>[];
    onReady(callback: () => void): void;
    close(): void;
}

// src/transports/fetch.ts

type Fetch = (input: Request | string | URL, init?: RequestInit) => Promise<Response>;

// src/transports/kubeconfig.ts

interface KubeconfigOptions {
    readonly server: string;
    readonly certificateAuthorityData?: string;
    readonly token?: string;
    readonly namespace?: string;
    readonly user?: string;
    readonly cluster?: string;
}
