import type { ClusterClock } from "../apimachinery/clock.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import type { UserInfo } from "../apimachinery/user-info.ts";
import { StaticTokens } from "../authentication/static-token.ts";
import type { Release } from "../catalog/api-resource.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { WatchDeliveries } from "../endpoints/contract/watch-deliveries.ts";
import { labelsOf } from "../registry/contract/selection-predicate.ts";
import { stampRevision } from "../registry/contract/system-fields.ts";
import { StoredObjects } from "../registry/stored-objects.ts";
import type { Handler } from "../request/handler.ts";
import { ReachabilityControl } from "../request/reachability.ts";
import type { ClusterControls } from "../scenario/cluster-controls.ts";
import { Faults } from "../scenario/faults.ts";
import { OpenWatches } from "../scenario/open-watches.ts";
import { RequestLog } from "../scenario/request-log.ts";
import { type AllowedPaths, checkUnserved } from "../scenario/unserved-requests.ts";
import { ApiView } from "../served/api-view.ts";
import { ServedApi } from "../served/served-api.ts";
import type { Snapshot } from "../store/snapshot.ts";
import { Store } from "../store/store.ts";
import { bootstrap } from "./bootstrap.ts";
import { ClusterClient, type ObjectOptions, type ResourceFinder } from "./client.ts";
import type { Config } from "./options.ts";
import { ReplicaView } from "./replica-view.ts";
import { servedResource } from "./served-resource.ts";
import type { Server } from "./server.ts";
import { expireHistory } from "./state-changes.ts";

const admin: UserInfo = { name: "kubernetes-admin", uid: "", groups: ["system:masters"], extra: {} };

/** How many requests are remembered at least. */
const requestsKept = 1000;

/** Whom `token` and `as` make somebody. */
export interface UserOptions {
  /** Default: none. */
  readonly groups?: readonly string[];
  /** Default: none. */
  readonly uid?: string;
}

/** What becomes of open watches when a cluster goes back to a snapshot. */
export interface RestoreOptions {
  /**
   * They end, as they do where the servers are started anew; or they stay open and are silent until the revision is beyond
   * where it was, as they are on a server that goes on with the storage that was restored. Default: `end`.
   */
  readonly watches?: "end" | "keep";
}

/** What a test may leave behind. */
export interface CheckOptions {
  /** Paths that clients may ask for though this API does not have them, or patterns; `true` for all. Default: none. */
  readonly allowUnserved?: AllowedPaths;
}

/** A whole state of a cluster, to come back to. */
export interface ClusterSnapshot {
  readonly state: Snapshot<KubeObject>;
  /** Where seeded uids and names stand. */
  readonly identifiers: number;
}

/** A snapshot of a cluster that has not begun, which becomes one of its beginning. */
type EarlySnapshot = { -readonly [Field in keyof ClusterSnapshot]: ClusterSnapshot[Field] };

/**
 * A cluster's state, and its server without the ways in. What the state needs is here; what only requests need, which is
 * most of all code, is loaded when the first one comes.
 */
export class ClusterCore {
  readonly #config: Config;
  readonly #tokens = new StaticTokens();
  readonly #closing = new AbortController();
  #store: Store<KubeObject> | undefined;
  #server: Server | undefined;
  #starting: Promise<Server> | undefined;
  #adminToken: string | undefined;
  readonly #early: EarlySnapshot[] = [];

