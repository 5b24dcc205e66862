import type { GroupResource } from "./group-version.ts";
import type { KubeObject } from "./object-meta.ts";

/** Reads the latest state. Low floors use it instead of the registry. */
export interface Lister {
  get(gr: GroupResource, namespace: string, name: string): KubeObject | undefined;
  /** The empty namespace lists the objects of all namespaces. */
  list(gr: GroupResource, namespace: string): readonly KubeObject[];
}

/** A change of an object: its new state, or its last one. */
export interface ListedChange {
  readonly type: "put" | "delete";
  readonly resource: GroupResource;
  readonly object: KubeObject;
}

/** What has changed since the last call. */
export interface ListedChanges {
  /** Whether the changes are all objects there are, so that what was known before no longer counts. */
  readonly isComplete: boolean;
  readonly changes: readonly ListedChange[];
}

/** Follows the objects of some resources, for an index that is updated when it is read. */
export interface ListedObjects {
  /** The first call returns all objects, each later one what has changed since; undefined if nothing has. */
  next(): ListedChanges | undefined;
}

/** A lister whose objects can be followed. */
export interface FollowingLister extends Lister {
  /** Resources that the server does not have count as empty. */
  follow(resources: readonly GroupResource[]): ListedObjects;
}
