import type { GroupResource } from "../../apimachinery/group-version.ts";
import type { Lister } from "../../apimachinery/lister.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import type { StoredResource } from "./stored-resource.ts";

/** What resources that work on others have of the registry. */
export interface ResourceAccess {
  readonly catalog: Catalog;
  readonly lister: Lister;
  /** What the verbs of a resource share; undefined when the server does not have it. */
  readonly stored: (gr: GroupResource) => StoredResource | undefined;
}
