import type { ClusterClock } from "../apimachinery/clock.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import type { Release } from "../apimachinery/release.ts";
import type { UserOptions } from "../apimachinery/user-info.ts";
import type { ClientCertificate } from "../authentication/certificates/issue-client-certificate.ts";
import type { AccessExplanation } from "../authorization/explanation/access-explanation.ts";
import type { Handler } from "../request/handler.ts";
import type { Reachability } from "../request/reachability.ts";
import type { FaultHandle } from "../scenario/fault.ts";
import type { InjectedFaults } from "../scenario/faults.ts";
import type { HealthControl } from "../scenario/health-control.ts";
import type { Pods } from "../scenario/pod-scripts.ts";
import type { Requests } from "../scenario/request-log.ts";
import type { Scenario } from "../scenario/scenario.ts";
import type { Watches } from "../scenario/watch-deliveries.ts";
import { kubeconfigFor, type UserKubeconfigOptions } from "../transports/contract/kubeconfig.ts";
import type { Control, ControlPort, OpenPort } from "../transports/contract/served.ts";
import { createFetch, type Fetch } from "../transports/web/fetch.ts";
import type { ApiServerFunction } from "../webhooks/api-server-function.ts";
import type { TargetHandle } from "../webhooks/outgoing-targets.ts";
import type { ReviewFunction } from "../webhooks/webhook-target.ts";
import type { NodeOptions } from "./add-node.ts";
import type { AdmissionReport, AdmitOptions } from "./admission-report.ts";
import type { ClusterClient } from "./client.ts";
import type { ObjectOptions } from "./client-options.ts";
import { ClusterCore } from "./cluster-core.ts";
import type { ClusterSnapshot } from "./cluster-start.ts";
import type {
  ReleaseChange,
  ReleaseChangeOptions,
  ReplicaOptions,
} from "./contract/release-change-options.ts";
import type { ExplainedAccess, ExplainedUser } from "./explained-access.ts";
import type {
  CertificateOptions,
  CheckOptions,
  LoadOptions,
  RestoreOptions,
  TokenOptions,
} from "./method-options.ts";
import { type ClusterOptions, completeOptions } from "./options.ts";
import { type NodeHandle, nodeHandle, type PodHandle, type PodSelection, podHandle } from "./pod-handle.ts";
import { ScriptedMetrics } from "./scripted-metrics.ts";
import type { Manifests } from "./seeding/manifest.ts";

/** A Kubernetes API in this process. Its verbs are those of `ClusterClient`, called as administrator. */
export class Cluster {
  readonly #core: ClusterCore;
  /** Sends a request to the cluster as the web's fetch would, with any origin in the URL. */
  readonly fetch: Fetch;
  /** Reads an object. */
  readonly get: ClusterClient["get"];
  /** Lists objects. */
  readonly list: ClusterClient["list"];
  /** The changes of objects, for `for await`. */
  readonly watch: ClusterClient["watch"];
  /** Waits until an object, or a list, meets a condition. */
  readonly waitFor: ClusterClient["waitFor"];
  /** Creates an object. */
  readonly create: ClusterClient["create"];
  /** Replaces an object. */
  readonly update: ClusterClient["update"];
  /** Patches an object. */
  readonly patch: ClusterClient["patch"];
  /** Server-side apply of a manifest. */
  readonly apply: ClusterClient["apply"];
  /** Deletes an object. */
  readonly delete: ClusterClient["delete"];
  /** Deletes the objects that a list would return. */
  readonly deleteCollection: ClusterClient["deleteCollection"];

  /** Use `createCluster`. */
  constructor(core: ClusterCore) {
    this.#core = core;
    this.fetch = createFetch(core.handler);
    const admin = core.admin();
    this.get = admin.get.bind(admin);
    this.list = admin.list.bind(admin);
    this.watch = admin.watch.bind(admin);
    this.waitFor = admin.waitFor;
    this.create = admin.create.bind(admin);
    this.update = admin.update.bind(admin);
    this.patch = admin.patch.bind(admin);
    this.apply = admin.apply.bind(admin);
    this.delete = admin.delete.bind(admin);
    this.deleteCollection = admin.deleteCollection.bind(admin);
  }

