// Written by `npm run api`: what this entry exports, and all that can be reached from it.

export { GlobalSetup, setup, sharedServer };

// src/apimachinery/clock.ts

// as in index.d.ts: Clock, ClusterClock, Timer

// src/apimachinery/errors.ts

// as in index.d.ts: StatusError

// src/apimachinery/group-version.ts

// as in index.d.ts: GroupVersion, GroupVersionKind, GroupVersionResource

// src/apimachinery/ip.ts

// as in index.d.ts: Cidr, IpAddress

// src/apimachinery/json.ts

// as in index.d.ts: JsonObject, JsonValue

// src/apimachinery/label-requirement.ts

// as in index.d.ts: Labels

// src/apimachinery/object-meta.ts

// as in index.d.ts: KubeObject, ObjectMeta, OwnerReference

// src/apimachinery/status.ts

// as in index.d.ts: Status, StatusCause, StatusDetails, StatusReason

// src/apimachinery/user-info.ts

// as in index.d.ts: UserInfo

// src/authentication/jwt-signer.ts

// as in index.d.ts: JwtSigner

// src/authentication/service-account-token.ts

// as in index.d.ts: ServiceAccountIssuer

// src/catalog/api-resource.ts

// as in index.d.ts: ApiResource, ApiSubresource, Lifecycle, Release

// src/catalog/catalog.ts

// as in index.d.ts: Catalog

// src/catalog/feature-gates.ts

// as in index.d.ts: FeatureGates

// src/catalog/served-versions.ts

// as in index.d.ts: ServedVersion

// src/cluster/client.ts

// as in index.d.ts: ApplyOptions, ClusterClient, DeleteCollectionOptions, DeleteOptions, KubeList, ListOptions, ObjectOptions, PatchOptions, WriteOptions

// src/cluster/cluster.ts

// as in index.d.ts: CheckOptions, ClusterCore, ClusterSnapshot, RestoreOptions, UserOptions

// src/cluster/identifiers.ts

// as in index.d.ts: ClusterIdentifiers

// src/cluster/options.ts

// as in index.d.ts: AuthorizationMode, ClusterOptions, Config

// src/codec/encodable.ts

// as in index.d.ts: Encodable

// src/endpoints/watch-deliveries.ts

// as in index.d.ts: HeldDeliveries, HoldOptions, WatchDeliveries, WatchDelivery, Watches

// src/index.ts

// as in index.d.ts: Cluster

// src/registry/core/service-ranges.ts

// as in index.d.ts: PortRange, ServiceRanges

// src/registry/generic/system-fields.ts

// as in index.d.ts: Identifiers

// src/registry/rest.ts

// as in index.d.ts: ResourceEvent, ResourceWatch

// src/request/handler.ts

// as in index.d.ts: ApiRequest, ApiResponse, ApiResponseBody, Handler, HeaderLookup

// src/request/peer.ts

// as in index.d.ts: Peer, PeerCertificate

// src/request/reachability.ts

// as in index.d.ts: Reachability, ReachabilityControl

// src/runners/shared-server.ts

interface SharedServer {
    readonly url: string;
    readonly kubeconfig: string;
}

// src/runners/test-clusters.ts

interface ClusterTestOptions extends ClusterOptions {
    readonly prepare?: (cluster: Cluster) => Promise<unknown>;
    readonly allowUnserved?: AllowedPaths;
}

// src/runners/vitest-global-setup.ts

type GlobalSetup = (project: ProvidingProject) => Promise<() => Promise<void>>;

interface ProvidingProject {
    readonly provide: (key: "kubedouble", value: SharedServer) => void;
}

const setup: GlobalSetup;

function sharedServer(options?: ClusterTestOptions): GlobalSetup;

// src/scenario/audit-event.ts

// as in index.d.ts: AuditEvent, AuditLevel, AuditStage

// src/scenario/fault.ts

// as in index.d.ts: FaultHandle

// src/scenario/faults.ts

// as in index.d.ts: Faults, InjectedFaults

// src/scenario/logged-request.ts

// as in index.d.ts: AccessDecision, LoggedRequest, OpenEntry, ReachedRoute

// src/scenario/open-watches.ts

// as in index.d.ts: Observer, OpenWatch, OpenWatches, Piece

// src/scenario/request-log.ts

// as in index.d.ts: NearMiss, RequestLog, Requests

// src/scenario/request-matcher.ts

// as in index.d.ts: RequestFacts, RequestScope

// src/scenario/scenario.ts

// as in index.d.ts: Need, Scenario, Strike, ApiResponse, FaultContext

// src/scenario/state-view.ts

// as in index.d.ts: StateView

// src/scenario/cluster-controls.ts

// as in index.d.ts: ClusterControls

// src/scenario/unserved-requests.ts

// as in index.d.ts: AllowedPaths

// src/scenario/watch-format.ts

// as in index.d.ts: DecodedEvent, WatchFormat

// src/schema/structural-schema.ts

// as in index.d.ts: EitherSchema, FieldSchema, ListSchema, MapSchema, MessageField, ScalarSchema, ScalarType, Schema, StructSchema, Union

// src/store/keyspace.ts

// as in index.d.ts: Keyspace, RangeOptions, RangePage

// src/store/revision.ts

// as in index.d.ts: Revision

// src/store/snapshot.ts

// as in index.d.ts: Snapshot

// src/store/storage-error.ts

// as in index.d.ts: RequestedRevision, StorageError, StorageErrorReason

// src/store/store.ts

// as in index.d.ts: Change, Deletion, Store, StoreOptions, UpdateResult, WatchOptions

// src/store/stored-value.ts

// as in index.d.ts: StoreEvent, StoredValue, Version

// src/store/watch-feed.ts

// as in index.d.ts: WatchFeed

// src/transports/fetch.ts

// as in index.d.ts: Fetch

// src/transports/kubeconfig.ts

// as in index.d.ts: KubeconfigOptions
