import type { ClusterClock } from "../apimachinery/clock.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import { checkOptions, checkValue } from "../apimachinery/option-checks.ts";
import type { Release } from "../apimachinery/release.ts";
import type { ClientCertificate } from "../authentication/certificates/issue-client-certificate.ts";
import { ExpiredCredentials } from "../authentication/expired-credentials.ts";
import type { ControllerProgress } from "../controllers/controller-manager.ts";
import type { Handler } from "../request/handler.ts";
import { ReachabilityControl } from "../request/reachability.ts";
import { EstablishmentHolds } from "../scenario/establishment-holds.ts";
import { Faults } from "../scenario/faults.ts";
import type { HealthControl } from "../scenario/health-control.ts";
import { OpenWatches } from "../scenario/open-watches.ts";
import type { Pods } from "../scenario/pod-scripts.ts";
import { RequestLog } from "../scenario/request-log.ts";
import { WatchDeliveries } from "../scenario/watch-deliveries.ts";
import type { Store } from "../store/store.ts";
import type { ValueReader } from "../store/value-reader.ts";
import type { Control, ControlPort, OpenPort } from "../transports/contract/served.ts";
import type { ApiServerFunction } from "../webhooks/api-server-function.ts";
import { OutgoingTargets, type TargetHandle } from "../webhooks/outgoing-targets.ts";
import type { ReviewFunction } from "../webhooks/webhook-target.ts";
import { type AccessReports, accessReports } from "./access-reports.ts";
import type { AdmissionReport, AdmitOptions } from "./admission-report.ts";
import { ApiServerOutages } from "./api-server-outages.ts";
import { ClusterClient, type ResourceFinder } from "./client.ts";
import type { ObjectOptions } from "./client-options.ts";
import { type ClusterSnapshot, ClusterStart, type SharedStart } from "./cluster-start.ts";
import type {
  Direction,
  ReleaseChange,
  ReleaseChangeOptions,
  ReplicaOptions,
} from "./contract/release-change-options.ts";
import { PortControl } from "./control/port-control.ts";
import { controlsFor } from "./controls-for.ts";
import { ClusterCredentials } from "./credentials.ts";
import { isAllowedOrigin } from "./cross-origin.ts";
import { forkedConfig } from "./forked-config.ts";
import { loadServer } from "./load-server.ts";
import type {
  CertificateOptions,
  CheckOptions,
  LoadOptions,
  RestoreOptions,
  TokenOptions,
} from "./method-options.ts";
import { namedHealth, namedPods } from "./named-controls.ts";
import { newState } from "./new-state.ts";
import { clusterSnapshot, restoreOptionTypes } from "./option-types.ts";
import type { Config } from "./options.ts";
import { PublishedServer } from "./published-server.ts";
import { runChecks } from "./run-checks.ts";
import type { Manifests } from "./seeding/manifest.ts";
import type { Server } from "./server.ts";
import { type Inherited, ServerGroup } from "./server-group.ts";
import type { ServerOptions } from "./server-options.ts";
import { type ClientNames, clientNames } from "./service-name/client-names.ts";
import { addAddress, addWebhook } from "./target-option-types.ts";

/** How many requests the log keeps at least. */
const requestsKept = 1000;

/** A cluster's state and its server, without transports. The first request loads the server, which is most of the code. */
export class ClusterCore {
  #config: Config;
  /** Which server of its cluster it is. */
  readonly number: number;
  /** How the names are written that a test gives and gets. */
  readonly names: ClientNames;
  readonly #published: PublishedServer;
  readonly #credentials: ClusterCredentials;
  /** That of the state before a server works on it. */
  #inheritedProgress: ControllerProgress | undefined;
  readonly #expired = new ExpiredCredentials();
  /** Ends the server that is running. */
  #closing = new AbortController();
  #start: ClusterStart;
  readonly #group: ServerGroup;
  #origin: ServerOptions["origin"];
  #store: Store<KubeObject> | undefined;
  #server: Server | undefined;
  #starting: Promise<Server> | undefined;
  readonly #outages = new ApiServerOutages();

