import { conflict, notFound } from "../../src/apimachinery/errors/errors.ts";
import type { JsonObject, JsonValue } from "../../src/apimachinery/json.ts";
import type { Lister } from "../../src/apimachinery/lister.ts";
import type { KubeObject, ObjectMeta, OwnerReference } from "../../src/apimachinery/object-meta.ts";
import type { ApiResource } from "../../src/catalog/api-resource.ts";
import type {
  Controller,
  ControllerClient,
  ObjectChange,
} from "../../src/controllers/contract/controller.ts";

/** The uid of an object of this world says what it is: `two/owner`, or `node`. */
export function referenceTo(uid: string, extra: JsonObject = {}): OwnerReference {
  const name = uid.replace(/^.*\//, "");
  return { apiVersion: "v1", kind: uid.includes("/") ? "ConfigMap" : "Node", name, uid, ...extra };
}

/** A few ConfigMaps and Nodes, as much of the API as a controller needs, and the controller's queue. */
export class ObjectWorld {
  /** The Events that were created. */
  readonly events: JsonObject[] = [];
  /** The errors of all writes to objects, by uid. */
  readonly refusals = new Map<string, Error>();
  /** The kinds that are served. */
  readonly served = new Map([
    ["v1 ConfigMap", resource("configmaps", "ConfigMap", true)],
    ["v1 Node", resource("nodes", "Node", false)],
  ]);
  readonly #objects = new Map<string, KubeObject>();
  readonly #queue = new Set<string>();
  #revision = 0;
  #controller: Controller | undefined;

  /** Every change from now on is observed. */
  run(controller: Controller): void {
    this.#controller = controller;
  }

  /** Creates or replaces an object: a ConfigMap, or a Node if there is no slash. */
  put(place: string, metadata: ObjectMeta = {}): KubeObject {
    const { kind, name } = referenceTo(place);
    const namespace = kind === "ConfigMap" && { namespace: place.replace(/\/.*$/, "") };
    return this.#store({ apiVersion: "v1", kind, metadata: { name, ...namespace, uid: place, ...metadata } });
  }

  /** Deletes an object at once. */
  remove(place: string): void {
    const object = this.#objects.get(place);
    if (object === undefined) throw new Error(`there is no ${place}`);
    this.#objects.delete(place);
    this.#observe({ type: "delete", object, isFound: false });
  }

  metadataOf(place: string): ObjectMeta | undefined {
    return this.#objects.get(place)?.metadata;
  }

  get places(): readonly string[] {
    return [...this.#objects.keys()].sort();
  }

  /** Reconciles until nothing is queued. Returns the messages of errors. */
  async settle(): Promise<readonly string[]> {
    const errors: string[] = [];
    for (const key of this.#queue) {
      this.#queue.delete(key);
      try {
        await this.#controller?.reconcile(key);
      } catch (error) {
        errors.push(error instanceof Error ? error.message : String(error));
      }
    }
    return errors;
  }

  enqueue(keys: Iterable<string>): void {
    for (const key of keys) this.#queue.add(key);
  }

  readonly resourceOf = (apiVersion: string, kind: string): ApiResource | undefined =>
    this.served.get(`${apiVersion} ${kind}`);

  readonly lister: Lister = {
    get: ({ resource }, namespace, name) =>
      this.#objects.get(namespace === "" ? name : placeIn(resource, namespace, name)),
    list: () => [...this.#objects.values()],
  };

  readonly client: ControllerClient = {
    create: async (object) => {
      const refusal = this.refusals.get("events");
      if (refusal !== undefined) throw refusal;
      this.events.push(object);
      // What a controller creates is whole.
      return object as KubeObject;
    },
    patch: async (_apiVersion, kind, name, patch, { namespace = "" } = {}) => {
      const [place, { metadata, ...rest }] = this.#find(kind, namespace, name);
      const { uid, resourceVersion, ...change } = metadataIn(patch);
      if (uid !== metadata.uid || resourceVersion !== metadata.resourceVersion) throw changed(name);
      const merged = { ...metadata, ...change };
      const kept = Object.entries(merged).filter(([, value]) => value !== null);
      return this.#finish(place, { ...rest, metadata: Object.fromEntries(kept) } as KubeObject);
    },
    delete: async (_apiVersion, kind, name, { namespace = "", propagationPolicy, preconditions } = {}) => {
      const [place, object] = this.#find(kind, namespace, name);
      if (preconditions?.uid !== object.metadata.uid) throw changed(name);
      const others = (object.metadata.finalizers ?? []).filter((finalizer) => finalizer.includes("/"));
      const added = { Orphan: ["orphan"], Foreground: ["foregroundDeletion"], Background: [] };
      const finalizers = [...others, ...added[propagationPolicy ?? "Background"]];
      const metadata = { ...object.metadata, deletionTimestamp: "2026-01-01T00:00:00Z", finalizers };
      return this.#finish(place, { ...object, metadata });
    },
    update: () => Promise.reject(new Error("not here")),
    apply: () => Promise.reject(new Error("not here")),
    deleteCollection: () => Promise.reject(new Error("not here")),
  };

  #find(kind: string, namespace: string, name: string): readonly [place: string, object: KubeObject] {
    const place = placeOf(kind === "ConfigMap", namespace, name);
    const object = this.#objects.get(place);
    if (object === undefined) throw notFound({ group: "", resource: kind }, name);
    const refusal = this.refusals.get(object.metadata.uid ?? "");
    if (refusal !== undefined) throw refusal;
    return [place, object];
  }

  /** Stores the object, unless it was deleted and nothing holds it any more. */
  #finish(place: string, object: KubeObject): KubeObject {
    const { deletionTimestamp, finalizers = [] } = object.metadata;
    if (!deletionTimestamp || finalizers.length > 0) return this.#store(object);
    this.remove(place);
    return object;
  }

  #store(object: KubeObject): KubeObject {
    this.#revision += 1;
    const { name = "", namespace = "" } = object.metadata;
    const stored = { ...object, metadata: { ...object.metadata, resourceVersion: String(this.#revision) } };
    this.#objects.set(placeOf(object.kind === "ConfigMap", namespace, name), stored);
    this.#observe({ type: "put", object: stored, isFound: false });
    return stored;
  }

  #observe(change: ObjectChange): void {
    this.enqueue(this.#controller?.observe(change) ?? []);
  }
}

/** A cluster-scoped resource has nothing in a namespace. */
function placeIn(plural: string, namespace: string, name: string): string {
  return plural === "configmaps" ? `${namespace}/${name}` : "";
}

function placeOf(isNamespaced: boolean, namespace: string, name: string): string {
  return isNamespaced ? `${namespace}/${name}` : name;
}

function metadataIn(patch: JsonValue): ObjectMeta {
  // A controller patches metadata alone.
  return (patch as JsonObject)["metadata"] as ObjectMeta;
}

function changed(name: string): Error {
  return conflict({ group: "", resource: "objects" }, name, "it has changed");
}

function resource(plural: string, kind: string, namespaced: boolean): ApiResource {
  const lifecycle = {
    introduced: "1.16",
    deprecated: undefined,
    removed: undefined,
    replacement: undefined,
  } as const;
  const names = { group: "", version: "v1", resource: plural, kind, singular: kind.toLowerCase() };
  const lists = { verbs: [], shortNames: [], categories: [], subresources: new Map() };
  return { ...names, ...lists, namespaced, lifecycle };
}
