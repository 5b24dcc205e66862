import { structAt, textAt } from "../../apimachinery/fields.ts";
import { goQuote } from "../../apimachinery/go/go-quote.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { FollowingLister } from "../../apimachinery/lister.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { UserInfo } from "../../apimachinery/user-info.ts";
import { policyRulesOf } from "../contract/policy-rule.ts";
import type { BoundRole, RoleFinder } from "../contract/role-finder.ts";
import { BindingsBySubject, namespaceOf, subjectFor } from "./bindings-by-subject.ts";
import { RoleRules } from "./role-rules.ts";

const group = "rbac.authorization.k8s.io";

/** Finds the roles of users. Upstream: pkg/registry/rbac/validation/rule.go, `DefaultRuleResolver`. */
export class BoundRoles implements RoleFinder {
  readonly #lister: FollowingLister;
  readonly #bindings: BindingsBySubject;
  readonly #rules = new WeakMap<KubeObject, RoleRules>();

  constructor(lister: FollowingLister) {
    this.#lister = lister;
    this.#bindings = new BindingsBySubject(lister);
  }

  /**
   * The roles of a user in a namespace, or cluster-wide ones for the empty namespace. Those of cluster role bindings come
   * first, then those of role bindings in the namespace, each in the order of their names.
   */
  *of(user: UserInfo, namespace: string): Generator<BoundRole> {
    for (const binding of this.#bindings.of(user, "")) yield this.#boundRole(binding, user);
    if (namespace === "") return;
    for (const binding of this.#bindings.of(user, namespace)) yield this.#boundRole(binding, user);
  }

  /** The role that a binding in a namespace references; undefined if it does not exist. */
  role(roleRef: JsonObject, namespace: string): RoleRules | undefined {
    const name = textAt(roleRef, "name");
    const isClusterRole = roleRef["kind"] === "ClusterRole";
    const resource = isClusterRole ? "clusterroles" : "roles";
    const role = this.#lister.get({ group, resource }, isClusterRole ? "" : namespace, name);
    if (role === undefined) return undefined;
    const known = this.#rules.get(role) ?? new RoleRules(policyRulesOf(role));
    this.#rules.set(role, known);
    return known;
  }

  #boundRole(binding: KubeObject, user: UserInfo): BoundRole {
    const roleRef = structAt(binding, "roleRef");
    const role = this.role(roleRef, binding.metadata.namespace ?? "");
    if (role === undefined) return { found: false, problem: missingRole(roleRef) };
    return { found: true, role, binding, grant: () => grantText(binding, roleRef, user) };
  }
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

function missingRole(roleRef: JsonObject): string {
  const kind = textAt(roleRef, "kind").toLowerCase();
  return `${kind}.${group} ${goQuote(textAt(roleRef, "name"))} not found`;
}

function subjectText(subject: JsonObject, namespace: string): string {
  const name = textAt(subject, "name");
  const kind = textAt(subject, "kind");
  if (kind !== "ServiceAccount") return `${kind} ${goQuote(name)}`;
  return `ServiceAccount ${goQuote(`${name}/${namespaceOf(subject, namespace)}`)}`;
}
