import { structAt, textAt } from "../../apimachinery/fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { UserInfo } from "../../apimachinery/user-info.ts";
import type { AuthorizationAttributes } from "../contract/authorizer.ts";
import { type PolicyRuleObject, policyRuleObject } from "../contract/policy-rule.ts";
import type { RoleFinder } from "../contract/role-finder.ts";
import { namespaceOf, subjectFor } from "../rbac/bindings-by-subject.ts";

/** A binding, a role or a subject. */
export interface NamedObject {
  readonly kind: string;
  readonly name: string;
  /** Missing outside of namespaces. */
  readonly namespace?: string;
}

/** The binding, its subject, and the rule of its role that allow a request. */
export interface RoleGrant {
  readonly binding: NamedObject;
  readonly role: NamedObject;
  readonly subject: NamedObject;
  readonly rule: PolicyRuleObject;
}

/** The first grant that allows a request, which is the one that the authorizer names; undefined if there is none. */
export function roleGrantFor(
  roles: RoleFinder,
  { user, info }: AuthorizationAttributes,
): RoleGrant | undefined {
  const granted = roles.allowing(user, info);
  const rule = granted?.role.ruleFor(info);
  if (granted === undefined || rule === undefined) return undefined;
  return { ...boundNames(granted.binding, user), rule: policyRuleObject(rule) };
}

function boundNames(binding: KubeObject, user: UserInfo): Omit<RoleGrant, "rule"> {
  const { name = "", namespace = "" } = binding.metadata;
  const roleRef = structAt(binding, "roleRef");
  const kind = textAt(roleRef, "kind");
  return {
    binding: namedObject(namespace === "" ? "ClusterRoleBinding" : "RoleBinding", name, namespace),
    role: namedObject(kind, textAt(roleRef, "name"), kind === "Role" ? namespace : ""),
    subject: namedSubject(subjectFor(binding, user) ?? {}, namespace),
  };
}

function namedSubject(subject: JsonObject, namespace: string): NamedObject {
  const kind = textAt(subject, "kind");
  const place = kind === "ServiceAccount" ? namespaceOf(subject, namespace) : "";
  return namedObject(kind, textAt(subject, "name"), place);
}

function namedObject(kind: string, name: string, namespace: string): NamedObject {
  return { kind, name, ...(namespace !== "" && { namespace }) };
}
