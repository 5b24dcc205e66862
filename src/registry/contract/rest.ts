import type { Awaitable } from "../../apimachinery/awaitable.ts";
import type { GroupResource, GroupVersion, GroupVersionKind } from "../../apimachinery/group-version.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { KubeObject, MutableKubeObject } from "../../apimachinery/object-meta.ts";
import type { Status } from "../../apimachinery/status.ts";
import type { Encodable } from "../../codec/encodable.ts";
import type { QueryParameters } from "../../request/query-parameters.ts";
import type { KindSchema } from "../../schema/kind-schema.ts";
import type { LatestObject } from "../../sharing/latest-object.ts";
import type { ObjectKey } from "./object-key.ts";
import type { Connection } from "./pod-connections.ts";
import type { ResourceWatch } from "./resource-watch.ts";
import type { SelectionPredicate } from "./selection-predicate.ts";
import type { StorageCodec } from "./storage-codec.ts";
import type { StrategyContext } from "./strategy.ts";

/** The facts of a resource that do not depend on its verbs. */
export interface ResourceDefinition {
  readonly groupResource: GroupResource;
  /** The kind in its storage version, or in that of the endpoint if it is not stored. */
  readonly gvk: GroupVersionKind;
  readonly schema: KindSchema;
  readonly namespaced: boolean;
}

/** The required freshness of a read, from validated options; the table "List: outcome matrix" of the API reference. */
export type Freshness =
  | { readonly at: "newest" }
  /** Any version in the watch cache: here the latest, without a limit. */
  | { readonly at: "any" }
  /** The latest version, too, read from the watch cache upstream, which affects the continue token. */
  | { readonly at: "notOlderThan" }
  | { readonly at: "exactly"; readonly revision: number };

export interface ListQuery {
  /** The empty string lists all namespaces. */
  readonly namespace: string;
  readonly predicate: SelectionPredicate;
  /** 0 for no limit. */
  readonly limit: number;
  readonly continueToken: string;
  readonly freshness: Freshness;
}

export interface ListResult {
  readonly items: readonly Encodable[];
  readonly resourceVersion: string;
  readonly continueToken: string | undefined;
  readonly remainingItemCount: number | undefined;
}

export interface WatchQuery {
  readonly namespace: string;
  readonly predicate: SelectionPredicate;
  /** Events after this revision, or only new ones for `"now"`. */
  readonly from: number | "now";
  /** Whether to start with the current state as ADDED events. */
  readonly initialEvents: boolean;
  readonly signal: AbortSignal;
}

export interface CreateOptions extends StrategyContext {
  /** Validating admission of the object as it would be stored. */
  readonly validateAdmission: (object: KubeObject) => Promise<void> | void;
}

export interface UpdateOptions extends StrategyContext {
  readonly validateAdmission: (object: KubeObject, old: KubeObject) => Promise<void> | void;
  /** Replaces `validateAdmission` if the update creates the object. */
  readonly validateCreation: (object: KubeObject) => Promise<void> | void;
  /** The uid that the client requires, if any. An object with another uid is a conflict. */
  readonly uid: string | undefined;
  /** Creates a missing object of any kind, for apply. */
  readonly forceCreate: boolean;
  /** Whether an object that is too large for storage keeps its managedFields, and is refused: so it is for apply. */
  readonly keepsManagedFields: boolean;
}

/**
 * Stores an object with what it gives. Without a webhook that converts, the write is committed when the call returns.
 * @throws {StatusError} invalid, before anything is written
 */
export type SeedObject = (key: ObjectKey, object: MutableKubeObject, options: SeedOptions) => Promise<void>;

export interface SeedOptions extends StrategyContext {
  /**
   * Where the object comes from: it was read from a server, it is a manifest that a server would complete, or it is what an earlier
   * cluster of the same release and gates has made of one.
   */
  readonly origin: "server" | "manifest" | "earlier cluster";
}

/** Proposes the object to replace `current`. Called again with the newer object after a conflicting write. */
export type ProposeUpdate = (
  current: KubeObject | undefined,
) => Promise<MutableKubeObject> | MutableKubeObject;

