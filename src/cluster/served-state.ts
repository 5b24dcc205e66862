import type { KubeObject } from "../apimachinery/object-meta.ts";
import type { TokenAuthenticator } from "../authentication/contract/authenticator.ts";
import type { Authorization, AuthorizationOf } from "../authorization/contract/authorizer.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { EndpointEnvironment } from "../endpoints/contract/environment.ts";
import { FieldManagers } from "../endpoints/contract/field-managers.ts";
import { ResourceScopes } from "../endpoints/contract/resource-scopes.ts";
import { builtInKinds } from "../kinds/kinds.ts";
import type { KindDefinition } from "../registry/contract/kind-definition.ts";
import type { RegistryOptions } from "../registry/contract/registry-options.ts";
import { Kinds } from "../registry/kinds.ts";
import { ResourceRegistry } from "../registry/resource-registry.ts";
import { ApiView } from "../served/api-view.ts";
import { ServedApi } from "../served/served-api.ts";
import type { Store } from "../store/store.ts";
import type { Config } from "./options.ts";

/** What a server derives from one state: the cluster's or a replica's. */
export interface ServedState
  extends Pick<EndpointEnvironment, "store" | "kinds" | "scopes" | "fieldManagers"> {
  readonly served: ServedApi<KindDefinition>;
  readonly registry: ResourceRegistry;
}

/** What the registry needs besides the configuration and the state. */
export interface RegistryAccess
  extends Pick<
    RegistryOptions,
    "callConversionWebhook" | "conversionMetrics" | "expressionMetrics" | "podConnections" | "repeatedErrors"
  > {
  readonly authorizationOf: AuthorizationOf;
  readonly revocable: (authorization: Authorization) => Authorization;
  readonly authenticateToken: TokenAuthenticator;
  readonly updateStatus: (object: KubeObject) => Promise<KubeObject>;
}

/** The API that a server derives from the state in a store. */
export function servedApi(
  store: Store<KubeObject>,
  { catalog, kindSources }: Config,
): ServedApi<KindDefinition> {
  return new ServedApi(catalog.derived(builtInApi), store, kindSources);
}

/** What a server derives from the state in a store, with the API of that state. */
export function servedState(
  store: Store<KubeObject>,
  served: ServedApi<KindDefinition>,
  config: Config,
  access: RegistryAccess,
): ServedState {
  const { clock, featureGates: gates } = config;
  const kinds = new Kinds(served);
  const registry = new ResourceRegistry({ ...config, ...access, gates, served, store }, kinds);
  const scopes = new ResourceScopes(served, registry, kinds, gates);
  const fieldManagers = new FieldManagers(served, scopes, clock, gates);
  return { store, served, kinds, registry, scopes, fieldManagers };
}

/** The API of a release, which all its clusters share. */
function builtInApi(catalog: Catalog): ApiView<KindDefinition> {
  return ApiView.ofRelease(catalog, builtInKinds);
}
