import type { Lister } from "../apimachinery/lister.ts";
import type { Authorizer, Decision } from "./authorizer.ts";
import { boundRoles, problemsText } from "./bound-roles.ts";
import { ruleAllows } from "./rbac-rules.ts";
import type { RuleResolver } from "./rule-resolver.ts";

/** Members of this group may do everything, regardless of roles. */
const masters = "system:masters";

/**
 * Allows what the roles of the user allow. Reads roles and bindings for each request, so changes take effect at once.
 */
export function rbac(lister: Lister): Authorizer {
  return ({ user, info }) => {
    if (user.groups.includes(masters)) return { verdict: "allow", reason: "" };
    const problems: string[] = [];
    for (const role of boundRoles(lister, user, info.isResourceRequest ? info.namespace : "")) {
      if (!role.found) {
        problems.push(role.problem);
      } else if (role.rules.some((rule) => ruleAllows(rule, info))) {
        return { verdict: "allow", reason: `RBAC: allowed by ${role.grant()}` };
      }
    }
    return noOpinion(problems);
  };
}

function noOpinion(problems: readonly string[]): Decision {
  const reason = problems.length === 0 ? "" : `RBAC: ${problemsText(problems)}`;
  return { verdict: "noOpinion", reason };
}

/** The rules of all roles of a user. */
export function rbacRules(lister: Lister): RuleResolver {
  return (user, namespace) => {
    const roles = [...boundRoles(lister, user, namespace)];
    const rules = roles.flatMap((role) => (role.found ? role.rules : []));
    return {
      rules,
      isIncomplete: false,
      evaluationError: problemsText(roles.flatMap((role) => (role.found ? [] : [role.problem]))),
    };
  };
}