  /** Starts from a given state, or from the objects that a new server creates. */
  constructor(config: Config, { state, targets, controllers, start, joined }: Inherited = {}) {
    this.#config = config;
    this.#start = this.#newStart(start);
    this.number = config.server;
    this.names = clientNames(config.names);
    this.access = accessReports(
      this.names,
      () => this.#started(),
      () => this.#config.authorization,
    );
    this.pods = namedPods(config.podScripts, this.names);
    this.health = namedHealth(this.names, () => this.#config.featureGates);
    this.targets = targets ?? new OutgoingTargets();
    this.#inheritedProgress = controllers;
    this.#credentials = joined?.credentials ?? new ClusterCredentials(config);
    this.#group = joined?.group ?? new ServerGroup();
    this.#group.join(this);
    this.#origin = joined === undefined ? ((state && "given") ?? "new") : "stored";
    this.#published = new PublishedServer(config);
    this.#store = state;
    this.log = new RequestLog(requestsKept, config.auditLevel, this.access);
    const parts = { outages: this.#outages, establishment: this.#establishment, names: this.names };
    const controls = controlsFor(config, this, { ...parts, state: () => this.#state() });
    this.faults = new Faults(this.log, controls);
  }

  /** Answers tests that ask about permissions. */
  readonly access: AccessReports;
  readonly log: RequestLog;
  readonly pods: Pods;
  readonly reachability: ReachabilityControl = new ReachabilityControl();
  readonly watches: OpenWatches = new OpenWatches();
  readonly faults: Faults;
  readonly deliveries: WatchDeliveries = new WatchDeliveries();
  readonly #establishment = new EstablishmentHolds();
  /** What answers for servers that objects name. */
  readonly targets: OutgoingTargets;
  readonly health: HealthControl;

  readonly handler: Handler = (request, peer) =>
    this.#server === undefined
      ? this.#started().then(({ handler }) => handler(request, peer))
      : this.#server.handler(request, peer);

  /** Whether web pages of an origin may use the cluster. */
  allowsOrigin(origin: string): boolean {
    return isAllowedOrigin(origin, this.#config.corsAllowedOrigins);
  }

  /** Publishes an open port. The result withdraws it. */
  advertise(port: OpenPort): () => void {
    return this.#published.advertise(port);
  }

  /** The handler of the cluster's own methods: faults do not strike its requests, and the log omits them. */
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
    return this.#credentials.adminToken();
  }

  /** Whether this is the token of `adminToken`. */
  isAdminToken(token: string): boolean {
    return this.#credentials.isAdminToken(token);
  }

  /** A bearer token that authenticates as this user. */
  token(name: string, options: TokenOptions = {}): string {
    return this.#credentials.token(name, options);
  }

  /** A certificate that authenticates as this user on a port, and its key. */
  certificate(name: string, options: CertificateOptions): Promise<ClientCertificate> {
    return this.#credentials.certificate(this.names.real(name), this.names.real(options));
  }

  /** The control API for a port, in front of the handler. */
  control(port: ControlPort): Control {
    const start = this.#start;
    // Nothing fills the store for a snapshot that may not be needed.
    const opened = this.#store && this.snapshot();
    if (opened === undefined) start.keepResult();
    return new PortControl({ cluster: this, port, opened: () => opened ?? start.result ?? this.snapshot() });
  }

  /** A function in place of a webhook. */
  webhook(name: string, review: ReviewFunction): TargetHandle {
    this.#start.standAlone();
    return addWebhook(this.targets, this.names.shown(name), review);
  }

  /** The address of a Service or of an origin. @throws {Error} for another form */
  serviceAt(service: string, address: string): TargetHandle {
    this.#start.standAlone();
    return addAddress(this.targets, this.names.real(service), address);
  }

  /** A client with the rights of this token's user. */
  client(token: string): ClusterClient {
    return new ClusterClient(this.handler, token, this.resourceOf);
  }

  /** The administrator's client behind the cluster's own methods. */
  admin(): ClusterClient {
    return new ClusterClient(this.ownHandler, this.adminToken(), this.resourceOf);
  }

  /** Looks kinds up in the server, which knows those that objects in the cluster declare. */
  readonly resourceOf: ResourceFinder = (...kind) =>
    this.#server === undefined
      ? this.#started().then(({ resourceOf }) => resourceOf(...kind))
      : this.#server.resourceOf(...kind);

  /** Loads objects. @throws {Error} that names the entry */
  async load(objects: Manifests, options: LoadOptions): Promise<void> {
    const { loadObjects } = await import("./load-objects.ts");
    await loadObjects(objects, options, () => this.#started());
  }

  /** Makes a stored object unreadable. @throws {StatusError} notFound */
  async corrupt(
    apiVersion: string,
    kind: string,
    name: string,
    { namespace = "default" }: ObjectOptions,
  ): Promise<void> {
    const { corruptStored } = await import("./corrupt-stored.ts");
    const named = { apiVersion, kind, namespace, name };
    await corruptStored(named, this, await this.#started(), this.#state());
  }

  /** Lets a function answer for an APIService, which is created if it is missing. @throws {Error} for another name or no function */
  async apiServer(name: string, server: ApiServerFunction): Promise<TargetHandle> {
    const { registerApiService } = await import("./register-api-service.ts");
    return registerApiService(this.names.real(name), server, this);
  }

  /** Sends an object as a dry run, and reports what admission does with it. @throws {Error} for what cannot be sent */
  async admit(object: object, options: AdmitOptions): Promise<AdmissionReport> {
    const [{ admit }, server] = await Promise.all([import("./admit.ts"), this.#started()]);
    return admit(object, this.names.real(options), server, this.admin());
  }

  /** Compacts history: every older resourceVersion answers 410 from now on. */
  compact(): void {
    this.#start.standAlone();
    this.#state().compact();
  }

  /** The present state, for `restore`. */
  snapshot(): ClusterSnapshot {
    return this.#start.snapshot();
  }

  /** Goes back to a snapshot. Open watches end, unless they are kept. */
  restore(snapshot: ClusterSnapshot, options: RestoreOptions): void {
    checkValue("the snapshot to restore", snapshot, clusterSnapshot);
    checkOptions("restore", options, restoreOptionTypes);
    this.#start.standAlone();
    this.#goOnFrom(snapshot, options);
  }

  #goOnFrom({ start, ...snapshot }: ClusterSnapshot, { watches = "end" }: RestoreOptions): void {
    const { state, identifiers, loads, controllers } = start?.result ?? snapshot;
    this.#state().restore(state, watches);
    if (this.#origin === "new") this.#origin = "given";
    this.#inheritedProgress = controllers;
    if (controllers !== undefined) this.#server?.controllers.restore(controllers);
    this.#config.identifiers.goOnFrom(identifiers);
    this.#config.loads.restore(loads);
  }

  /** An independent server over the same state, with its own clock and tokens. Later changes are not shared. */
  fork(): ClusterCore {
    const config = forkedConfig(this.#config, this.#start.isOver ? [] : this.#config.objects);
    return new ClusterCore(config, {
      state: this.#state().fork(config.clock),
      targets: this.targets.fork(),
      controllers: this.#progress(),
      start: this.#start.share(),
    });
  }

  /** Resolves when the controllers are idle, except for work that waits for time to pass. */
  async settle(): Promise<void> {
    await (await this.#started()).settle();
  }

  /** @throws {UnusedFaultError | UnservedRequestError} for unused faults or unserved requests; an AggregateError for both */
  check(options: CheckOptions): void {
    runChecks(this, options);
  }

  /** Goes on as a server of another release. @throws {Error} that says what to do instead, and changes nothing */
  async changeRelease(
    direction: Direction,
    wanted: string,
    options: ReleaseChangeOptions,
  ): Promise<ReleaseChange> {
    return this.#group.inTurn(this, async () => {
      await this.settle();
      const { changeRelease } = await import("./release-change.ts");
      const takeOver = this.#takeOver.bind(this);
      const changed = { config: this.#config, others: this.#group.othersThan(this), takeOver };
      return this.names.shown(await changeRelease(direction, wanted, options, changed));
    });
  }

  /** Another server over the same objects, with the same users. It closes with this one. */
  async replica(options: ReplicaOptions): Promise<ClusterCore> {
    return this.#group.inTurn(this, async () => {
      await this.settle();
      const { joinCluster } = await import("./release-change.ts");
      const { config, store } = await joinCluster(this.#config, options, this.#group, this.#state());
      const joined = { credentials: this.#credentials, group: this.#group };
      const replica = new ClusterCore(config, { state: store, targets: this.targets, joined });
      return replica.settle().then(() => replica);
    });
  }

  /** Replaces the server. Open watches end; requests that the old one has not answered yet finish there. */
  async #takeOver(config: Config, reader: ValueReader<KubeObject>): Promise<Store<KubeObject>> {
    const before = this.#state();
    const store = before.readBy(reader);
    this.#closing.abort();
    this.#closing = new AbortController();
    before.retire();
    this.#config = config;
    this.#store = store;
    this.#inheritedProgress = undefined;
    this.#start = this.#newStart();
    this.#origin = "stored";
    this.#starting = this.#loadServer();
    await this.settle();
    return store;
  }

  #newStart(shared?: SharedStart): ClusterStart {
    const [state, progress] = [() => this.#state(), () => this.#progress()];
    return new ClusterStart({ state, progress, config: () => this.#config }, shared);
  }

  /** Ends every open watch and every controller. */
  async close(): Promise<void> {
    if (!this.#closing.signal.aborted) this.#server?.leave();
    this.#closing.abort();
    await this.#group.leave(this);
  }

  /** Loads the server, which the first request would load otherwise. */
  async start(): Promise<void> {
    await this.#started();
  }

  /** Undefined while the cluster starts. */
  #progress(): ControllerProgress | undefined {
    if (this.#server === undefined) return this.#inheritedProgress;
    return this.#start.isOver ? this.#server.controllers.progress() : undefined;
  }

  #started(): Promise<Server> {
    this.#starting ??= this.#loadServer();
    return this.#starting;
  }

  async #loadServer(): Promise<Server> {
    const end = this.#start.begin({ faults: this.faults, published: this.#published });
    if (end !== undefined) {
      this.#config = { ...this.#config, objects: [] };
      this.#goOnFrom(end, {});
    }
    const { log, faults, deliveries, health, reachability, watches, targets } = this;
    const controls = { log, faults, deliveries, health, reachability, watches, targets };
    this.#server = await loadServer({
      ...controls,
      config: this.#config,
      store: this.#state(),
      tokens: this.#credentials.tokens,
      expired: this.#expired,
      outages: this.#outages,
      establishment: this.#establishment,
      published: this.#published,
      group: this.#group,
      start: this.#start,
      controllers: this.#inheritedProgress,
      closing: this.#closing.signal,
      origin: this.#origin,
    });
    return this.#server;
  }

  /** The store, filled when it is first needed: an unused cluster costs nothing. */
  #state(): Store<KubeObject> {
    this.#store ??= newState({ ...this.#config, published: this.#published });
    return this.#store;
  }
}
