import { listAt, structAt, textAt } from "../apimachinery/fields.ts";
import { goQuote } from "../apimachinery/go/go-quote.ts";
import type { JsonObject } from "../apimachinery/json.ts";
import type { Lister } from "../apimachinery/lister.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import type { UserInfo } from "../apimachinery/user-info.ts";
import { type PolicyRule, rulesOf } from "./rbac-rules.ts";

const group = "rbac.authorization.k8s.io";

/** A role that a binding grants, or a reference to a role that does not exist. */
export type BoundRole =
  | {
      readonly found: true;
      readonly rules: readonly PolicyRule[];
      /** The binding and its subject: `ClusterRoleBinding "b" of ClusterRole "r" to Group "g"`. */
      readonly grant: () => string;
    }
  | { readonly found: false; readonly problem: string };

/**
 * The roles of a user in a namespace, or cluster-wide ones for the empty namespace. Cluster role bindings come first,
 * then role bindings of the namespace.
 */
export function* boundRoles(lister: Lister, user: UserInfo, namespace: string): Generator<BoundRole> {
  for (const binding of lister.list({ group, resource: "clusterrolebindings" }, "")) {
    yield* boundRole(lister, binding, "", user);
  }
  if (namespace === "") return;
  for (const binding of lister.list({ group, resource: "rolebindings" }, namespace)) {
    yield* boundRole(lister, binding, namespace, user);
  }
}

/** Joins errors as upstream's aggregate does. */
export function problemsText(problems: readonly string[]): string {
  const texts = [...new Set(problems)];
  return texts.length <= 1 ? texts.join() : `[${texts.join(", ")}]`;
}

function* boundRole(
  lister: Lister,
  binding: KubeObject,
  namespace: string,
  user: UserInfo,
): Generator<BoundRole> {
  const subject = subjectFor(binding, namespace, user);
  if (subject === undefined) return;
  const roleRef = structAt(binding, "roleRef");
  const role = roleOf(lister, roleRef, namespace);
  if (role === undefined) {
    yield { found: false, problem: missingRole(roleRef) };
    return;
  }
  const grant = () => grantText(binding, namespace, roleRef, subjectText(subject, namespace));
  yield { found: true, rules: rulesOf(role), grant };
}

function grantText(binding: KubeObject, namespace: string, roleRef: JsonObject, subject: string): string {
  const name = binding.metadata.name ?? "";
  const bound =
    namespace === ""
      ? `ClusterRoleBinding ${goQuote(name)}`
      : `RoleBinding ${goQuote(`${name}/${namespace}`)}`;
  return `${bound} of ${textAt(roleRef, "kind")} ${goQuote(textAt(roleRef, "name"))} to ${subject}`;
}

function roleOf(lister: Lister, roleRef: JsonObject, namespace: string): KubeObject | undefined {
  const name = textAt(roleRef, "name");
  const isClusterRole = roleRef["kind"] === "ClusterRole";
  const resource = isClusterRole ? "clusterroles" : "roles";
  return lister.get({ group, resource }, isClusterRole ? "" : namespace, name);
}

function missingRole(roleRef: JsonObject): string {
  const kind = textAt(roleRef, "kind").toLowerCase();
  return `${kind}.${group} ${goQuote(textAt(roleRef, "name"))} not found`;
}

/** The subject of a binding that matches the user. */
function subjectFor(binding: KubeObject, namespace: string, user: UserInfo): JsonObject | undefined {
  return listAt(binding, "subjects").find((subject) => matchesUser(subject, namespace, user));
}

function matchesUser(subject: JsonObject, namespace: string, user: UserInfo): boolean {
  const name = textAt(subject, "name");
  switch (subject["kind"]) {
    case "User":
      return user.name === name;
    case "Group":
      return user.groups.includes(name);
    case "ServiceAccount":
      return user.name === `system:serviceaccount:${namespaceOf(subject, namespace)}:${name}`;
    default:
      return false;
  }
}

function subjectText(subject: JsonObject, namespace: string): string {
  const name = textAt(subject, "name");
  const kind = textAt(subject, "kind");
  if (kind !== "ServiceAccount") return `${kind} ${goQuote(name)}`;
  return `ServiceAccount ${goQuote(`${name}/${namespaceOf(subject, namespace)}`)}`;
}

/** A service account in a RoleBinding is in the namespace of the binding, unless the subject has one. */
function namespaceOf(subject: JsonObject, namespace: string): string {
  return textAt(subject, "namespace") || namespace;
}
