import { genericServerResponse, StatusError, withDetails } from "../apimachinery/errors/errors.ts";
import { formatGroupVersion } from "../apimachinery/group-version.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../apimachinery/json.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import { checkOptions, checkValue, type OptionType, text } from "../apimachinery/option-checks.ts";
import type { Status, StatusReason } from "../apimachinery/status.ts";
import type { ApiResource } from "../catalog/api-resource.ts";
import { encodeJson, parseJson } from "../codec/json/json.ts";
import type { Handler } from "../request/handler.ts";
import { inProcessPeer } from "../request/peer.ts";
import { plainRequest, readResponseBody } from "../request/plain-request.ts";
import { verbOptionTypes } from "./verb-option-types.ts";

/** Selects an object. */
export interface ObjectOptions {
  /** Default: the manifest's own, else `default` for namespaced kinds. */
  readonly namespace?: string;
  /**
   * Default: none, which is the object itself. A manifest of another kind, such as an Eviction or a TokenRequest, names
   * the object whose subresource it is for.
   */
  readonly subresource?: string;
}

/** Selects objects of a kind. */
export interface ListOptions {
  /** Default: all namespaces. */
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  readonly limit?: number;
  readonly continue?: string;
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: "Exact" | "NotOlderThan";
}

/** Options of every write. */
export interface WriteOptions extends ObjectOptions {
  /** Default: false. */
  readonly dryRun?: boolean;
  /** Default: `kubedouble`, from the User-Agent. */
  readonly fieldManager?: string;
  /** Default: the server's, which is Warn. */
  readonly fieldValidation?: "Ignore" | "Warn" | "Strict";
}

/** Options of a patch. */
export interface PatchOptions extends WriteOptions {
  /** Default: `merge` for an object, `json` for a list of operations. */
  readonly type?: "json" | "merge" | "strategic";
}

/** Options of an apply. */
export interface ApplyOptions extends WriteOptions {
  /** Takes ownership of fields from other managers. Default: false. */
  readonly force?: boolean;
}

/** Options of a delete. */
export interface DeleteOptions extends ObjectOptions {
  readonly dryRun?: boolean;
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: "Orphan" | "Background" | "Foreground";
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  /** Deletes an unreadable object if the feature gate AllowUnsafeMalformedObjectDeletion is enabled. */
  readonly ignoreStoreReadErrorWithClusterBreakingPotential?: boolean;
}

/** Selects the objects to delete, and how. */
export interface DeleteCollectionOptions {
  /** Default: `default` for namespaced kinds. */
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  readonly dryRun?: boolean;
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: "Orphan" | "Background" | "Foreground";
}

/** A list as the server returns it. */
export interface KubeList extends JsonObject {
  readonly metadata: JsonObject;
  readonly items: readonly KubeObject[];
}

const patchMediaTypes = {
  json: "application/json-patch+json",
  merge: "application/merge-patch+json",
  strategic: "application/strategic-merge-patch+json",
  apply: "application/apply-patch+yaml",
} as const;

/** How often `load` retries a manifest after a conflict; the default of client-go. */
const replaceAttempts = 5;

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

/** A client in the same process. Its requests pass authentication, authorization and admission like those of any client. */
export class ClusterClient {
  readonly #handler: Handler;
  readonly #token: string;
  readonly #resourceOf: ResourceFinder;
  readonly #userAgent: string;

  constructor(handler: Handler, token: string, resourceOf: ResourceFinder, userAgent = "kubedouble") {
    this.#handler = handler;
    this.#token = token;
    this.#resourceOf = resourceOf;
    this.#userAgent = userAgent;
  }

  /** @throws {StatusError} notFound and the server's other refusals */
  async get(
    apiVersion: string,
    kind: string,
    name: string,
    options: ObjectOptions = {},
  ): Promise<KubeObject> {
    checkOptions("get", options, verbOptionTypes.get);
    const path = await this.#objectPath(apiVersion, kind, name, options);
    return this.#send<KubeObject>("GET", path);
  }

  /** @throws {StatusError} the server's refusal */
  async list(apiVersion: string, kind: string, options: ListOptions = {}): Promise<KubeList> {
    checkOptions("list", options, verbOptionTypes.list);
    const { namespace = "", ...query } = options;
    const resource = await this.#resourceOf(apiVersion, kind, undefined);
    return this.#send<KubeList>("GET", collectionPath(resource, namespace) + search(query));
  }

  /** @throws {StatusError} alreadyExists, invalid and the server's other refusals */
  async create(object: JsonObject, options: WriteOptions = {}): Promise<KubeObject> {
    checkOptions("create", options, verbOptionTypes.create);
    const { resource, namespace, name } = await this.#place(object, options);
    const collection = collectionPath(resource, namespace);
    const { subresource } = options;
    const path =
      subresource === undefined ? collection : `${collection}/${encodeURIComponent(name)}/${subresource}`;
    return this.#send<KubeObject>("POST", path + writeSearch(options), object);
  }

  /** @throws {StatusError} conflict, invalid and the server's other refusals */
  async update(object: JsonObject, options: WriteOptions = {}): Promise<KubeObject> {
    checkOptions("update", options, verbOptionTypes.update);
    return this.#send<KubeObject>("PUT", await this.#manifestPath(object, options), object);
  }

  /** @throws {StatusError} the server's refusal */
  async patch(
    apiVersion: string,
    kind: string,
    name: string,
    patch: JsonValue,
    options: PatchOptions = {},
  ): Promise<KubeObject> {
    checkOptions("patch", options, verbOptionTypes.patch);
    const { type = Array.isArray(patch) ? "json" : "merge" } = options;
    const path = await this.#objectPath(apiVersion, kind, name, options);
    return this.#send<KubeObject>("PATCH", path + writeSearch(options), patch, patchMediaTypes[type]);
  }

