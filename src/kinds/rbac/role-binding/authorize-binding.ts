import { notFound, plainError } from "../../../apimachinery/errors/errors.ts";
import { structAt, textAt } from "../../../apimachinery/fields.ts";
import { goQuote } from "../../../apimachinery/go/go-quote.ts";
import type { StrategyEnvironment } from "../../../registry/contract/registry-options.ts";
import type { AuthorizeWrite } from "../../../registry/contract/strategy.ts";
import { changesOnlyOwners, EscalationCheck, mayEscalate, rbacGroup } from "../role/escalation.ts";

/**
 * A binding may grant only a role whose rules its author has, unless an authorizer allows the author to `bind` the role.
 * Upstream: pkg/registry/rbac/rolebinding/policybased and pkg/registry/rbac/clusterrolebinding/policybased.
 */
export function authorizeBinding(
  resource: "rolebindings" | "clusterrolebindings",
  environment: StrategyEnvironment,
): AuthorizeWrite {
  const check = new EscalationCheck(environment);
  const gr = { group: rbacGroup, resource };
  return async (binding, old, { namespace }, user) => {
    if (mayEscalate(user) || changesOnlyOwners(binding, old)) return;
    const roleRef = structAt(binding, "roleRef");
    const role = { group: textAt(roleRef, "apiGroup"), resource: roleResource(textAt(roleRef, "kind")) };
    const roleName = textAt(roleRef, "name");
    if (await check.isAllowed(user, "bind", role, { namespace, name: roleName })) return;
    const granted = environment.roles.role(roleRef, namespace);
    // Upstream names the binding's resource and the role.
    if (granted === undefined) throw notFound(gr, roleName);
    check.confirm(user, namespace, granted.rules, { resource: gr, name: binding.metadata.name ?? "" });
  };
}

/** @throws {StatusError} without a reason for an unknown kind, which validation finds only if the author may escalate */
function roleResource(kind: string): "roles" | "clusterroles" {
  if (kind === "Role") return "roles";
  if (kind === "ClusterRole") return "clusterroles";
  throw plainError(500, `unsupported role reference kind: ${goQuote(kind)}`);
}
