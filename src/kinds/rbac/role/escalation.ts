import { aggregateText } from "../../../apimachinery/errors/aggregate.ts";
import { forbidden } from "../../../apimachinery/errors/errors.ts";
import { goQuote } from "../../../apimachinery/go/go-quote.ts";
import type { GroupResource } from "../../../apimachinery/group-version.ts";
import { jsonEqual } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { UserInfo } from "../../../apimachinery/user-info.ts";
import { type PolicyRule, policyRule } from "../../../authorization/contract/policy-rule.ts";
import { resourceAttributes } from "../../../authorization/contract/resource-attributes.ts";
import { privilegedGroup } from "../../../authorization/privileged-group.ts";
import { ruleLines, uncoveredRules } from "../../../authorization/rbac/rule-coverage.ts";
import type { ObjectKey } from "../../../registry/contract/object-key.ts";
import type { StrategyEnvironment } from "../../../registry/contract/registry-options.ts";

export const rbacGroup = "rbac.authorization.k8s.io";

/** All that can be allowed. */
const fullAuthority: readonly PolicyRule[] = [
  policyRule({ verbs: ["*"], apiGroups: ["*"], resources: ["*"] }),
  policyRule({ verbs: ["*"], nonResourceURLs: ["*"] }),
];

/** Whether a write of a role or binding gives away permissions. Upstream: pkg/registry/rbac/escalation_check.go. */
export class EscalationCheck {
  readonly #environment: StrategyEnvironment;

  constructor(environment: StrategyEnvironment) {
    this.#environment = environment;
  }

  /** Whether an authorizer allows a verb that makes the check unnecessary: `escalate` on the role, or `bind`. */
  async isAllowed(
    user: UserInfo,
    verb: "escalate" | "bind",
    { group, resource }: GroupResource,
    { namespace, name }: ObjectKey,
  ): Promise<boolean> {
    const attributes = resourceAttributes(user, { verb, group, version: "*", resource, namespace, name });
    return (await this.#environment.authorization.authorize(attributes)).verdict === "allow";
  }

  /** @throws {StatusError} forbidden with the rules that the user does not have in the namespace */
  confirm(user: UserInfo, namespace: string, rules: readonly PolicyRule[], object: EscalatingObject): void {
    const { missing, problems } = this.#missing(user, namespace, rules);
    if (missing.length === 0) return;
    const groups = user.groups.map(goQuote).join(" ");
    const who = `user ${goQuote(user.name)} (groups=[${groups}])`;
    const lines = ruleLines(missing).join("\n");
    const unresolved = problems.length === 0 ? "" : `; resolution errors: [${aggregateText(problems)}]`;
    throw forbidden(
      object.resource,
      object.name,
      `${who} is attempting to grant RBAC permissions not currently held:\n${lines}${unresolved}`,
    );
  }

  /** Whether the user may do everything in the namespace. */
  hasFullAuthority(user: UserInfo, namespace: string): boolean {
    return this.#missing(user, namespace, fullAuthority).missing.length === 0;
  }

  #missing(
    user: UserInfo,
    namespace: string,
    rules: readonly PolicyRule[],
  ): { readonly missing: readonly PolicyRule[]; readonly problems: readonly string[] } {
    const roles = [...this.#environment.roles.of(user, namespace)];
    const owned = roles.flatMap((bound) => (bound.found ? bound.role.rules : []));
    const problems = roles.flatMap((bound) => (bound.found ? [] : bound.problem));
    return { missing: uncoveredRules(owned, rules), problems };
  }
}

/** The object whose write is refused. */
export interface EscalatingObject {
  readonly resource: GroupResource;
  readonly name: string;
}

/** Members of `system:masters` may give away everything. */
export function mayEscalate({ groups }: UserInfo): boolean {
  return groups.includes(privilegedGroup);
}

/**
 * Whether an update changes only what the garbage collector does.
 * Upstream: pkg/registry/rbac/helpers.go, `IsOnlyMutatingGCFields`.
 */
export function changesOnlyOwners(object: KubeObject, old: KubeObject | undefined): boolean {
  return old !== undefined && jsonEqual(withoutOwners(object), withoutOwners(old));
}

function withoutOwners(object: KubeObject): KubeObject {
  const {
    ownerReferences: _,
    finalizers: __,
    selfLink: ___,
    managedFields: ____,
    ...metadata
  } = object.metadata;
  return { ...object, metadata };
}
