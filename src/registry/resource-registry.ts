import {
  formatGroupResource,
  type GroupResource,
  type GroupVersionResource,
} from "../apimachinery/group-version.ts";
import type { Lister } from "../apimachinery/lister.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import { resourceFacts } from "../catalog/resource-facts.ts";
import { storedAs } from "../catalog/storage-version.ts";
import { strategyAs, strategyOf } from "../kinds/strategies.ts";
import { subresourceRest } from "../kinds/subresources.ts";
import { virtualRest } from "../kinds/virtual-resources.ts";
import { defaultStrategy } from "./contract/default-strategy.ts";
import { fieldSelectorsOf } from "./contract/field-selectors.ts";
import type { RegistryOptions } from "./contract/registry-options.ts";
import type { ResourceAccess } from "./contract/resource-access.ts";
import { definitionOf } from "./contract/resource-definition.ts";
import type { Rest } from "./contract/rest.ts";
import type { StoredResource } from "./contract/stored-resource.ts";
import { GenericRegistry } from "./generic/generic-registry.ts";
import { StoredObjects } from "./stored-objects.ts";

/** Every resource as verbs, made when it is first asked for. Resources that share their storage share their verbs. */
export class ResourceRegistry implements Lister {
  readonly #options: RegistryOptions;
  readonly #objects: StoredObjects;
  readonly #access: ResourceAccess;
  readonly #stored = new Map<string, StoredResource | undefined>();
  readonly #rests = new Map<string, Rest | undefined>();

  constructor(options: RegistryOptions) {
    this.#options = options;
    this.#objects = new StoredObjects(options.catalog, options.store);
    this.#access = { catalog: options.catalog, lister: this, stored: (gr) => this.#resource(gr) };
  }

  /** The verbs of a resource or subresource; undefined when the server does not have it. */
  rest(gvr: GroupVersionResource, subresource: string): Rest | undefined {
    const key = `${formatGroupResource(gvr)} ${gvr.version} ${subresource}`;
    if (!this.#rests.has(key)) this.#rests.set(key, this.#makeRest(gvr, subresource));
    return this.#rests.get(key);
  }

  get(gr: GroupResource, namespace: string, name: string): KubeObject | undefined {
    return this.#objects.get(gr, namespace, name);
  }

  list(gr: GroupResource, namespace: string): readonly KubeObject[] {
    return this.#objects.list(gr, namespace);
  }

  #makeRest(gvr: GroupVersionResource, subresource: string): Rest | undefined {
    const { catalog } = this.#options;
    const entry = catalog.resource(gvr);
    if (entry === undefined) return undefined;
    const virtual = virtualRest(entry, subresource, this.#options, this.#access);
    if (virtual !== undefined) return virtual;
    const stored = this.#resource(gvr);
    if (stored === undefined) return undefined;
    if (subresource === "") {
      const facts = { gates: this.#options.gates, schema: stored.definition.schema };
      return new GenericRegistry({ ...stored, strategy: strategyAs(gvr, stored.strategy, facts) });
    }
    const described = entry.subresources.get(subresource);
    return described && subresourceRest(stored, described, this.#access, this.#options);
  }

  #resource(gr: GroupResource): StoredResource | undefined {
    const key = formatGroupResource(storedAs(gr));
    if (!this.#stored.has(key)) this.#stored.set(key, this.#storedResource(gr));
    return this.#stored.get(key);
  }

  #storedResource(gr: GroupResource): StoredResource | undefined {
    const { catalog, store, clock, identifiers, gates } = this.#options;
    const home = this.#objects.homeOf(gr);
    if (home === undefined) return undefined;
    const { entry, space } = home;
    const definition = definitionOf(entry, catalog);
    const facts = resourceFacts(entry);
    return {
      definition,
      strategy: strategyOf(
        formatGroupResource(storedAs(gr)),
        defaultStrategy({
          hasStatus: entry.subresources.has("status"),
          allowCreateOnUpdate: facts.createOnUpdate,
          allowUnconditionalUpdate: facts.unconditionalUpdate,
          deleteReturnsObject: facts.deleteReturnsObject,
        }),
        {
          ...this.#options,
          lister: this,
          schema: definition.schema,
          space,
          keyOf: (...object) => this.#objects.keyOf(...object),
        },
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
