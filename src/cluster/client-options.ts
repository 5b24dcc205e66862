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

/** Selects the objects to watch. */
export interface WatchOptions {
  /** Default: all namespaces. */
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  /** Default: none, which begins with the existing objects. */
  readonly resourceVersion?: string;
  /** Ends the watch. */
  readonly signal?: AbortSignal;
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
