import { formatGroupVersion, type GroupResource } from "../apimachinery/group-version.ts";
import type { FollowingLister, ListedObjects } from "../apimachinery/lister.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import type { Authorization } from "../authorization/contract/authorizer.ts";
import type { RoleFinder } from "../authorization/contract/role-finder.ts";
import { BoundRoles } from "../authorization/rbac/bound-roles.ts";
import type { ApiResource } from "../catalog/api-resource.ts";
import type { ResourceFacts } from "../catalog/resource-facts.ts";
import { LatestObject } from "../sharing/latest-object.ts";
import { defaultStrategy } from "./contract/default-strategy.ts";
import { fieldSelectorsOf } from "./contract/field-selectors.ts";
import type { KindDefinition, RefineStrategy } from "./contract/kind-definition.ts";
import type { RegistryOptions } from "./contract/registry-options.ts";
import type { ResourceAccess } from "./contract/resource-access.ts";
import { definitionOf } from "./contract/resource-definition.ts";
import type { ResourceDefinition, Rest } from "./contract/rest.ts";
import type { StorageCodec } from "./contract/storage-codec.ts";
import type { StoredResource } from "./contract/stored-resource.ts";
import type { Strategy } from "./contract/strategy.ts";
import { FollowedObjects } from "./followed-objects.ts";
import { GenericRegistry } from "./generic/generic-registry.ts";
import type { Kinds } from "./kinds.ts";
import { type StorageHome, StoredObjects } from "./stored-objects.ts";
import { subresourceRest } from "./subresources/subresource-rest.ts";

/**
 * The verbs of every resource. Resources with the same storage share their verbs. Reading a stored resource does not
 * need the rules of its kind; subresources and kinds that are not stored do.
 */
export class ResourceRegistry implements FollowingLister {
  readonly #options: RegistryOptions;
  readonly #kinds: Kinds;
  readonly #objects: StoredObjects;
  readonly #access: ResourceAccess;
  /** By the resource in the version that is stored. */
  readonly #stored = new WeakMap<ApiResource, StoredResource>();

  /** The roles that the state binds, whatever the authorization modes are. */
  readonly roles: RoleFinder;
  /** What users may do in the state that the registry reads. */
  readonly authorization: Authorization;
  /** The same without the permissions that tests have revoked from clients. */
  readonly clientAuthorization: Authorization;

