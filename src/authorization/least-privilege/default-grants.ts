import type { RequestInfo } from "../../request/request-info.ts";
import type { RoleFinder } from "../contract/role-finder.ts";

/** Says what the default bindings of the server grant to groups, such as discovery to `system:authenticated`. */
export function defaultGrants(
  roles: RoleFinder,
  groups: ReadonlySet<string>,
): (info: RequestInfo) => boolean {
  const member = { name: "", uid: "", groups: [...groups], extra: {} };
  const granted = roles
    .of(member, "")
    .flatMap((bound) =>
      bound.found && bound.binding.metadata.labels?.["kubernetes.io/bootstrapping"] === "rbac-defaults"
        ? [bound.role]
        : [],
    );
  return (info) => granted.some((role) => role.ruleFor(info) !== undefined);
}
