import type { FollowingLister } from "../../apimachinery/lister.ts";
import type { RequestInfo } from "../../request/request-info.ts";
import { BoundRoles } from "../rbac/bound-roles.ts";

/** Says what the default bindings of the server grant to groups, such as discovery to `system:authenticated`. */
export function defaultGrants(
  lister: FollowingLister,
  groups: ReadonlySet<string>,
): (info: RequestInfo) => boolean {
  const member = { name: "", uid: "", groups: [...groups], extra: {} };
  const roles = [...new BoundRoles(lister).of(member, "")].flatMap((bound) =>
    bound.found && bound.binding.metadata.labels?.["kubernetes.io/bootstrapping"] === "rbac-defaults"
      ? [bound.role]
      : [],
  );
  return (info) => roles.some((role) => role.ruleFor(info) !== undefined);
}
