import { admissionChain } from "../admission/admission-chain.ts";
import { defaultPlugins } from "../admission/default-plugins.ts";
import type { Clock } from "../apimachinery/clock.ts";
import type { Lister } from "../apimachinery/lister.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import type { UserInfo } from "../apimachinery/user-info.ts";
import { anyOf } from "../authentication/authenticator.ts";
import { bearerToken } from "../authentication/bearer-token.ts";
import { StaticTokens } from "../authentication/static-token.ts";
import { alwaysAllow, alwaysDeny } from "../authorization/always.ts";
import type { Authorizer } from "../authorization/authorizer.ts";
import { rbac } from "../authorization/rbac.ts";
import type { Release } from "../catalog/api-resource.ts";
import { ControllerManager } from "../controllers/controller-manager.ts";
import { allControllers } from "../controllers/controllers.ts";
import { isControllerEnabled } from "../controllers/enabled-controllers.ts";
import { FieldManagers } from "../endpoints/field-managers.ts";
import { formatsOf } from "../endpoints/formats.ts";
import { ResourceScopes } from "../endpoints/resource-scopes.ts";
import { stampRevision } from "../registry/generic/system-fields.ts";
import { ResourceRegistry } from "../registry/resource-registry.ts";
import type { Handler } from "../request/handler.ts";
import type { Snapshot } from "../store/snapshot.ts";
import { Store } from "../store/store.ts";
import { bootstrap } from "./bootstrap.ts";
import { ClusterClient, type ObjectOptions } from "./client.ts";
import { FlowSchemas } from "./flow-schemas.ts";
import type { AuthorizationMode, Config } from "./options.ts";
import { createHandler, type Pipeline } from "./serve.ts";
import { servedResource } from "./served-resource.ts";

const admin: UserInfo = { name: "kubernetes-admin", uid: "", groups: ["system:masters"], extra: {} };

const authorizers: { readonly [mode in AuthorizationMode]: (lister: Lister) => Authorizer } = {
  AlwaysAllow: () => alwaysAllow,
  AlwaysDeny: () => alwaysDeny,
  RBAC: rbac,
};

const apiserver: UserInfo = { name: "system:apiserver", uid: "", groups: ["system:masters"], extra: {} };
const apiserverAgent = "kube-apiserver";

const controllerManager: UserInfo = {
  name: "system:kube-controller-manager",
  uid: "",
  groups: ["system:masters"],
  extra: {},
};
const controllerManagerAgent = "kube-controller-manager";

/** Whom `token` and `as` make somebody. */
export interface UserOptions {
  /** Default: none. */
  readonly groups?: readonly string[];
  /** Default: none. */
  readonly uid?: string;
}

/** A whole state of a cluster, to come back to. */
export interface ClusterSnapshot {
  readonly state: Snapshot<KubeObject>;
}

/** The server and its state, without the ways in. */
export class ClusterCore {
  readonly #config: Config;
  readonly #tokens = new StaticTokens();
  readonly #closing = new AbortController();
  #store: Store<KubeObject> | undefined;
  #handler: Handler | undefined;
  /** The same without the wait for what the cluster shall hold from the beginning. */
  #unguarded: Handler | undefined;
  #itself: ClusterClient | undefined;
  #adminToken: string | undefined;
  #controllers: ControllerManager | undefined;

  /** Starts from a state, or from what a server makes for itself. */
  constructor(config: Config, state?: Store<KubeObject>) {
    this.#config = config;
    this.#store = state;
    for (const [token, user] of config.tokens) this.#tokens.add(token, user);
  }

  readonly handler: Handler = (request, peer) => {
    this.#handler ??= this.#createHandler();
    return this.#handler(request, peer);
  };

  get release(): Release {
    return this.#config.catalog.release;
  }

  get clock(): Clock {
    return this.#config.clock;
  }

  /** A bearer token of an administrator. */
  adminToken(): string {
    this.#adminToken ??= this.#newToken(admin);
    return this.#adminToken;
  }

  /** A bearer token that authenticates as this user, for as long as the cluster lives. */
  token(name: string, { groups = [], uid = "" }: UserOptions = {}): string {
    return this.#newToken({ name, uid, groups, extra: {} });
  }

