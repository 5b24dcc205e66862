import { forbidden } from "../../../apimachinery/errors/errors.ts";
import { sizeAt } from "../../../apimachinery/fields.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { policyRulesOf } from "../../../authorization/contract/policy-rule.ts";
import type { StrategyEnvironment } from "../../../registry/contract/registry-options.ts";
import type { AuthorizeWrite } from "../../../registry/contract/strategy.ts";
import { changesOnlyOwners, EscalationCheck, mayEscalate, rbacGroup } from "./escalation.ts";

/**
 * A role may hold only rules that its author has, unless an authorizer allows the author to `escalate`; a rule that
 * aggregates other roles requires full authority.
 * Upstream: pkg/registry/rbac/role/policybased and pkg/registry/rbac/clusterrole/policybased.
 */
export function authorizeRole(
  resource: "roles" | "clusterroles",
  environment: StrategyEnvironment,
): AuthorizeWrite {
  const check = new EscalationCheck(environment);
  const gr = { group: rbacGroup, resource };
  return async (role, old, key, user) => {
    if (mayEscalate(user) || (await check.isAllowed(user, "escalate", gr, key))) return;
    if (changesOnlyOwners(role, old)) return;
    const name = role.metadata.name ?? "";
    check.confirm(user, key.namespace, policyRulesOf(role), { resource: gr, name });
    if (!aggregates(role) && !aggregates(old)) return;
    if (check.hasFullAuthority(user, key.namespace)) return;
    throw forbidden(gr, name, "must have cluster-admin privileges to use the aggregationRule");
  };
}

function aggregates(role: KubeObject | undefined): boolean {
  return role !== undefined && sizeAt(role, "aggregationRule", "clusterRoleSelectors") > 0;
}
