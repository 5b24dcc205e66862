import type { GroupResource, GroupVersion, GroupVersionKind } from "../../apimachinery/group-version.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { KubeObject, MutableKubeObject } from "../../apimachinery/object-meta.ts";
import type { Status } from "../../apimachinery/status.ts";
import type { StructSchema } from "../../catalog/type-schema.ts";
import type { Encodable } from "../../codec/encodable.ts";
import type { StorageError } from "../../store/storage-error.ts";
import type { ObjectKey } from "./object-key.ts";
import type { SelectionPredicate } from "./selection-predicate.ts";
import type { StrategyContext } from "./strategy.ts";

/** What a resource is, apart from what it does. */
export interface ResourceDefinition {
  readonly groupResource: GroupResource;
  /** The kind as it is stored, or as the verbs speak of it where nothing is stored. */
  readonly gvk: GroupVersionKind;
  readonly schema: StructSchema;
  readonly namespaced: boolean;
}

/** How fresh a read has to be; the table "List: outcome matrix" of the API reference, already validated. */
export type Freshness =
  | { readonly at: "newest" }
  /** Whatever the watch cache has: here the newest, and all of it at once. */
  | { readonly at: "any" }
  /** The newest as well, by way of upstream's watch cache, which shows in the continue token. */
  | { readonly at: "notOlderThan" }
  | { readonly at: "exactly"; readonly revision: number };

export interface ListQuery {
  /** The empty string lists every namespace. */
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
  /** Events after this revision; `"now"` for those that are still to come. */
  readonly from: number | "now";
  /** Whether the present state comes first, as ADDED events. */
  readonly initialEvents: boolean;
  readonly signal: AbortSignal;
}

/** One change as a watcher sees it; `revision` is what its object says. */
export interface ResourceEvent {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly object: Encodable;
  readonly revision: number;
}

/** An open watch. Whoever reads it drains what is ready, and is called back when there is more. */
export interface ResourceWatch {
  /** The present state, when it was asked for. */
  readonly initial: readonly Encodable[];
  /** The revision of the present state, or where the watch starts. */
  readonly revision: number;
  /** Takes the events that have come to wait. */
  drain(): readonly ResourceEvent[];
  /** Calls back, never within a write, when events have come to wait or the watch has ended. */
  onReady(callback: () => void): void;
  /** Up to which revision it has told everything, where a test holds something back; else undefined. */
  readonly heldAt?: number | undefined;
  readonly ended: boolean;
  /** Why it ended, if not by being closed. */
  readonly error: StorageError | undefined;
  close(): void;
}

export interface CreateOptions extends StrategyContext {
  /** The last word of admission, on the object as it would be stored. */
  readonly validateAdmission: (object: KubeObject) => Promise<void> | void;
}

export interface UpdateOptions extends StrategyContext {
  readonly validateAdmission: (object: KubeObject, old: KubeObject) => Promise<void> | void;
  /** Asked instead when the update turns out to create. */
  readonly validateCreation: (object: KubeObject) => Promise<void> | void;
  /** The object that is meant, if the client says; another one of that name is a conflict. */
  readonly uid: string | undefined;
  /** An object that is missing is created, whatever the kind: apply. */
  readonly forceCreate: boolean;
}

/** The object that shall replace `current`; called again with the newer one after a lost race. */
export type ProposeUpdate = (
  current: KubeObject | undefined,
) => Promise<MutableKubeObject> | MutableKubeObject;

export interface Preconditions {
  readonly uid?: string;
  readonly resourceVersion?: string;
}

/** Options of a delete, validated. */
export interface DeleteOptions extends StrategyContext {
  readonly gracePeriodSeconds: number | undefined;
  readonly preconditions: Preconditions;
  readonly orphanDependents: boolean | undefined;
  readonly propagationPolicy: "Orphan" | "Background" | "Foreground" | undefined;
  readonly validateAdmission: (old: KubeObject) => Promise<void> | void;
  /** What is answered when nothing is left; what the kind says if left out. */
  readonly returns?: "object" | "status" | undefined;
}

export interface Updated {
  readonly object: Encodable;
  readonly created: boolean;
}

/** What a verb answers: an object, or a Status where there is none to show. */
export type Answer = { readonly object: Encodable } | { readonly status: Status };

export interface Deleted {
  readonly answer: Answer;
  /** Nothing is left in the store. */
  readonly immediate: boolean;
}

/** A request for a connection, as far as the registry cares. */
export interface ConnectRequest {
  readonly method: string;
  /** What follows the subresource in the path, with its slash; empty when nothing does. */
  readonly subpath: string;
  readonly query: URLSearchParams;
  /** The client asks to leave HTTP. */
  readonly isUpgrade: boolean;
}

/** What becomes of a client that was not refused: there is nothing to see, or it shall come back with a slash. */
export type Connected = "nothing" | "redirect";

/** A subresource that hands its client over to somebody else: a kubelet, or the pod itself. */
export interface Connector {
  /** Whether it is a connection to admission; reading a log is not. */
  readonly isAdmitted: boolean;
  /**
   * The options of the request, as the object that admission sees.
   * @throws {StatusError} badRequest
   */
  readonly optionsOf: (request: ConnectRequest) => JsonObject;
  /** @throws {StatusError} why there is no connection. */
  readonly connect: (key: ObjectKey, options: JsonObject, request: ConnectRequest) => Connected;
}

/**
 * A resource as verbs, over objects of its stored version. Every verb is optional: a review kind has `create` alone,
 * and an absent one answers 405.
 */
export interface Rest {
  readonly definition: ResourceDefinition;
  /** Versions other than its own that the body of a create may be of. */
  readonly acceptsVersion?: (gv: GroupVersion) => boolean;
  /** A create leaves the uid and resourceVersion that a client sends: they are about another object. */
  readonly preservesSystemFields?: boolean;
  readonly connector?: Connector;
  readonly get?: (key: ObjectKey) => Encodable;
  readonly list?: (query: ListQuery) => ListResult;
  readonly watch?: (query: WatchQuery) => ResourceWatch;
  /** Asked before a watch is opened, while a refusal can still be the answer. @throws {StatusError} tooManyRequests */
  readonly checkWatch?: () => void;
  readonly create?: (key: ObjectKey, object: MutableKubeObject, options: CreateOptions) => Promise<Answer>;
  readonly update?: (key: ObjectKey, propose: ProposeUpdate, options: UpdateOptions) => Promise<Updated>;
  readonly delete?: (key: ObjectKey, options: DeleteOptions) => Promise<Deleted>;
  /** Removes an object that cannot be read, whatever stands in its way. @throws {StatusError} invalid for any other */
  readonly deleteCorrupt?: (key: ObjectKey, options: DeleteOptions) => Promise<void>;
  readonly deleteCollection?: (query: ListQuery, options: DeleteOptions) => Promise<ListResult>;
}
