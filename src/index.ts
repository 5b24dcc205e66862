import type { ClusterClock } from "./apimachinery/clock.ts";
import type { JsonObject, JsonValue } from "./apimachinery/json.ts";
import type { KubeObject } from "./apimachinery/object-meta.ts";
import type { Status } from "./apimachinery/status.ts";
import type { Release } from "./catalog/api-resource.ts";
import type {
  ApplyOptions,
  ClusterClient,
  DeleteCollectionOptions,
  DeleteOptions,
  KubeList,
  ListOptions,
  ObjectOptions,
  PatchOptions,
  WriteOptions,
} from "./cluster/client.ts";
import type { CheckOptions, ClusterSnapshot, RestoreOptions, UserOptions } from "./cluster/cluster.ts";
import { ClusterCore } from "./cluster/cluster.ts";
import { type ClusterOptions, completeOptions } from "./cluster/options.ts";
import type { Watches } from "./endpoints/contract/watch-deliveries.ts";
import type { Handler } from "./request/handler.ts";
import type { Reachability } from "./request/reachability.ts";
import type { FaultHandle } from "./scenario/fault.ts";
import type { InjectedFaults } from "./scenario/faults.ts";
import type { Requests } from "./scenario/request-log.ts";
import type { Scenario } from "./scenario/scenario.ts";
import { type KubeconfigOptions, kubeconfig } from "./transports/contract/kubeconfig.ts";
import { createFetch, type Fetch } from "./transports/web/fetch.ts";

export type { Clock, ClusterClock, Timer } from "./apimachinery/clock.ts";
export { VirtualClock } from "./apimachinery/clock.ts";
export { StatusError } from "./apimachinery/errors/errors.ts";
export type { JsonObject, JsonValue } from "./apimachinery/json.ts";
export type { KubeObject, ObjectMeta } from "./apimachinery/object-meta.ts";
export type { Status, StatusCause, StatusDetails, StatusReason } from "./apimachinery/status.ts";
export type { UserInfo } from "./apimachinery/user-info.ts";
export type {
  ApplyOptions,
  ClusterClient,
  DeleteCollectionOptions,
  DeleteOptions,
  KubeList,
  ListOptions,
  ObjectOptions,
  PatchOptions,
  WriteOptions,
} from "./cluster/client.ts";
export type { CheckOptions, ClusterSnapshot, RestoreOptions, UserOptions } from "./cluster/cluster.ts";
export type { AuthorizationMode, ClusterOptions } from "./cluster/options.ts";
export type {
  HeldDeliveries,
  HoldOptions,
  WatchDelivery,
  Watches,
} from "./endpoints/contract/watch-deliveries.ts";
export type { ApiRequest, ApiResponse, Handler, HeaderLookup } from "./request/handler.ts";
export type { Peer } from "./request/peer.ts";
export type { Reachability } from "./request/reachability.ts";
export type { AuditEvent, AuditLevel, AuditStage } from "./scenario/audit-event.ts";
export type { FaultHandle } from "./scenario/fault.ts";
export type { InjectedFaults } from "./scenario/faults.ts";
export type { AccessDecision, LoggedRequest, ReachedRoute } from "./scenario/logged-request.ts";
export type { NearMiss, Requests } from "./scenario/request-log.ts";
export type { RequestFacts, RequestScope } from "./scenario/request-matcher.ts";
export type { Scenario } from "./scenario/scenario.ts";
export type { AllowedPaths } from "./scenario/unserved-requests.ts";
export type { Fetch } from "./transports/web/fetch.ts";

/** A Kubernetes API in this process. */
export class Cluster {
  readonly #core: ClusterCore;
  /** Asks the cluster as the web's fetch would, whatever the origin of the URL. */
  readonly fetch: Fetch;

  /** Use `createCluster`. */
  constructor(core: ClusterCore) {
    this.#core = core;
    this.fetch = createFetch(core.handler);
  }

  /** The release of Kubernetes that the cluster emulates. */
  get release(): Release {
    return this.#core.release;
  }

  /** The cluster's time: `cluster.clock.advance("5m")`. History, tokens, watches and Events expire by it. */
  get clock(): ClusterClock {
    return this.#core.clock;
  }

  /** What every transport calls. */
  get handler(): Handler {
    return this.#core.handler;
  }

  /** A bearer token of an administrator. */
  adminToken(): string {
    return this.#core.adminToken();
  }

  /** A bearer token that authenticates as this user, for as long as the cluster lives. */
  token(name: string, options: UserOptions = {}): string {
    return this.#core.token(name, options);
  }

  /** The YAML of a kubeconfig for any client. It speaks as administrator unless a token is given. */
  kubeconfig(options: KubeconfigOptions): string {
    return kubeconfig({ token: this.adminToken(), ...options });
  }

  /** A client that is somebody else: `cluster.as("alice", { groups: ["dev"] }).list("v1", "Pod")`. */
  as(name: string, options: UserOptions = {}): ClusterClient {
    return this.#core.client(this.token(name, options));
  }

  /** Reads an object as administrator. @throws {StatusError} notFound and the server's other refusals */
  get(apiVersion: string, kind: string, name: string, options: ObjectOptions = {}): Promise<KubeObject> {
    return this.#admin().get(apiVersion, kind, name, options);
  }

