import { listAt } from "../apimachinery/fields.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../apimachinery/json.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import { checkOptions, checkValue, type OptionType } from "../apimachinery/option-checks.ts";
import { text } from "../apimachinery/option-types.ts";
import type { Status } from "../apimachinery/status.ts";
import type { ApiResource } from "../catalog/api-resource.ts";
import { encodeJson, parseJson } from "../codec/json/json.ts";
import { isSameInJson } from "../codec/json/same-in-json.ts";
import type { ApiResponse, Handler } from "../request/handler.ts";
import { inProcessPeer } from "../request/peer.ts";
import { type PlainRequest, plainRequest, readResponseBody } from "../request/plain-request.ts";
import type {
  ApplyOptions,
  DeleteCollectionOptions,
  DeleteOptions,
  ListOptions,
  ObjectOptions,
  PatchOptions,
  WatchOptions,
  WriteOptions,
} from "./client-options.ts";
import { ObjectWatch } from "./object-watch.ts";
import { refusal } from "./refusal.ts";
import { collectionPath, search, subresourcePath, writeSearch } from "./request-path.ts";
import { type Manifests, manifestEntries } from "./seeding/manifest.ts";
import type {
  BuiltInKind,
  BuiltInManifest,
  BuiltInObject,
  BuiltInVersion,
  KubeList,
  OfOwnKind,
  Written,
} from "./typed-objects.ts";
import { verbOptionTypes } from "./verb-option-types.ts";
import type { WaitFor } from "./wait-for.ts";

const patchMediaTypes = {
  json: "application/json-patch+json",
  merge: "application/merge-patch+json",
  strategic: "application/strategic-merge-patch+json",
  apply: "application/apply-patch+yaml",
} as const;

/**
 * Finds the resource that serves a kind, or the one whose subresource takes objects of the kind.
 * @throws {Error} for a kind that the cluster does not serve
 */
export type ResourceFinder = (
  apiVersion: string,
  kind: string,
  subresource: string | undefined,
) => ApiResource | Promise<ApiResource>;

/** The path of a request for an object. */
interface Place {
  readonly resource: ApiResource;
  readonly namespace: string;
  readonly name: string;
}

interface ClientRequest {
  readonly method: string;
  readonly target: string;
  readonly body?: JsonValue | undefined;
  readonly contentType?: string | undefined;
  readonly signal?: AbortSignal;
}

/**
 * How a client and the server hand over bodies: as the bytes that any client would send, or as values. A controller takes frozen objects
 * and does not change later what it has sent, so that values need no copies.
 */
export type Exchange = "bytes" | "values";

/** A client in the same process. Its requests pass authentication, authorization and admission like those of any client. */
export class ClusterClient {
  readonly #handler: Handler;
  readonly #token: string;
  readonly #resourceOf: ResourceFinder;
  readonly #userAgent: string;
  readonly #exchange: Exchange;

  constructor(
    handler: Handler,
    token: string,
    resourceOf: ResourceFinder,
    userAgent = "kubedouble",
    exchange: Exchange = "bytes",
  ) {
    this.#handler = handler;
    this.#token = token;
    this.#resourceOf = resourceOf;
    this.#userAgent = userAgent;
    this.#exchange = exchange;
  }

  /** @throws {StatusError} notFound and the server's other refusals */
  get<V extends BuiltInVersion, K extends BuiltInKind<V>>(
    apiVersion: V,
    kind: K,
    name: string,
    options?: OfOwnKind<ObjectOptions>,
  ): Promise<BuiltInObject<V, K>>;
  get<T extends object = KubeObject>(
    apiVersion: string,
    kind: string,
    name: string,
    options?: ObjectOptions,
  ): Promise<T>;
  async get(apiVersion: string, kind: string, name: string, options: ObjectOptions = {}): Promise<unknown> {
    checkOptions("get", options, verbOptionTypes.get);
    const path = await this.#objectPath(apiVersion, kind, name, options);
    return this.#send("GET", path);
  }