  /**
   * Loads objects as they are: manifests and lists of them, or YAML or JSON text, as `kubectl get -o yaml` prints it. Status,
   * uid, creationTimestamp, generation, deletionTimestamp and managedFields are kept where they are given; the
   * resourceVersion is new. The order does not matter, and missing namespaces are made.
   *
   * - Authorization and admission do not apply: no quota refuses an object, and nothing is added to pods. Defaults do.
   * - An object with a resourceVersion comes from a server. It is stored as it is, even where a server would not create it,
   *   as pods with ephemeral containers, if a server could have stored it. Addresses and ports of Services stay, also
   *   outside the ranges of this cluster. Other objects are completed and validated as on a create.
   * - An object that the cluster has already is replaced and keeps its uid and time of creation. Owner references in
   *   the load follow. An owner that neither the load nor the cluster has counts as existing for the garbage collector.
   * - Clients see the writes in their watches, and controllers work on the objects as on all others.
   *
   * @throws {Error} that names the entry, the document and the index in its list; a StatusError if the object is invalid
   */
  load(objects: Manifests, options: LoadOptions = {}): Promise<void> {
    return this.#core.load(objects, options);
  }

  /**
   * Says why a user may or may not do something: `cluster.explain("alice", { verb: "list", resource: "pods" })`. It has what
   * each authorization mode answers, and which binding and rule allow it, or the smallest rule that would.
   */
  explain(user: ExplainedUser, access: ExplainedAccess): Promise<AccessExplanation> {
    return this.#core.access.explain(user, access);
  }

  /**
   * Sends an object as a dry run, and says who decides what in admission: `await cluster.admit(pod, { user: "alice" })`. Every plugin, webhook
   * and policy has a step, with its expressions and their cost, and with what it changes. Webhooks must support dry runs. `toBeAdmitted` and
   * `toBeDenied` of the test runners check the report. Neither faults nor `requests` see the request.
   * @throws {Error} for what is not one manifest, and for a kind or a subresource that the cluster does not serve
   */
  admit(object: object, options: AdmitOptions = {}): Promise<AdmissionReport> {
    return this.#core.admit(object, options);
  }

  /** The release of Kubernetes that the cluster emulates. */
  get release(): Release {
    return this.#core.release;
  }

  /** The cluster's clock: `cluster.clock.advance("5m")`. History, tokens, watches and Events expire by it. */
  get clock(): ClusterClock {
    return this.#core.clock;
  }

  /** What every transport calls. */
  get handler(): Handler {
    return this.#core.handler;
  }

  /** Whether web pages of an origin may use the cluster: `corsAllowedOrigins`. `serve` of `kubedouble/node` calls it. */
  allowsOrigin(origin: string): boolean {
    return this.#core.allowsOrigin(origin);
  }

  /**
   * Publishes an open port in `/api`, the Service `kubernetes` and the ConfigMaps `kube-root-ca.crt`, as `serve` does, if it is
   * the first one. The result withdraws it.
   */
  advertise(port: OpenPort): () => void {
    return this.#core.advertise(port);
  }

  /** The control API of a port of this cluster. `serve` of `kubedouble/node` calls it. */
  control(port: ControlPort): Control {
    return this.#core.control(port);
  }

  /** A bearer token of an administrator. */
  adminToken(): string {
    return this.#core.adminToken();
  }

  /** A bearer token that authenticates as this user, until it expires by the cluster's clock. */
  token(name: string, options: TokenOptions = {}): string {
    return this.#core.token(name, options);
  }

  /**
   * A certificate that authenticates as this user on a port, and its key, both PEM. It expires by the cluster's clock.
   * `kubeconfig` takes it.
   */
  certificate(name: string, options: CertificateOptions = {}): Promise<ClientCertificate> {
    return this.#core.certificate(name, options);
  }

