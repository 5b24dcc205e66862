import type { GroupVersionKind } from "../apimachinery/group-version.ts";

/** A release of Kubernetes, for example "1.32". */
export type Release = `1.${number}`;

/** A subresource as discovery lists it. */
export interface ApiSubresource {
  readonly name: string;
  readonly gvk: GroupVersionKind;
  readonly verbs: readonly string[];
  /** HTTP methods of a connect-style subresource such as exec; empty otherwise. */
  readonly connect: readonly string[];
}

/** When and by what an API is replaced; drives warnings. */
export interface Lifecycle {
  /** The release that introduced it, "1.16" for that or earlier. */
  readonly introduced: Release;
  readonly deprecated: Release | undefined;
  /** The release that the deprecation warning names. */
  readonly removed: Release | undefined;
  readonly replacement: GroupVersionKind | undefined;
}

/** A resource that this server serves, in one group and version. */
export interface ApiResource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly kind: string;
  readonly singular: string;
  readonly namespaced: boolean;
  /** Discovery verbs, in discovery's order. */
  readonly verbs: readonly string[];
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly subresources: ReadonlyMap<string, ApiSubresource>;
  readonly lifecycle: Lifecycle;
}