  /** The items have apiVersion and kind, which the server omits. @throws {StatusError} the server's refusal */
  list<V extends BuiltInVersion, K extends BuiltInKind<V>>(
    apiVersion: V,
    kind: K,
    options?: ListOptions,
  ): Promise<KubeList<BuiltInObject<V, K>>>;
  list<T extends object = KubeObject>(
    apiVersion: string,
    kind: string,
    options?: ListOptions,
  ): Promise<KubeList<T>>;
  async list(apiVersion: string, kind: string, options: ListOptions = {}): Promise<unknown> {
    checkOptions("list", options, verbOptionTypes.list);
    const { namespace = "", ...query } = options;
    const resource = await this.#resourceOf(apiVersion, kind, undefined);
    const path = collectionPath(resource, namespace) + search(query);
    return withKind(apiVersion, kind, await this.#send<JsonObject>("GET", path));
  }

  /**
   * The changes of objects from now on, for `for await`. Without a resourceVersion, existing objects come first, as ADDED.
   * It ends with `return()`, the signal or the watch's timeout on the server.
   * @throws {StatusError} while it is read: the server's refusal, or an error that ends the watch, such as 410
   */
  watch<V extends BuiltInVersion, K extends BuiltInKind<V>>(
    apiVersion: V,
    kind: K,
    options?: WatchOptions,
  ): ObjectWatch<BuiltInObject<V, K>>;
  watch<T extends object = KubeObject>(
    apiVersion: string,
    kind: string,
    options?: WatchOptions,
  ): ObjectWatch<T>;
  watch(apiVersion: string, kind: string, options: WatchOptions = {}): ObjectWatch<object> {
    checkOptions("watch", options, verbOptionTypes.watch);
    const { namespace = "", signal, ...query } = options;
    return new ObjectWatch(async (closing) => {
      const resource = await this.#resourceOf(apiVersion, kind, undefined);
      const target = collectionPath(resource, namespace) + search({ watch: "true", ...query });
      const { body } = await this.#request({ method: "GET", target, signal: closing });
      return body;
    }, signal);
  }

  /**
   * Waits until an object, or the list of all objects that match, meets a condition. It watches, and measures the time
   * limit in real time, so that it works with fake timers.
   * @throws {Error} when the time is over, named TimeoutError, with the last state; an error of the condition
   * @throws {StatusError} the server's refusal
   */
  readonly waitFor: WaitFor = async (query: object, condition: unknown, options: object = {}) => {
    const { waitFor } = await import("./wait-for.ts");
    return waitFor(this, query, condition, options);
  };

  /** @throws {StatusError} alreadyExists, invalid and the server's other refusals */
  create<V extends BuiltInVersion, K extends BuiltInKind<V>>(
    object: BuiltInManifest<V, K>,
    options?: OfOwnKind<WriteOptions>,
  ): Promise<BuiltInObject<V, K>>;
  create<T extends object>(object: T, options?: WriteOptions): Promise<Written<T>>;
  async create(object: object, options: WriteOptions = {}): Promise<unknown> {
    checkOptions("create", options, verbOptionTypes.create);
    const manifest = manifestOf(object);
    const { resource, namespace, name } = await this.#place(manifest, options);
    const collection = collectionPath(resource, namespace);
    const { subresource } = options;
    const path =
      subresource === undefined ? collection : `${collection}/${encodeURIComponent(name)}/${subresource}`;
    return this.#send("POST", path + writeSearch(options), manifest);
  }

  /** @throws {StatusError} conflict, invalid and the server's other refusals */
  update<V extends BuiltInVersion, K extends BuiltInKind<V>>(
    object: BuiltInManifest<V, K>,
    options?: OfOwnKind<WriteOptions>,
  ): Promise<BuiltInObject<V, K>>;
  update<T extends object>(object: T, options?: WriteOptions): Promise<Written<T>>;
  async update(object: object, options: WriteOptions = {}): Promise<unknown> {
    checkOptions("update", options, verbOptionTypes.update);
    const manifest = manifestOf(object);
    return this.#send("PUT", await this.#manifestPath(manifest, options), manifest);
  }

  /** @throws {StatusError} the server's refusal */
  patch<V extends BuiltInVersion, K extends BuiltInKind<V>>(
    apiVersion: V,
    kind: K,
    name: string,
    patch: object,
    options?: OfOwnKind<PatchOptions>,
  ): Promise<BuiltInObject<V, K>>;
  patch<T extends object = KubeObject>(
    apiVersion: string,
    kind: string,
    name: string,
    patch: object | JsonValue,
    options?: PatchOptions,
  ): Promise<T>;
  async patch(
    apiVersion: string,
    kind: string,
    name: string,
    patch: object | JsonValue,
    options: PatchOptions = {},
  ): Promise<unknown> {
    checkOptions("patch", options, verbOptionTypes.patch);
    const { type = Array.isArray(patch) ? "json" : "merge" } = options;
    const path = await this.#objectPath(apiVersion, kind, name, options);
    // As in `manifestOf`.
    const body = patch as JsonValue;
    return this.#send("PATCH", path + writeSearch(options), body, patchMediaTypes[type]);
  }

  /** Server-side apply. @throws {StatusError} conflict with the owners of fields, and other refusals */
  apply<V extends BuiltInVersion, K extends BuiltInKind<V>>(
    object: BuiltInManifest<V, K>,
    options?: OfOwnKind<ApplyOptions>,
  ): Promise<BuiltInObject<V, K>>;
  apply<T extends object>(object: T, options?: ApplyOptions): Promise<Written<T>>;
  async apply(object: object, options: ApplyOptions = {}): Promise<unknown> {
    checkOptions("apply", options, verbOptionTypes.apply);
    const { fieldManager = "kubedouble", force = false } = options;
    const manifest = manifestOf(object);
    const path = await this.#manifestPath(manifest, { ...options, fieldManager });
    const forced = force ? "&force=true" : "";
    return this.#send("PATCH", path + forced, manifest, patchMediaTypes.apply);
  }

  /** Returns the object or a Status, as the server does. @throws {StatusError} notFound, conflict */
  async delete(
    apiVersion: string,
    kind: string,
    name: string,
    options: DeleteOptions = {},
  ): Promise<KubeObject | Status> {
    checkOptions("delete", options, verbOptionTypes.delete);
    const { namespace: _, subresource: __, dryRun, ...rest } = options;
    const body = { kind: "DeleteOptions", apiVersion: "v1", ...rest, ...(dryRun && { dryRun: ["All"] }) };
    const path = await this.#objectPath(apiVersion, kind, name, options);
    return this.#send<KubeObject | Status>("DELETE", path, body);
  }

  /** Deletes the objects that a list would return, and returns that list. @throws {StatusError} the server's refusal */
  async deleteCollection(
    apiVersion: string,
    kind: string,
    options: DeleteCollectionOptions = {},
  ): Promise<KubeList> {
    checkOptions("deleteCollection", options, verbOptionTypes.deleteCollection);
    const { namespace = "default", labelSelector, fieldSelector, dryRun, ...rest } = options;
    const body = { kind: "DeleteOptions", apiVersion: "v1", ...rest, ...(dryRun && { dryRun: ["All"] }) };
    const path = collectionPath(await this.#resourceOf(apiVersion, kind, undefined), namespace);
    const target = path + search({ labelSelector, fieldSelector });
    return withKind(apiVersion, kind, await this.#send<JsonObject>("DELETE", target, body));
  }

  /**
   * Creates the missing objects of these manifests as this user and replaces the existing ones. Lists are expanded, and
   * namespaces come first. `Cluster.load` keeps status, uids and other values that users cannot set.
   * @throws {Error} that names the entry that is not a manifest
   * @throws {StatusError} the refusal of the first refused object
   */
  async load(objects: Manifests): Promise<void> {
    const entries = manifestEntries(objects, "objects");
    const { loadAsUser } = await import("./load-as-user.ts");
    await loadAsUser(this, entries);
  }

  async #manifestPath(object: JsonObject, options: WriteOptions): Promise<string> {
    const { resource, namespace, name } = await this.#place(object, options);
    const path = `${collectionPath(resource, namespace)}/${encodeURIComponent(name)}`;
    return path + subresourcePath(options) + writeSearch(options);
  }

  async #objectPath(apiVersion: string, kind: string, name: string, options: ObjectOptions): Promise<string> {
    const resource = await this.#resourceOf(apiVersion, kind, undefined);
    checkValue("the name of an object", name, text);
    const { namespace = "default" } = options;
    return `${collectionPath(resource, namespace)}/${encodeURIComponent(name)}${subresourcePath(options)}`;
  }

  /** @throws {Error} if it is not a manifest, or for a kind that the cluster does not serve */
  async #place(object: JsonObject, options: ObjectOptions): Promise<Place> {
    const { apiVersion, kind } = object;
    if (typeof apiVersion !== "string" || typeof kind !== "string") {
      throw new Error(`a manifest needs apiVersion and kind: ${encodeJson(object)}`);
    }
    const { subresource } = options;
    const { name, namespace } = metadataOf(object);
    return {
      resource: await this.#resourceOf(apiVersion, kind, subresource),
      namespace: options.namespace ?? (typeof namespace === "string" ? namespace : "default"),
      name: typeof name === "string" ? name : "",
    };
  }

