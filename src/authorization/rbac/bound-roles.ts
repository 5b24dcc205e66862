import { structAt, textAt } from "../../apimachinery/fields.ts";
import { goQuote } from "../../apimachinery/go/go-quote.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { FollowingLister, ListedObjects } from "../../apimachinery/lister.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { UserInfo } from "../../apimachinery/user-info.ts";
import type { RequestInfo } from "../../request/request-info.ts";
import { policyRulesOf } from "../contract/policy-rule.ts";
import type { BoundRole, GrantedRole, RoleFinder } from "../contract/role-finder.ts";
import { BindingsBySubject, namespaceOf, subjectFor } from "./bindings-by-subject.ts";
import { RoleRules } from "./role-rules.ts";
import { RolesOfUser } from "./roles-of-user.ts";

const group = "rbac.authorization.k8s.io";

const bindings = ["clusterrolebindings", "rolebindings"];
const followed = [...bindings, "clusterroles", "roles"].map((resource) => ({ group, resource }));

/** The roles of one user, by the namespace; those of ClusterRoleBindings alone under the empty one. */
type UserRoles = Map<string, RolesOfUser>;

/** Finds the roles of users. Upstream: pkg/registry/rbac/validation/rule.go, `DefaultRuleResolver`. */
export class BoundRoles implements RoleFinder {
  readonly #lister: FollowingLister;
  readonly #listed: ListedObjects;
  readonly #bindings = new BindingsBySubject();
  readonly #rules = new WeakMap<KubeObject, RoleRules>();
  /** Those of users with a request since the last change. */
  #found = new WeakMap<UserInfo, UserRoles>();

  constructor(lister: FollowingLister) {
    this.#lister = lister;
    this.#listed = lister.follow(followed);
  }

  /**
   * The roles of a user in a namespace, or cluster-wide ones for the empty namespace. Those of cluster role bindings come
   * first, then those of role bindings in the namespace, each in the order of their names.
   */
  of(user: UserInfo, namespace: string): readonly BoundRole[] {
    return this.#rolesOf(user, namespace).all;
  }

  allowing(user: UserInfo, info: RequestInfo): GrantedRole | undefined {
    return this.#rolesOf(user, info.isResourceRequest ? info.namespace : "").allowing(info);
  }

  #rolesOf(user: UserInfo, namespace: string): RolesOfUser {
    this.#refresh();
    // Clients choose the namespace, so only those with bindings are remembered.
    const scope = this.#bindings.has(namespace) ? namespace : "";
    const known = this.#found.get(user) ?? new Map<string, RolesOfUser>();
    const remembered = known.get(scope);
    if (remembered !== undefined) return remembered;
    const roles = this.#rolesIn(scope, user);
    known.set(scope, roles);
    this.#found.set(user, known);
    return roles;
  }

  /** The role that a binding in a namespace references; undefined if it does not exist. */
  role(roleRef: JsonObject, namespace: string): RoleRules | undefined {
    const name = textAt(roleRef, "name");
    const isClusterRole = roleRef["kind"] === "ClusterRole";
    if (!isClusterRole && roleRef["kind"] !== "Role") return undefined;
    const resource = isClusterRole ? "clusterroles" : "roles";
    const role = this.#lister.get({ group, resource }, isClusterRole ? "" : namespace, name);
    if (role === undefined) return undefined;
    const known = this.#rules.get(role) ?? new RoleRules(policyRulesOf(role));
    this.#rules.set(role, known);
    return known;
  }

  #refresh(): void {
    const listed = this.#listed.next();
    if (listed === undefined) return;
    this.#found = new WeakMap();
    if (listed.isComplete) this.#bindings.clear();
    for (const change of listed.changes) {
      if (bindings.includes(change.resource.resource)) this.#bindings.consider(change);
    }
  }

  #rolesIn(scope: string, user: UserInfo): RolesOfUser {
    const wide = this.#bindings.of(user, "");
    const all = scope === "" ? wide : [...wide, ...this.#bindings.of(user, scope)];
    const rules = all.map((binding) =>
      this.role(structAt(binding, "roleRef"), binding.metadata.namespace ?? ""),
    );
    const roles = all.map((binding, position) => boundRole(binding, rules[position], user));
    return new RolesOfUser(roles, (position) => rules[position]);
  }
}

function boundRole(binding: KubeObject, role: RoleRules | undefined, user: UserInfo): BoundRole {
  const roleRef = structAt(binding, "roleRef");
  if (role === undefined) return { found: false, problem: missingRole(roleRef) };
  let text: string | undefined;
  const grant = (): string => {
    text ??= grantText(binding, roleRef, user);
    return text;
  };
  return { found: true, role, binding, grant };
}

function grantText(binding: KubeObject, roleRef: JsonObject, user: UserInfo): string {
  const { name = "", namespace = "" } = binding.metadata;
  const bound =
    namespace === ""
      ? `ClusterRoleBinding ${goQuote(name)}`
      : `RoleBinding ${goQuote(`${name}/${namespace}`)}`;
  const subject = subjectText(subjectFor(binding, user) ?? {}, namespace);
  return `${bound} of ${textAt(roleRef, "kind")} ${goQuote(textAt(roleRef, "name"))} to ${subject}`;
}

/** Upstream: pkg/registry/rbac/validation/rule.go, `GetRoleReferenceRules`. */
function missingRole(roleRef: JsonObject): string {
  const kind = textAt(roleRef, "kind");
  if (kind !== "Role" && kind !== "ClusterRole") return `unsupported role reference kind: ${goQuote(kind)}`;
  return `${kind.toLowerCase()}.${group} ${goQuote(textAt(roleRef, "name"))} not found`;
}

function subjectText(subject: JsonObject, namespace: string): string {
  const name = textAt(subject, "name");
  const kind = textAt(subject, "kind");
  if (kind !== "ServiceAccount") return `${kind} ${goQuote(name)}`;
  return `ServiceAccount ${goQuote(`${name}/${namespaceOf(subject, namespace)}`)}`;
}