export interface Preconditions {
  readonly uid?: string;
  readonly resourceVersion?: string;
}

/** The validated options of a delete. */
export interface DeleteOptions extends StrategyContext {
  readonly gracePeriodSeconds: number | undefined;
  readonly preconditions: Preconditions;
  readonly orphanDependents: boolean | undefined;
  readonly propagationPolicy: "Orphan" | "Background" | "Foreground" | undefined;
  /** `gracePeriodSeconds` is what the kind makes of the requested one; undefined for kinds without one. */
  readonly validateAdmission: (
    old: KubeObject,
    gracePeriodSeconds: number | undefined,
  ) => Promise<void> | void;
}

export interface Updated {
  readonly object: Encodable;
  readonly created: boolean;
}

/** The result of a verb: an object, or a Status if there is none. */
export type Answer = { readonly object: Encodable } | { readonly status: Status };

export interface Deleted {
  /** The object as it was when it was removed, or as it is now. */
  readonly object: Encodable;
  /** Whether the object was removed from the store. */
  readonly immediate: boolean;
  /** Whether the response is the object; otherwise it is a Status about it. */
  readonly returnsObject: boolean;
}

/** A request for a connection. */
export interface ConnectRequest {
  readonly method: string;
  /** The path after the subresource, with its slash; empty without one. */
  readonly subpath: string;
  readonly query: QueryParameters;
  /** The client requests a protocol upgrade. */
  readonly isUpgrade: boolean;
  /** The subprotocols that the client offers for a WebSocket; none for any other request. */
  readonly webSocketProtocols: readonly string[];
}

/** The response to an accepted connection: none, a redirect to the path with a slash, or what the other end answers. */
export type Connected = "nothing" | "redirect" | Connection;

/** A subresource that connects its client to a kubelet or to the pod itself. */
export interface Connector {
  /** Whether admission handles it as CONNECT; reading a log is not. */
  readonly isAdmitted: boolean;
  /**
   * The options object of the request, which admission sees.
   * @throws {StatusError} badRequest
   */
  readonly optionsOf: (request: ConnectRequest) => JsonObject;
  /** @throws {StatusError} if the connection fails */
  readonly connect: (key: ObjectKey, options: JsonObject, request: ConnectRequest) => Connected;
}

/**
 * The verbs of a resource, for objects in the storage version unless there is a codec. What they return is as it is stored. Every verb is optional: a review has only `create`. An
 * absent verb is answered with 405.
 */
export interface Rest {
  readonly definition: ResourceDefinition;
  /** Whether the body of a create can have another version than the endpoint. */
  readonly acceptsVersion?: (gv: GroupVersion) => boolean;
  /** A create keeps the uid and resourceVersion of the client, because they refer to another object. */
  readonly preservesSystemFields?: boolean;
  readonly connector?: Connector;
  /** The object that new objects share parts with; undefined if the resource is not stored. */
  readonly latest?: LatestObject;
  /** Lies between the store and the verbs; undefined if they handle objects as they are stored. */
  readonly codec?: StorageCodec | undefined;
  readonly get?: (key: ObjectKey) => Awaitable<Encodable>;
  readonly list?: (query: ListQuery) => ListResult;
  readonly watch?: (query: WatchQuery) => ResourceWatch;
  /** Checks before a watch is opened whether it is allowed. @throws {StatusError} tooManyRequests */
  readonly checkWatch?: () => void;
  readonly create?: (key: ObjectKey, object: MutableKubeObject, options: CreateOptions) => Promise<Answer>;
  /** Loads what stores an object with the uid, status and other values that it gives. */
  readonly loadSeed?: () => Promise<SeedObject>;
  readonly update?: (key: ObjectKey, propose: ProposeUpdate, options: UpdateOptions) => Promise<Updated>;
  readonly delete?: (key: ObjectKey, options: DeleteOptions) => Promise<Deleted>;
  /** Removes a corrupt object, regardless of finalizers. @throws {StatusError} invalid for any other object */
  readonly deleteCorrupt?: (key: ObjectKey, options: DeleteOptions) => Promise<void>;
  readonly deleteCollection?: (query: ListQuery, options: DeleteOptions) => Promise<ListResult>;
}