  /** Starts from a state, or from what a server makes for itself. */
  constructor(config: Config, state?: Store<KubeObject>) {
    this.#config = config;
    this.#store = state;
    this.log = new RequestLog(requestsKept, config.auditLevel);
    this.faults = new Faults(this.log, this.#struck());
    for (const [token, user] of config.tokens) this.#tokens.add(token, user);
  }

  readonly log: RequestLog;
  readonly reachability: ReachabilityControl = new ReachabilityControl();
  readonly watches: OpenWatches = new OpenWatches();
  readonly faults: Faults;
  readonly deliveries: WatchDeliveries = new WatchDeliveries();

  readonly handler: Handler = (request, peer) =>
    this.#server === undefined
      ? this.#started().then(({ handler }) => handler(request, peer))
      : this.#server.handler(request, peer);

  /** The same for who runs the cluster: no fault strikes it, and nobody notes down what it asks. */
  readonly ownHandler: Handler = (request, peer) =>
    this.#server === undefined
      ? this.#started().then(({ ownHandler }) => ownHandler(request, peer))
      : this.#server.ownHandler(request, peer);

  get release(): Release {
    return this.#config.catalog.release;
  }

  get clock(): ClusterClock {
    return this.#config.clock;
  }

  /** A bearer token of an administrator. */
  adminToken(): string {
    this.#adminToken ??= this.#tokens.issue(admin);
    return this.#adminToken;
  }

  /** A bearer token that authenticates as this user, for as long as the cluster lives. */
  token(name: string, { groups = [], uid = "" }: UserOptions = {}): string {
    return this.#tokens.issue({ name, uid, groups, extra: {} });
  }

  /** A client with the rights of this token's user. */
  client(token: string): ClusterClient {
    return new ClusterClient(this.handler, token, this.#resourceOf);
  }

  /** The client of who runs the cluster. */
  admin(): ClusterClient {
    return new ClusterClient(this.ownHandler, this.adminToken(), this.#resourceOf);
  }

  /** Kinds are looked up in the server, which knows those that objects in the cluster declare. */
  readonly #resourceOf: ResourceFinder = (...kind) =>
    this.#server === undefined
      ? this.#started().then(({ resourceOf }) => resourceOf(...kind))
      : this.#server.resourceOf(...kind);

  /** Makes a stored object unreadable. @throws {StatusError} notFound */
  async corrupt(
    apiVersion: string,
    kind: string,
    name: string,
    { namespace = "default" }: ObjectOptions,
  ): Promise<void> {
    // The read waits until the cluster is ready: before, the object may not exist yet.
    await this.admin().get(apiVersion, kind, name, { namespace });
    const { served } = await this.#started();
    const resource = servedResource(served.current, apiVersion, kind);
    const objects = new StoredObjects(served, this.#state());
    objects.corrupt(resource, resource.namespaced ? namespace : "", name);
  }

  /** Forgets history: every older resourceVersion is 410 from now on. */
  compact(): void {
    this.#state().compact();
  }

  /** The present state, to come back to with `restore`. */
  snapshot(): ClusterSnapshot {
    const snapshot = this.#present();
    if (!this.#server?.isReady()) this.#early.push(snapshot);
    return snapshot;
  }

  #present(): EarlySnapshot {
    return { state: this.#state().snapshot(), identifiers: this.#config.identifiers.position() };
  }

  /** Goes back to a snapshot. Open watches end, unless they are kept. */
  restore(snapshot: ClusterSnapshot, { watches = "end" }: RestoreOptions): void {
    this.#state().restore(snapshot.state, watches);
    this.#config.identifiers.goOnFrom(snapshot.identifiers);
  }

  /** A server of its own over the same state; neither sees what becomes of the other. Its time and tokens are its own. */
  fork(): ClusterCore {
    const objects = this.#server?.isReady() ? [] : this.#config.objects;
    const clock = this.#config.clock.fork();
    const identifiers = this.#config.identifiers.fork();
    return new ClusterCore({ ...this.#config, objects, clock, identifiers }, this.#state().fork(clock));
  }

  /** Resolves when the controllers have nothing left to do but what waits for time to pass. */
  async settle(): Promise<void> {
    const { settle } = await this.#started();
    await settle();
  }

  /** @throws {UnusedFaultError | UnservedRequestError} what a test should not leave behind; an AggregateError for both */
  check({ allowUnserved = [] }: CheckOptions): void {
    const checks = [
      () => this.faults.check(),
      () => checkUnserved(this.log.unserved, allowUnserved, this.release),
    ];
    const errors = checks.flatMap((check) => errorOf(check) ?? []);
    const [first, ...others] = errors;
    if (others.length > 0) throw new AggregateError(errors, errors.map(({ message }) => message).join("\n"));
    if (first !== undefined) throw first;
  }

  /** Ends every open watch and every controller. */
  async close(): Promise<void> {
    this.#closing.abort();
  }

  /** Loads the server, which otherwise waits for the first request. */
  async start(): Promise<void> {
    await this.#started();
  }

  #started(): Promise<Server> {
    this.#starting ??= this.#loadServer();
    return this.#starting;
  }

  async #loadServer(): Promise<Server> {
    const store = this.#state();
    const { createServer } = await import("./server.ts");
    this.#server = createServer({
      config: this.#config,
      store,
      tokens: this.#tokens,
      adminToken: this.adminToken(),
      log: this.log,
      faults: this.faults,
      deliveries: this.deliveries,
      reachability: this.reachability,
      watches: this.watches,
      begun: () => {
        for (const snapshot of this.#early.splice(0)) Object.assign(snapshot, this.#present());
      },
      closing: this.#closing.signal,
    });
    return this.#server;
  }

  #struck(): ClusterControls {
    const { clock } = this.#config;
    const { reachability, watches } = this;
    return {
      clock,
      watches,
      interrupt: () => reachability.interrupt(),
      viewOf: (revisionsAgo) => new ReplicaView(this.#state(), revisionsAgo),
      expireHistory: () => expireHistory(this.#state()),
    };
  }

  /** The store, filled when it is first needed: a cluster that nobody asks costs nothing. */
  #state(): Store<KubeObject> {
    if (this.#store !== undefined) return this.#store;
    const { catalog, clock, identifiers, serviceRanges } = this.#config;
    this.#store = emptyStore(this.#config);
    // The definitions of the kinds are loaded with the server. No object of a fresh cluster has a kind of two groups.
    const served = new ServedApi(catalog.derived(withoutDefinitions), this.#store, []);
    const objects = new StoredObjects(served, this.#store);
    bootstrap(catalog, objects, identifiers, clock.now(), serviceRanges);
    return this.#store;
  }
}

/** The API of a release without the definitions of its kinds. */
function withoutDefinitions(catalog: Catalog): ApiView {
  return ApiView.ofRelease(catalog, []);
}

/** What a check finds wrong. */
function errorOf(check: () => void): Error | undefined {
  try {
    check();
  } catch (error) {
    if (error instanceof Error) return error;
    throw error;
  }
  return undefined;
}

function emptyStore(config: Config): Store<KubeObject> {
  const { clock, historyMilliseconds, watchCapacity } = config;
  return new Store({ clock, historyMilliseconds, watchCapacity, stamp: stampRevision, labelsOf });
}