  /** Lists objects as administrator. @throws {StatusError} the server's refusal */
  list(apiVersion: string, kind: string, options: ListOptions = {}): Promise<KubeList> {
    return this.#admin().list(apiVersion, kind, options);
  }

  /** Creates an object as administrator. @throws {StatusError} alreadyExists, invalid and other refusals */
  create(object: JsonObject, options: WriteOptions = {}): Promise<KubeObject> {
    return this.#admin().create(object, options);
  }

  /** Replaces an object as administrator. @throws {StatusError} conflict, invalid and other refusals */
  update(object: JsonObject, options: WriteOptions = {}): Promise<KubeObject> {
    return this.#admin().update(object, options);
  }

  /** Patches an object as administrator. @throws {StatusError} the server's refusal */
  patch(
    apiVersion: string,
    kind: string,
    name: string,
    patch: JsonValue,
    options: PatchOptions = {},
  ): Promise<KubeObject> {
    return this.#admin().patch(apiVersion, kind, name, patch, options);
  }

  /**
   * Applies a manifest on the server's side, as administrator.
   * @throws {StatusError} conflict, with the fields that belong to other managers, and other refusals
   */
  apply(object: JsonObject, options: ApplyOptions = {}): Promise<KubeObject> {
    return this.#admin().apply(object, options);
  }

  /** Deletes an object as administrator. @throws {StatusError} notFound, conflict and other refusals */
  delete(
    apiVersion: string,
    kind: string,
    name: string,
    options: DeleteOptions = {},
  ): Promise<KubeObject | Status> {
    return this.#admin().delete(apiVersion, kind, name, options);
  }

  /** Deletes the objects that a list would give, as administrator. @throws {StatusError} the server's refusal */
  deleteCollection(
    apiVersion: string,
    kind: string,
    options: DeleteCollectionOptions = {},
  ): Promise<KubeList> {
    return this.#admin().deleteCollection(apiVersion, kind, options);
  }

  /**
   * Creates these manifests, and replaces what is there already, as administrator. Lists are taken apart.
   * @throws {StatusError} what the server says of the first that it refuses
   */
  load(objects: readonly JsonObject[]): Promise<void> {
    return this.#admin().load(objects);
  }

  #admin(): ClusterClient {
    return this.#core.admin();
  }

  /**
   * Makes a stored object unreadable, as if it had been encrypted with a key that the server does not have. Whoever gets,
   * changes or deletes it is answered 500, lists of its resource 500 or 429, watches 429; those that are open end. A
   * DELETE with `ignoreStoreReadErrorWithClusterBreakingPotential` removes it where the feature gate
   * AllowUnsafeMalformedObjectDeletion is open, and `restore` brings back what was there before.
   * @throws {StatusError} notFound
   */
  corrupt(
    apiVersion: string,
    kind: string,
    name: string,
    options: Pick<ObjectOptions, "namespace"> = {},
  ): Promise<void> {
    return this.#core.corrupt(apiVersion, kind, name, options);
  }

  /** Whether clients can reach the cluster. Ports follow it. */
  get reachability(): Reachability {
    return this.#core.reachability;
  }

  /** What clients have asked; not what this object's own methods did. */
  get requests(): Requests {
    return this.#core.log;
  }

  /** The faults that can still strike, and whether all did. */
  get faults(): InjectedFaults {
    return this.#core.faults;
  }

  /**
   * Puts a scenario of `kubedouble/scenarios` in force, for requests of clients from now on; this object's own methods
   * are spared. It ends by itself, or with its handle: `using fault = cluster.inject(conflict({ resource: "pods" }))`.
   */
  inject(scenario: Scenario): FaultHandle {
    return this.#core.faults.inject(scenario);
  }

  /** The watches of clients: `cluster.watches.hold()` keeps events from them until a test lets them go, one by one. */
  get watches(): Watches {
    return this.#core.deliveries;
  }

  /**
   * What a test should ask at its end, and the test runners' fixtures do: whether every fault has struck, and whether
   * clients asked only for what this API has. Ends all faults.
   * @throws {UnusedFaultError | UnservedRequestError} with a hint that can be pasted; an AggregateError for both
   */
  check(options: CheckOptions = {}): void {
    this.#core.check(options);
  }

  /** Forgets history: every older resourceVersion is 410 from now on. */
  compact(): void {
    this.#core.compact();
  }

  /** The present state, to come back to with `restore`. */
  snapshot(): ClusterSnapshot {
    return this.#core.snapshot();
  }

  /** Goes back to a snapshot; the resourceVersion may be an older one then. Open watches end, unless they are kept. */
  restore(snapshot: ClusterSnapshot, options: RestoreOptions = {}): void {
    this.#core.restore(snapshot, options);
  }

  /** A cluster of its own with the same state and the same time. Neither sees what becomes of the other. */
  fork(): Cluster {
    return new Cluster(this.#core.fork());
  }

  /** Resolves when the controllers have nothing left to do but what waits for time to pass. */
  settle(): Promise<void> {
    return this.#core.settle();
  }

  /** Ends every open watch and every controller. */
  close(): Promise<void> {
    return this.#core.close();
  }

  /** Closes the cluster at the end of an `await using` block. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/**
 * Makes a cluster that is ready at once.
 * @throws {Error} for options that cannot be met, such as a release that is not known
 */
export function createCluster(options: ClusterOptions = {}): Cluster {
  return new Cluster(new ClusterCore(completeOptions(options)));
}
