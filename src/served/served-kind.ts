import type { ApiResource } from "../catalog/api-resource.ts";
import type { GroupPriority } from "../catalog/group-priority.ts";
import type { ResourceFacts } from "../catalog/resource-facts.ts";
import type { KindSchema } from "../schema/kind-schema.ts";

/** One version of a kind that the catalog does not have. */
export interface DeclaredVersion {
  /**
   * The resource as discovery shows it. A kind that changes gets new resources. A kind that does not change keeps them,
   * because servers cache data of a resource under this object.
   */
  readonly resource: ApiResource;
  readonly schema: KindSchema;
  readonly facts: ResourceFacts;
  readonly isServed: boolean;
  /** The place in discovery. Default: that of custom resources. */
  readonly priority?: GroupPriority;
}

/** The versions of a kind that the catalog does not have. */
export interface DeclaredVersions {
  /** The version in which objects are stored. It need not be served. */
  readonly storageVersion: string;
  readonly versions: readonly DeclaredVersion[];
}

/** What the server has to know about a kind to serve it. */
export interface ServedKind {
  /** The group under which the objects are stored. */
  readonly group: string;
  readonly resource: string;
  readonly kind: string;
  /** Other groups that serve the same stored objects under the same resource name. */
  readonly cohabitants?: { readonly [group: string]: object | undefined };
  /** For kinds that come at run time. The versions of built-in kinds are those of the catalog. */
  readonly served?: DeclaredVersions;
}
