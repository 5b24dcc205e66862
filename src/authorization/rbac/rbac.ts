import { aggregateText } from "../../apimachinery/errors/aggregate.ts";
import type { Authorization, AuthorizationOf, Decision } from "../contract/authorizer.ts";

/**
 * Allows what the roles of the user allow: `--authorization-mode=RBAC`. Changes of roles and bindings take effect at once.
 * Upstream: plugin/pkg/auth/authorizer/rbac.
 */
export const rbac: AuthorizationOf = ({ roles }): Authorization => {
  return {
    authorize: ({ user, info }) => {
      const role = roles.allowing(user, info);
      if (role !== undefined) return { verdict: "allow", reason: `RBAC: allowed by ${role.grant()}` };
      const all = roles.of(user, info.isResourceRequest ? info.namespace : "");
      return noOpinion(all.flatMap((bound) => (bound.found ? [] : bound.problem)));
    },
    rulesFor: (user, namespace) => {
      const found = roles.of(user, namespace);
      return {
        rules: found.flatMap((bound) => (bound.found ? bound.role.rules : [])),
        isIncomplete: false,
        // The resolver makes one error of them, which then counts as one of the union's.
        errors: found.some((bound) => !bound.found)
          ? [aggregateText(found.flatMap((bound) => (bound.found ? [] : bound.problem)))]
          : [],
      };
    },
  };
};

function noOpinion(problems: readonly string[]): Decision {
  const reason = problems.length === 0 ? "" : `RBAC: ${aggregateText(problems)}`;
  return { verdict: "noOpinion", reason };
}
