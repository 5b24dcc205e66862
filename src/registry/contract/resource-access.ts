import type { GroupResource } from "../../apimachinery/group-version.ts";
import type { FollowingLister } from "../../apimachinery/lister.ts";
import type { Authorization } from "../../authorization/contract/authorizer.ts";
import type { ServedApi } from "../../served/served-api.ts";
import type { PodConnections } from "./pod-connections.ts";
import type { StoredResource } from "./stored-resource.ts";

/** The access to other resources for verbs that need it. */
export interface ResourceAccess {
  readonly served: ServedApi;
  readonly lister: FollowingLister;
  /** What users may do in the state that the registry reads. */
  readonly authorization: Authorization;
  readonly podConnections: PodConnections;
  /** The stored resource; undefined if the server does not have it. */
  readonly stored: (gr: GroupResource) => StoredResource | undefined;
}