  async #send<T>(method: string, target: string, body?: JsonValue, contentType?: string): Promise<T> {
    const { document, body: answer } = await this.#request({ method, target, body, contentType });
    // The verb's result as JSON.
    return (document ?? parseJson(await readResponseBody(answer))) as T;
  }

  #bodyOf(body: JsonValue): Pick<PlainRequest, "body"> | Pick<PlainRequest, "handed"> {
    if (this.#exchange === "values" && isJsonObject(body) && isSameInJson(body)) {
      return { handed: { document: body, encode: encodeBody } };
    }
    return { body: encodeBody(body) };
  }

  /** The answer. @throws {StatusError} a refusal */
  async #request({ method, target, body, contentType, signal }: ClientRequest): Promise<ApiResponse> {
    const headers = new Map([
      ["authorization", `Bearer ${this.#token}`],
      ["content-type", contentType ?? "application/json"],
      ["user-agent", this.#userAgent],
    ]);
    const request = plainRequest({
      method,
      target,
      headers,
      ...(body !== undefined && this.#bodyOf(body)),
      ...(signal !== undefined && { signal }),
    });
    const response = await this.#handler(request, inProcessPeer);
    if (response.status < 400) return response;
    throw refusal(response.status, await readResponseBody(response.body));
  }
}

function encodeBody(body: JsonValue): Uint8Array {
  return new TextEncoder().encode(encodeJson(body));
}

/** A list whose items have apiVersion and kind, as objects need them. */
function withKind(apiVersion: string, kind: string, list: JsonObject): KubeList {
  const items = listAt(list, "items").map((item) => ({ apiVersion, kind, ...item }));
  // The answer to a list, or to the deletion of one.
  return { ...list, items } as unknown as KubeList;
}

const manifest: OptionType = {
  accepts: "a manifest",
  isValid: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
};

/** A manifest of any type. @throws {Error} if it is not an object */
function manifestOf(object: object): JsonObject {
  checkValue("the object", object, manifest);
  // Its type is only the beginning of JSON: `encodeJson` writes the rest as `JSON.stringify` does.
  return object as JsonObject;
}

function metadataOf({ metadata }: JsonObject): JsonObject {
  return isJsonObject(metadata) ? metadata : {};
}