  /** Server-side apply. @throws {StatusError} conflict with the owners of fields, and other refusals */
  async apply(object: JsonObject, options: ApplyOptions = {}): Promise<KubeObject> {
    checkOptions("apply", options, verbOptionTypes.apply);
    const { fieldManager = "kubedouble", force = false } = options;
    const path = await this.#manifestPath(object, { ...options, fieldManager });
    const forced = force ? "&force=true" : "";
    return this.#send<KubeObject>("PATCH", path + forced, object, patchMediaTypes.apply);
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
    return this.#send<KubeList>("DELETE", path + search({ labelSelector, fieldSelector }), body);
  }

  /**
   * Creates the missing objects of these manifests as this user and replaces the existing ones. Lists are expanded, and
   * namespaces come first. `Cluster.load` keeps status, uids and other values that users cannot set.
   * @throws {StatusError} the refusal of the first refused object
   */
  async load(objects: readonly JsonObject[]): Promise<void> {
    const manifests = objects.flatMap(itemsOf);
    const isNamespace = (object: JsonObject) => object["kind"] === "Namespace";
    const others = manifests.filter((object) => !isNamespace(object));
    for (const object of [...manifests.filter(isNamespace), ...others]) await this.#load(object);
  }

  async #load(object: JsonObject): Promise<void> {
    const metadata = metadataOf(object);
    const { resourceVersion: _, uid: __, ...rest } = metadata;
    const fresh = { ...object, metadata: rest };
    try {
      await this.create(fresh);
    } catch (error) {
      if (!isRefusal(error, "AlreadyExists") || typeof metadata["name"] !== "string") throw error;
      await this.#replace(fresh, rest, replaceAttempts);
    }
  }

  /** Adds the current resourceVersion, which some kinds require for a replacement. */
  async #replace(object: JsonObject, metadata: JsonObject, attempts: number): Promise<void> {
    const path = await this.#manifestPath(object, {});
    const live = await this.#send<KubeObject>("GET", path);
    const { resourceVersion = "" } = live.metadata;
    try {
      await this.#send("PUT", path, { ...object, metadata: { ...metadata, resourceVersion } });
    } catch (error) {
      if (!isRefusal(error, "Conflict") || attempts <= 1) throw error;
      await this.#replace(object, metadata, attempts - 1);
    }
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
    checkValue("the object", object, manifest);
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

  async #send<T>(
    method: string,
    target: string,
    body?: JsonValue,
    contentType = "application/json",
  ): Promise<T> {
    const headers = new Map([
      ["authorization", `Bearer ${this.#token}`],
      ["content-type", contentType],
      ["user-agent", this.#userAgent],
    ]);
    const bytes = body === undefined ? undefined : new TextEncoder().encode(encodeJson(body));
    const request = plainRequest({ method, target, headers, ...(bytes !== undefined && { body: bytes }) });
    const response = await this.#handler(request, inProcessPeer);
    const content = await readResponseBody(response.body);
    if (response.status >= 400) throw refusal(response.status, content);
    // The verb's result as JSON.
    return parseJson(content) as T;
  }
}

/** The Status of an answer. If a proxy or a fault wrote the answer, a Status is derived from it as client-go does. */
function refusal(code: number, content: Uint8Array): StatusError {
  const text = new TextDecoder().decode(content);
  const status = statusIn(text);
  if (status !== undefined) return new StatusError(status);
  const message = text.trim();
  return withDetails(genericServerResponse(code, message), {
    causes: [{ reason: "UnexpectedServerResponse", message }],
  });
}

function statusIn(text: string): Status | undefined {
  try {
    const answer: JsonValue = JSON.parse(text);
    // The other fields are those of the kind.
    return isJsonObject(answer) && answer["kind"] === "Status" ? (answer as unknown as Status) : undefined;
  } catch {
    return undefined;
  }
}

function isRefusal(error: unknown, reason: StatusReason): boolean {
  return error instanceof StatusError && error.status.reason === reason;
}

const manifest: OptionType = {
  accepts: "a manifest",
  isValid: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
};

function metadataOf({ metadata }: JsonObject): JsonObject {
  return isJsonObject(metadata) ? metadata : {};
}

/** The manifests of a list of any kind; a single manifest is returned as it is. */
function itemsOf(object: JsonObject): readonly JsonObject[] {
  const { kind, apiVersion = "", items } = object;
  if (typeof kind !== "string" || !kind.endsWith("List") || !Array.isArray(items)) return [object];
  const itemKind = kind === "List" ? {} : { kind: kind.slice(0, -"List".length), apiVersion };
  return items.filter(isJsonObject).flatMap((item) => itemsOf({ ...itemKind, ...item }));
}

function collectionPath(resource: ApiResource, namespace: string): string {
  const root = resource.group === "" ? "/api" : "/apis";
  const isWithin = resource.namespaced && namespace !== "";
  const within = isWithin ? `/namespaces/${encodeURIComponent(namespace)}` : "";
  return `${root}/${formatGroupVersion(resource)}${within}/${resource.resource}`;
}

function subresourcePath({ subresource }: ObjectOptions): string {
  return subresource === undefined ? "" : `/${subresource}`;
}

function writeSearch({ dryRun, fieldManager, fieldValidation }: WriteOptions): string {
  return search({ dryRun: dryRun ? "All" : undefined, fieldManager, fieldValidation });
}

function search(parameters: { readonly [name: string]: string | number | undefined }): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) query.set(name, String(value));
  }
  return query.size === 0 ? "" : `?${query}`;
}
