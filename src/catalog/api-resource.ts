import type { GroupVersionKind } from "../apimachinery/group-version.ts";
import type { AnyRelease } from "../apimachinery/release.ts";

/** A subresource in discovery. */
export interface ApiSubresource {
  readonly name: string;
  readonly gvk: GroupVersionKind;
  readonly verbs: readonly string[];
  /** HTTP methods of a connect-style subresource such as exec; empty otherwise. */
  readonly connect: readonly string[];
}

/** The lifecycle of an API, on which deprecation warnings depend. */
export interface Lifecycle {
  /** The release that introduced the API; "1.16" for that and earlier releases. */
  readonly introduced: AnyRelease;
  readonly deprecated: AnyRelease | undefined;
  /** The release that the deprecation warning names. */
  readonly removed: AnyRelease | undefined;
  readonly replacement: GroupVersionKind | undefined;
}

/** A resource that a server serves, in one group and version. */
export interface ApiResource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly kind: string;
  readonly singular: string;
  readonly namespaced: boolean;
  /** The verbs, in the order of discovery. */
  readonly verbs: readonly string[];
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly subresources: ReadonlyMap<string, ApiSubresource>;
  readonly lifecycle: Lifecycle;
  /** The warning for clients of a version that its definition deprecates. */
  readonly deprecationWarning?: string;
}
