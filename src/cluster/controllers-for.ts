import type { KeyedMutex } from "../admission/quota/keyed-mutex.ts";
import type { Clock } from "../apimachinery/clock.ts";
import type { Lister } from "../apimachinery/lister.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import type { UserInfo } from "../apimachinery/user-info.ts";
import type { StaticTokens } from "../authentication/static-token.ts";
import type { Controller, ControllerClient } from "../controllers/contract/controller.ts";
import { ControllerManager } from "../controllers/controller-manager.ts";
import type { ControllerMemory } from "../controllers/controller-memory.ts";
import { allControllers, type ControllerEnvironment } from "../controllers/controllers.ts";
import { isControllerEnabled, simulatedControllerNames } from "../controllers/enabled-controllers.ts";
import type { AuthenticationTrust } from "../controllers/published-trust.ts";
import type { WorkQueueMetrics } from "../endpoints/contract/work-queue-metrics.ts";
import { StoredObjects } from "../registry/stored-objects.ts";
import type { Handler } from "../request/handler.ts";
import type { ServedApi } from "../served/served-api.ts";
import type { Store } from "../store/store.ts";
import { quotaEvaluatorsOf } from "./admission-for.ts";
import { kubernetesService } from "./bootstrap.ts";
import { ClusterClient } from "./client.ts";
import type { Loopback } from "./loopback.ts";
import type { Config } from "./options.ts";
import type { PublishedServer } from "./published-server.ts";
import { resourceFinder } from "./resource-finder.ts";
import type { ServedState } from "./served-state.ts";
import type { ServerGroup } from "./server-group.ts";
import { leaseNameOf } from "./server-identity.ts";

const controllerManager: UserInfo = {
  name: "system:kube-controller-manager",
  uid: "",
  groups: ["system:masters"],
  extra: {},
};
const events = { group: "", resource: "events" };
const controllerManagerAgent = "kube-controller-manager";

/** The parts of a cluster that its controllers work with. */
export interface ControllerOptions {
  readonly config: Config;
  readonly store: Store<KubeObject>;
  readonly tokens: StaticTokens;
  readonly published: PublishedServer;
  readonly group: Pick<ServerGroup, "running">;
  /** Makes the controllers of a simulated cluster; undefined without a simulation. */
  readonly simulation: SimulationMaker | undefined;
}

/** Where a client without objects sends its requests. */
export interface RequestSource {
  readonly handler: Handler;
  readonly token: () => string;
  readonly userAgent: string;
  readonly served: ServedApi;
}

/** What a simulation has of the server. */
export interface SimulationSources {
  readonly lister: Lister;
  readonly clock: Clock;
  /** The client of kube-controller-manager. */
  readonly client: ControllerClient;
  /** A client of another component. */
  readonly clientOf: (user: UserInfo, agent: string) => ControllerClient;
  /** Takes requests of kube-controller-manager that are not about objects. */
  readonly requests: RequestSource;
  readonly config: Config;
}

/** Makes the controllers of a simulated cluster, with what they remember. */
export type SimulationMaker = (
  sources: SimulationSources,
) => (memory: ControllerMemory) => readonly Controller[];

/** What the controllers have of the server. */
export interface ControllerAccess {
  /** The server's own client; upstream's loopback. */
  readonly serverClient: ClusterClient;
  /** Serializes writes in a namespace that has quotas. */
  readonly quotaMutex: KeyedMutex;
  /** Counts the keys of the controllers that are of kube-apiserver. */
  readonly workQueueMetrics: WorkQueueMetrics;
}

/** What the server publishes about how it authenticates. */
function authenticationTrust(
  { authentication: { clientCa, requestHeader, authoritiesChange: canChange }, featureGates: gates }: Config,
  lister: Lister,
  client: ControllerClient,
): AuthenticationTrust {
  const hasUids = gates.isEnabled("RemoteRequestHeaderUID");
  return { lister, client, clientCa, requestHeader, canChange, hasUids };
}

/** Whether a simulated component, such as the scheduler, is not a controller of kube-controller-manager. */
function isOfNoManager(name: string): boolean {
  return !simulatedControllerNames.includes(name);
}

/** The controllers that the configuration names. They have not started yet. */
export function controllersFor(
  { config, store, tokens, published, group, simulation }: ControllerOptions,
  { registry, served, kinds }: ServedState,
  loopback: Loopback,
  { serverClient, quotaMutex, workQueueMetrics }: ControllerAccess,
): ControllerManager {
  const { clock, controllers: wanted } = config;
  const find = resourceFinder(served);
  const clientOf = (user: UserInfo, agent: string) =>
    new ClusterClient(loopback.handler, tokens.issue(user), find, agent, "values");
  const client = clientOf(controllerManager, controllerManagerAgent);
  const objects = new StoredObjects(served, store);
  const options = { ...config, published };
  const environment: ControllerEnvironment = {
    lister: registry,
    client,
    serverClient,
    served,
    clock,
    rootCa: () => published.rootCa,
    certificateAuthority: config.authentication.certificateAuthority,
    serviceAccountKeys: config.authentication.serviceAccountKeys,
    identifiers: config.identifiers,
    gates: config.featureGates,
    since: config.featureGates.since,
    release: config.catalog.release,
    quotaMutex,
    quotaEvaluators: quotaEvaluatorsOf(kinds),
    loads: config.loads,
    authenticationTrust: authenticationTrust(config, registry, serverClient),
    kubernetesService: kubernetesService(objects, options),
    ensureObjects: async (kind, due) =>
      (await import("./ensured-objects.ts")).ensureObjects({ objects, options, clientOf }, kind, due),
    isServing: (lease) => group.running.some(({ number, release }) => leaseNameOf(number, release) === lease),
    expireEvent: (namespace, name) => objects.remove(events, namespace, name),
  };
  const requests: RequestSource = {
    handler: loopback.handler,
    token: () => tokens.issue(controllerManager),
    userAgent: controllerManagerAgent,
    served,
  };
  const simulated = simulation?.({ lister: registry, client, clientOf, requests, clock, config });
  const controllers = (memory: ControllerMemory) => [
    ...allControllers(environment, memory).filter(({ name }) => isControllerEnabled(name, wanted)),
    ...(simulated?.(memory) ?? []).filter(
      ({ name }) => isOfNoManager(name) || isControllerEnabled(name, wanted),
    ),
  ];
  const manager = new ControllerManager({ store, clock, controllers, served, workQueueMetrics });
  for (const changing of [config.podScripts, config.simulatedFailures])
    changing.onChange(() => manager.resume());
  return manager;
}