  /**
   * The YAML of a kubeconfig for any client: `cluster.kubeconfig({ server, user: "alice", groups: ["dev"] })`. Without a
   * user it authenticates as an administrator. @throws {Error} for groups or a uid without a user
   */
  kubeconfig(options: UserKubeconfigOptions): string {
    return kubeconfigFor(this.#core, options);
  }

  /** A client of another user: `cluster.as("alice", { groups: ["dev"] }).list("v1", "Pod")`. */
  as(name: string, options: UserOptions = {}): ClusterClient {
    return this.#core.client(this.token(name, options));
  }

  /**
   * Makes a stored object unreadable, as if it were encrypted with a key that the server does not have. Requests to read,
   * change or delete it answer 500, lists of its resource 500 or 429, and watches 429; open watches end. If the feature
   * gate AllowUnsafeMalformedObjectDeletion is enabled, a DELETE with `ignoreStoreReadErrorWithClusterBreakingPotential`
   * removes it. `restore` brings the object back.
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

  /** The requests of clients, without those of this object's own methods. */
  get requests(): Requests {
    return this.#core.log;
  }

  /** Lets the checks of `/healthz`, `/livez` and `/readyz` fail, or take long. */
  get health(): HealthControl {
    return this.#core.health;
  }

  /** The injected faults. */
  get faults(): InjectedFaults {
    return this.#core.faults;
  }

  /**
   * Injects a scenario of `kubedouble/scenarios` into requests of clients from now on, but not into this object's own
   * methods. It ends by itself or with its handle: `using fault = cluster.inject(conflict({ resource: "pods" }))`.
   */
  inject(scenario: Scenario): FaultHandle {
    return this.#core.faults.inject(scenario);
  }

  /**
   * Answers for the admission webhook of this name in every webhook configuration: `cluster.webhook("policy.example.com", ({ request }) => ({
   * allowed: request.operation !== "DELETE" }))`. The function gets an AdmissionReview and returns it with a response, or only the response,
   * whose `patch` may be a list of operations. With the name of a definition, such as "gadgets.example.com", it answers for the webhook that
   * converts its custom resources: it gets a ConversionReview and returns it with a response. What it throws is a failure of the webhook. It
   * answers until its handle is removed.
   */
  webhook(name: string, review: ReviewFunction): TargetHandle {
    return this.#core.webhook(name, review);
  }

  /**
   * The address of a Service to which a webhook configuration, a definition of custom resources or an APIService refers:
   * `cluster.serviceAt("policies/webhook", "127.0.0.1:9443")`; or of the server at the URL of a webhook: `cluster.serviceAt(
   * "https://hooks.example.com", "127.0.0.1:9443")`. Without one, the server connects only to this machine: to a URL, the external name of a
   * Service, or one of its endpoints that is a loopback address. It counts until its handle is removed.
   * @throws {Error} for another form of a name or an address
   */
  serviceAt(service: string, address: string): TargetHandle {
    return this.#core.serviceAt(service, address);
  }

  /**
   * Plays a pod for logs, exec, attach, port-forward and proxies, whether it exists yet or not: `cluster.pod("web", { namespace: "shop" })`,
   * or pods with labels or an image: `cluster.pod({ labels: { app: "web" } })`, `cluster.pod({ image: /nginx/ })`.
   * @throws {TypeError} for an unknown option
   */
  pod(which: string | PodSelection, options: Pick<PodSelection, "namespace"> = {}): PodHandle {
    return podHandle(which, options, this.#core);
  }

  /** Plays a node: `cluster.node("near").onProxy((request) => new Response("ok"))`. */
  node(name: string): NodeHandle {
    return nodeHandle(name, this.#core);
  }

  /** Metrics for autoscalers: `await cluster.metrics.external("queue_length", "30")`. */
  get metrics(): ScriptedMetrics {
    return new ScriptedMetrics(this.#core);
  }

  /** The watches of clients: `cluster.watches.hold()` holds their events back until the test releases them. */
  get watches(): Watches {
    return this.#core.deliveries;
  }

  /**
   * Checks, at the end of a test, that every fault has struck and that clients requested only paths that the API serves.
   * The fixtures of the test runners call it. Ends all faults.
   * @throws {UnusedFaultError | UnservedRequestError} with a hint that can be pasted; an AggregateError for both
   */
  check(options: CheckOptions = {}): void {
    this.#core.check(options);
  }

  /**
   * Lets a function answer for an APIService: `await cluster.apiServer("v1beta1.metrics.k8s.io", (request) => Response.json(...))`. It
   * stands for the Service of the APIService and its endpoints. A cluster without this APIService gets one. It resolves when the function
   * has been asked whether it answers, so that the condition Available is set. It answers until its handle is removed. `serviceAt` says
   * where a real server is.
   * @throws {Error} for a name that is not `<version>.<group>`
   */
  apiServer(name: string, server: ApiServerFunction): Promise<TargetHandle> {
    return this.#core.apiServer(name, server);
  }

  /** How pods live in a simulated cluster: `cluster.pods.script({ image: /nginx/ }, running({ readyAfter: "2s" }))`. */
  get pods(): Pods {
    return this.#core.pods;
  }

  /**
   * Adds a node to a simulated cluster: `await cluster.addNode({ name: "gpu-1", capacity: { cpu: "4" }, taints: [{ key: "gpu", effect:
   * "NoSchedule" }] })`. With the part "kubelets" it gets ready at once and runs pods; without, it only exists.
   * @throws {TypeError | StatusError} for unknown options, and for what is not a valid node
   */
  async addNode(options: NodeOptions): Promise<KubeObject> {
    const { addNode } = await import("./add-node.ts");
    return addNode(options, this);
  }

  /** Compacts history: every older resourceVersion answers 410 from now on. */
  compact(): void {
    this.#core.compact();
  }

  /** The present state, for `restore`. */
  snapshot(): ClusterSnapshot {
    return this.#core.snapshot();
  }

  /** Restores a snapshot, with its older resourceVersion. Open watches end, unless they are kept. */
  restore(snapshot: ClusterSnapshot, options: RestoreOptions = {}): void {
    this.#core.restore(snapshot, options);
  }

  /** An independent cluster with the same state and time. Later changes are not shared. */
  fork(): Cluster {
    return new Cluster(this.#core.fork());
  }

  /**
   * Goes on as a server of a newer release with the same objects: `await cluster.upgrade("1.33")`. Open watches end, as when
   * the server restarts; requests in flight are answered by the old server. The options stay, with the defaults of the release.
   * It resolves when the new server is ready, with the objects that it cannot read or does not serve.
   * @throws {Error} for an older or unknown release, one that is more than one minor release away unless `minors` says how to get
   * there, and options with which that server would not start; then nothing changes
   */
  upgrade(release: string, options: ReleaseChangeOptions = {}): Promise<ReleaseChange> {
    return this.#core.changeRelease("upgrade", release, options);
  }

  /** The same to an older release. */
  downgrade(release: string, options: ReleaseChangeOptions = {}): Promise<ReleaseChange> {
    return this.#core.changeRelease("downgrade", release, options);
  }

  /**
   * Another server of the same cluster, as in a control plane that is being upgraded: `await cluster.replica({ release: "1.31" })`. It
   * has the same objects and users, requests and failures of its own, and no controllers; `serve` opens a port for it. It is upgraded
   * on its own, and closes with this one.
   * @throws {Error} for a release that is unknown or more than one minor release from those of the other servers
   */
  async replica(options: ReplicaOptions = {}): Promise<Cluster> {
    return new Cluster(await this.#core.replica(options));
  }

  /** Resolves when the controllers are idle, except for work that waits for time to pass. */
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
 * Creates a cluster that is ready at once.
 * @throws {Error} for options that cannot be met, such as a release that is not known
 */
export function createCluster(options: ClusterOptions = {}): Cluster {
  return new Cluster(new ClusterCore(completeOptions(options)));
}
