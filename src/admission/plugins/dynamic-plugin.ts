import type { GroupResource } from "../../apimachinery/group-version.ts";
import type { FollowingLister, ListedObjects } from "../../apimachinery/lister.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { AdmissionAttributes, AdmissionPlugin, MutatingAttributes } from "../contract/admission.ts";
import type { PluginName } from "../contract/plugin-order.ts";

/** Decides by objects in the store: webhook configurations, or policies and their bindings. */
export interface Dispatcher<A extends AdmissionAttributes> {
  /** `objects` are the same list as long as none of them changes. @throws {StatusError} the refusal */
  readonly dispatch: (attributes: A, objects: StoredConfiguration) => Promise<void> | void;
}

/** The objects of each followed resource, by name in order. */
export type StoredConfiguration = ReadonlyMap<string, readonly KubeObject[]>;

interface DynamicPluginOptions<A extends AdmissionAttributes> {
  readonly name: PluginName;
  readonly lister: FollowingLister;
  /** Without an object of the first one, every request passes. */
  readonly resources: readonly [GroupResource, ...GroupResource[]];
  /** Loads the dispatcher with the first object. */
  readonly load: () => Promise<Dispatcher<A>>;
}

/** A plugin that changes objects by what is configured in the store. */
export function mutatingPlugin(options: DynamicPluginOptions<MutatingAttributes>): AdmissionPlugin {
  return { name: options.name, handles: () => true, admit: dispatching(options) };
}

/** A plugin that validates objects by what is configured in the store. */
export function validatingPlugin(options: DynamicPluginOptions<AdmissionAttributes>): AdmissionPlugin {
  return { name: options.name, handles: () => true, validate: dispatching(options) };
}

function dispatching<A extends AdmissionAttributes>({
  lister,
  resources,
  load,
}: DynamicPluginOptions<A>): (attributes: A) => Promise<void> | void {
  const index = new ConfigurationIndex(lister, resources);
  const [{ resource: first }] = resources;
  let dispatcher: Dispatcher<A> | undefined;
  return (attributes) => {
    const objects = index.current();
    if (objects.get(first) === undefined || isExempt(attributes)) return;
    if (dispatcher !== undefined) return dispatcher.dispatch(attributes, objects);
    return load().then((loaded) => {
      dispatcher ??= loaded;
      return dispatcher.dispatch(attributes, objects);
    });
  };
}

/**
 * Whether a request concerns the configuration of admission itself, which no webhook and no policy can lock. Upstream: apiserver,
 * pkg/admission/plugin/webhook/predicates/rules, IsExemptAdmissionConfigurationResource.
 */
function isExempt({ gvk }: AdmissionAttributes): boolean {
  return gvk.group === "admissionregistration.k8s.io";
}

/** The objects of some resources by name, updated when they are read. */
class ConfigurationIndex {
  readonly #lister: FollowingLister;
  readonly #resources: readonly GroupResource[];
  readonly #objects = new Map<string, Map<string, KubeObject>>();
  #listed: ListedObjects | undefined;
  #current: StoredConfiguration = new Map();

  constructor(lister: FollowingLister, resources: readonly GroupResource[]) {
    this.#lister = lister;
    this.#resources = resources;
  }

  /** The same map as long as nothing changes. A resource without objects has no entry. */
  current(): StoredConfiguration {
    this.#listed ??= this.#lister.follow(this.#resources);
    const changed = this.#listed.next();
    if (changed === undefined) return this.#current;
    if (changed.isComplete) this.#objects.clear();
    for (const { type, resource, object } of changed.changes) {
      const byName = this.#objects.get(resource.resource) ?? new Map<string, KubeObject>();
      this.#objects.set(resource.resource, byName);
      const { name = "" } = object.metadata;
      if (type === "put") byName.set(name, object);
      else byName.delete(name);
    }
    this.#current = this.#sorted();
    return this.#current;
  }

  #sorted(): StoredConfiguration {
    const sorted = new Map<string, readonly KubeObject[]>();
    for (const [resource, byName] of this.#objects) {
      if (byName.size === 0) continue;
      const names = [...byName.keys()].sort((a, b) => (a < b ? -1 : 1));
      sorted.set(
        resource,
        names.flatMap((name) => byName.get(name) ?? []),
      );
    }
    return sorted;
  }
}