  constructor(options: RegistryOptions, kinds: Kinds) {
    this.#options = options;
    this.#kinds = kinds;
    this.#objects = new StoredObjects(options.served, options.store);
    this.roles = new BoundRoles(this);
    this.authorization = options.authorizationOf({ lister: this, roles: this.roles });
    this.clientAuthorization = options.revocable(this.authorization);
    this.#access = {
      served: options.served,
      lister: this,
      authorization: this.clientAuthorization,
      podConnections: options.podConnections,
      stored: (gr) => this.#resource(gr),
    };
  }

  /** The verbs of a resource or subresource of the present API, new each time; undefined when the server does not have it. */
  rest(entry: ApiResource, subresource: string): Rest | undefined {
    const stored = this.#resource(entry);
    if (stored === undefined) return undefined;
    const kind = this.#kinds.definitionOf(entry);
    if (kind?.isStored === false) return this.#virtualRest(entry, kind, subresource);
    const requested = requestedAs(stored, entry);
    const inVersion = this.#inVersion(requested, entry, kind);
    if (subresource === "") return new GenericRegistry(inVersion);
    const described = entry.subresources.get(subresource);
    if (described === undefined) return undefined;
    const rules = this.#kinds.rulesOf(kind).subresources?.[subresource];
    const handled = inVersion.codec === undefined ? requested : inVersion;
    return subresourceRest(handled, described, rules, this.#access, this.#options);
  }

  get(gr: GroupResource, namespace: string, name: string): KubeObject | undefined {
    return this.#objects.get(gr, namespace, name);
  }

  list(gr: GroupResource, namespace: string): readonly KubeObject[] {
    return this.#objects.list(gr, namespace);
  }

  follow(resources: readonly GroupResource[]): ListedObjects {
    return new FollowedObjects(this.#objects, this.#options.store, resources);
  }

  #virtualRest(entry: ApiResource, kind: KindDefinition, subresource: string): Rest | undefined {
    if (subresource !== "") return undefined;
    const { rest } = this.#kinds.rulesOf(kind);
    return rest?.(definitionOf(entry, this.#options.served.current), this.#options, this.#access);
  }

  /** The resource with the strategy of the version, if that has its own, and in the version if the kind has a codec. */
  #inVersion(stored: StoredResource, gvr: ApiResource, kind: KindDefinition | undefined): StoredResource {
    const { gates, served, expressionMetrics } = this.#options;
    const codec = kind?.codecOf?.(gvr.version, this.#options);
    const definition = codec === undefined ? stored.definition : definitionOf(gvr, served.current);
    const refinement = (): RefineStrategy | undefined =>
      this.#kinds.rulesOf(kind).versions?.[formatGroupVersion(gvr)]?.strategy;
    return withStrategy(
      stored,
      () =>
        refinement()?.(stored.strategy, { gates, schema: stored.definition.schema, expressionMetrics }) ??
        stored.strategy,
      definition,
      codec,
    );
  }

  #resource(gr: GroupResource): StoredResource | undefined {
    const home = this.#objects.homeOf(gr);
    if (home === undefined) return undefined;
    const known = this.#stored.get(home.entry) ?? this.#storedResource(home);
    this.#stored.set(home.entry, known);
    return known;
  }

  #storedResource({ entry, space }: StorageHome): StoredResource {
    const { served, store, clock, identifiers, gates, repeatedErrors } = this.#options;
    const view = served.current;
    const facts = view.facts(entry);
    const kind = this.#kinds.definitionOf(entry);
    const selectors = kind?.fieldSelectors ?? {};
    const resource = {
      definition: definitionOf(entry, view),
      space,
      fieldOf: fieldSelectorsOf(selectors, facts.fieldSelectors).valueOf,
      store,
      clock,
      identifiers,
      gates,
      latest: new LatestObject(),
      repeatedErrors,
      codec: undefined,
    };
    return withStrategy(resource, () => this.#strategyOf(resource, entry, facts, kind));
  }

  /** The default strategy, refined by the rules of the kind. */
  #strategyOf(
    { definition, space }: Omit<StoredResource, "strategy">,
    entry: ApiResource,
    facts: ResourceFacts,
    kind: KindDefinition | undefined,
  ): Strategy {
    const base = defaultStrategy({
      hasStatus: entry.subresources.has("status"),
      allowCreateOnUpdate: facts.createOnUpdate,
      allowUnconditionalUpdate: facts.unconditionalUpdate,
      deleteReturnsObject: facts.deleteReturnsObject,
    });
    const refine = this.#kinds.rulesOf(kind).strategy;
    if (refine === undefined) return base;
    return refine(base, {
      ...this.#options,
      lister: this,
      authorization: this.authorization,
      roles: this.roles,
      schema: definition.schema,
      space,
      keyOf: (...object) => this.#objects.keyOf(...object),
    });
  }
}

/**
 * The resource under the name of the request, which errors and Statuses show: a group may serve the objects of another
 * (apiserver, pkg/registry/generic/registry/store.go: qualifiedResourceFromContext).
 */
function requestedAs(stored: StoredResource, { group, resource }: GroupResource): StoredResource {
  if (stored.definition.groupResource.group === group) return stored;
  const definition = { ...stored.definition, groupResource: { group, resource } };
  return withStrategy(stored, () => stored.strategy, definition);
}

/** The resource with a lazy strategy: the rules of the kind may not be loaded before a write needs them. */
function withStrategy(
  resource: Omit<StoredResource, "strategy">,
  make: () => Strategy,
  definition: ResourceDefinition = resource.definition,
  codec: StorageCodec | undefined = resource.codec,
): StoredResource {
  const { space, fieldOf, store, clock, identifiers, gates, latest, repeatedErrors } = resource;
  let strategy: Strategy | undefined;
  return {
    definition,
    space,
    fieldOf,
    store,
    clock,
    identifiers,
    gates,
    latest,
    repeatedErrors,
    codec,
    get strategy() {
      strategy ??= make();
      return strategy;
    },
  };
}
