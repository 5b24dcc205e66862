import {
  formatGroupResource,
  type GroupResource,
  type GroupVersion,
  type GroupVersionResource,
} from "../apimachinery/group-version.ts";
import type { Lister } from "../apimachinery/lister.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import type { ApiResource } from "../catalog/api-resource.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { resourceFacts } from "../catalog/resource-facts.ts";
import { storageVersion, storedAs } from "../catalog/storage-version.ts";
import { defaultStrategy } from "./default-strategy.ts";
import { fieldSelectorsOf } from "./field-selectors.ts";
import { GenericRegistry } from "./generic/generic-registry.ts";
import { storageKey } from "./generic/object-key.ts";
import type { StoredResource } from "./generic/stored-resource.ts";
import type { RegistryOptions } from "./registry-options.ts";
import type { ResourceAccess } from "./resource-access.ts";
import { definitionOf } from "./resource-definition.ts";
import type { Rest } from "./rest.ts";
import { strategyAs, strategyOf } from "./strategies.ts";
import { subresourceRest } from "./subresources.ts";
import { virtualRest } from "./virtual-resources.ts";

/** Every resource as verbs, made when it is first asked for. Resources that share their storage share their verbs. */
export class ResourceRegistry implements Lister {
  readonly #options: RegistryOptions;
  readonly #access: ResourceAccess;
  readonly #stored = new Map<string, StoredResource | undefined>();
  readonly #rests = new Map<string, Rest | undefined>();

  constructor(options: RegistryOptions) {
    this.#options = options;
    this.#access = { catalog: options.catalog, lister: this, stored: (gr) => this.#resource(gr) };
  }

  /** The verbs of a resource or subresource; undefined when the server does not have it. */
  rest(gvr: GroupVersionResource, subresource: string): Rest | undefined {
    const key = `${formatGroupResource(gvr)} ${gvr.version} ${subresource}`;
    if (!this.#rests.has(key)) this.#rests.set(key, this.#makeRest(gvr, subresource));
    return this.#rests.get(key);
  }

  get(gr: GroupResource, namespace: string, name: string): KubeObject | undefined {
    const resource = this.#resource(gr);
    if (resource === undefined) return undefined;
    const { prefix, namespaced } = resource.space;
    return resource.store.get(namespaced ? `${prefix}${namespace}/${name}` : prefix + name)?.value;
  }

  list(gr: GroupResource, namespace: string): readonly KubeObject[] {
    const resource = this.#resource(gr);
    if (resource === undefined) return [];
    const { prefix, namespaced } = resource.space;
    const within = namespaced && namespace !== "" ? `${prefix}${namespace}/` : prefix;
    return resource.store.range({ prefix: within }).items.map(({ value }) => value);
  }

  /** Stores an object as it is, in canonical form and complete: what a server makes for itself when it starts. */
  plant(gr: GroupResource, object: KubeObject): void {
    const resource = this.#resource(gr);
    if (resource === undefined) return;
    const { namespace = "", name = "" } = object.metadata;
    // The memory store commits within the call.
    void resource.store.guaranteedUpdate(storageKey(resource.space, { namespace, name }), () => ({
      type: "put",
      value: object,
    }));
  }

  /** Makes a stored object unreadable. */
  corrupt(gr: GroupResource, namespace: string, name: string): void {
    const resource = this.#resource(gr);
    if (resource === undefined) return;
    const { store, space } = resource;
    store.corrupt(storageKey(space, { namespace, name }), space.prefix);
  }

  readonly #keyOf = (gr: GroupResource, namespace: string, name: string): string | undefined => {
    const resource = this.#resource(gr);
    return resource && storageKey(resource.space, { namespace, name });
  };

  #makeRest(gvr: GroupVersionResource, subresource: string): Rest | undefined {
    const { catalog } = this.#options;
    const entry = catalog.resource(gvr);
    if (entry === undefined) return undefined;
    const virtual = virtualRest(entry, subresource, this.#options, this.#access);
    if (virtual !== undefined) return virtual;
    const stored = this.#resource(gvr);
    if (stored === undefined) return undefined;
    if (subresource === "") {
      return new GenericRegistry({ ...stored, strategy: strategyAs(gvr, stored.strategy) });
    }
    const described = entry.subresources.get(subresource);
    return described && subresourceRest(stored, described, this.#access, this.#options);
  }

  #resource(gr: GroupResource): StoredResource | undefined {
    const home = storedAs(gr);
    const key = formatGroupResource(home);
    if (!this.#stored.has(key)) this.#stored.set(key, this.#storedResource(home));
    return this.#stored.get(key);
  }

  #storedResource(home: GroupResource): StoredResource | undefined {
    const { catalog, store, clock, identifiers, gates } = this.#options;
    const entry = storedEntry(catalog, home);
    if (entry === undefined) return undefined;
    const definition = definitionOf(entry, catalog);
    const facts = resourceFacts(entry);
    const space = { prefix: `${facts.storagePrefix}/`, namespaced: entry.namespaced };
    return {
      definition,
      strategy: strategyOf(
        formatGroupResource(home),
        defaultStrategy({
          hasStatus: entry.subresources.has("status"),
          allowCreateOnUpdate: facts.createOnUpdate,
          allowUnconditionalUpdate: facts.unconditionalUpdate,
          deleteReturnsObject: facts.deleteReturnsObject,
        }),
        { ...this.#options, lister: this, schema: definition.schema, space, keyOf: this.#keyOf },
      ),
      space,
      fieldOf: fieldSelectorsOf(entry, facts.fieldSelectors).valueOf,
      store,
      clock,
      identifiers,
      gates,
    };
  }
}

/** The resource in the version it is stored in: upstream's choice if it is served, else the preferred one. */
function storedEntry(catalog: Catalog, home: GroupResource): ApiResource | undefined {
  const upstream = storageVersion(home, catalog.release);
  const preferred = upstream && catalog.resource({ ...home, ...upstream });
  return preferred ?? servedVersions(catalog, home).at(0);
}

function servedVersions(catalog: Catalog, home: GroupResource): readonly ApiResource[] {
  const inGroup = (gv: GroupVersion) =>
    storedAs({ group: gv.group, resource: home.resource }).group === home.group;
  return catalog
    .groupVersions()
    .filter(inGroup)
    .map((gv) => catalog.resource({ ...gv, resource: home.resource }))
    .filter((entry) => entry !== undefined);
}