  /** A client with the rights of this token's user. */
  client(token: string): ClusterClient {
    return new ClusterClient(this.handler, token, this.#config.catalog);
  }

  /** Makes a stored object unreadable. @throws {StatusError} notFound */
  async corrupt(
    apiVersion: string,
    kind: string,
    name: string,
    { namespace = "default" }: ObjectOptions,
  ): Promise<void> {
    // It is there from the beginning only when the cluster is ready; who reads it waits for that.
    await this.client(this.adminToken()).get(apiVersion, kind, name, { namespace });
    const resource = servedResource(this.#config.catalog, apiVersion, kind);
    this.#createRegistry(this.#state()).corrupt(resource, resource.namespaced ? namespace : "", name);
  }

  /** Forgets history: every older resourceVersion is 410 from now on. */
  compact(): void {
    this.#state().compact();
  }

  /** The present state, to come back to with `restore`. */
  snapshot(): ClusterSnapshot {
    return { state: this.#state().snapshot() };
  }

  /** Goes back to a snapshot. Open watches end. */
  restore(snapshot: ClusterSnapshot): void {
    this.#state().restore(snapshot.state);
  }

  /** A server of its own over the same state; neither sees what becomes of the other. Its tokens are its own. */
  fork(): ClusterCore {
    return new ClusterCore({ ...this.#config, objects: [] }, this.#state().fork());
  }

  /** Resolves when the controllers have nothing left to do but what waits for time to pass. */
  async settle(): Promise<void> {
    this.#handler ??= this.#createHandler();
    await this.#controllers?.settle();
  }

  /** Ends every open watch and every controller. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#controllers?.stop();
  }

  /** The store, filled when it is first needed: a cluster that nobody asks costs nothing. */
  #state(): Store<KubeObject> {
    if (this.#store !== undefined) return this.#store;
    const { catalog, clock, identifiers, serviceRanges } = this.#config;
    this.#store = emptyStore(this.#config);
    bootstrap(catalog, this.#createRegistry(this.#store), identifiers, clock.now(), serviceRanges);
    return this.#store;
  }

  #createRegistry(store: Store<KubeObject>): ResourceRegistry {
    const { featureGates: gates } = this.#config;
    return new ResourceRegistry({ ...this.#config, gates, store, updateStatus: this.#updateStatus });
  }

  /** Writes the status of an object as the server itself, on what upstream calls its loopback. */
  readonly #updateStatus = async (object: KubeObject): Promise<KubeObject> => {
    if (this.#unguarded === undefined) throw new Error("the server is not there yet");
    const { catalog } = this.#config;
    this.#itself ??= new ClusterClient(this.#unguarded, this.#newToken(apiserver), catalog, apiserverAgent);
    return this.#itself.update(object, { subresource: "status" });
  };

  #createHandler(): Handler {
    const { catalog, clock, identifiers, advertiseAddress, objects, authorizationMode } = this.#config;
    const store = this.#state();
    const registry = this.#createRegistry(store);
    const scopes = new ResourceScopes(catalog, registry, this.#config.featureGates);
    const settle = async () => this.#controllers?.settle();
    const authorize = authorizers[authorizationMode](registry);
    const gates = this.#config.featureGates;
    const pipeline: Pipeline = {
      environment: {
        catalog,
        scopes,
        fieldManagers: new FieldManagers(catalog, scopes, clock),
        formats: formatsOf(gates),
        gates,
        authorize,
        admission: admissionChain(
          defaultPlugins({
            lister: registry,
            authorize,
            gates,
            suffix: identifiers.suffix,
            settle,
            updateQuotaStatus: this.#updateStatus,
          }),
        ),
        store,
        clock,
        advertiseAddress,
        startedAt: clock.now(),
        random: Math.random,
        closing: this.#closing.signal,
      },
      authenticate: anyOf([bearerToken(this.#tokens.authenticate)]),
      authorize,
      flowSchemas: new FlowSchemas(registry, store),
      clock,
      newUid: identifiers.uid,
      ready: undefined,
    };
    const handler = createHandler(pipeline);
    this.#unguarded = handler;
    this.#controllers = this.#startControllers(store, registry, handler);
    if (this.#controllers === undefined && objects.length === 0) return handler;
    const client = new ClusterClient(handler, this.adminToken(), catalog);
    const ready = settle().then(() => client.load(objects));
    // Whoever asks first is told; nobody may ever ask.
    ready.catch(() => {});
    return createHandler({ ...pipeline, ready });
  }

  #startControllers(
    store: Store<KubeObject>,
    lister: Lister,
    handler: Handler,
  ): ControllerManager | undefined {
    const { catalog, clock, rootCa, controllers: wanted } = this.#config;
    if (wanted.length === 0) return undefined;
    const client = new ClusterClient(
      handler,
      this.#newToken(controllerManager),
      catalog,
      controllerManagerAgent,
    );
    const environment = { lister, client, catalog, clock, rootCa };
    const controllers = allControllers(environment).filter(({ name }) => isControllerEnabled(name, wanted));
    const manager = new ControllerManager({ store, clock, controllers });
    manager.start();
    return manager;
  }

  #newToken(user: UserInfo): string {
    const bytes = crypto.getRandomValues(new Uint8Array(32));
    const token = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
    this.#tokens.add(token, user);
    return token;
  }
}

function emptyStore(config: Config): Store<KubeObject> {
  const { clock, historyMilliseconds, watchCapacity } = config;
  return new Store({ clock, historyMilliseconds, watchCapacity, stamp: stampRevision });
}
