import { goQuote } from "../apimachinery/go-quote.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../apimachinery/json.ts";
import type { Lister } from "../apimachinery/lister.ts";
import { type KubeObject, section } from "../apimachinery/object-meta.ts";
import type { UserInfo } from "../apimachinery/user-info.ts";
import type { RequestInfo } from "../request/request-info.ts";
import type { Authorizer, Decision } from "./authorizer.ts";
import { ruleAllows, rulesOf } from "./rbac-rules.ts";

const group = "rbac.authorization.k8s.io";

/** Members of this group may do everything, whatever the roles say. */
const masters = "system:masters";

/** Allows what the roles bound to the user allow. Reads roles and bindings each time, so a change counts at once. */
export function rbac(lister: Lister): Authorizer {
  return ({ user, info }) => {
    if (user.groups.includes(masters)) return { verdict: "allow", reason: "" };
    const missing: string[] = [];
    const reason = allowingReason(lister, user, info, missing);
    if (reason !== undefined) return { verdict: "allow", reason: `RBAC: ${reason}` };
    return denial(missing);
  };
}

/** Cluster-wide bindings come first, then those of the request's namespace. */
function allowingReason(
  lister: Lister,
  user: UserInfo,
  info: RequestInfo,
  missing: string[],
): string | undefined {
  const everywhere = lister.list({ group, resource: "clusterrolebindings" }, "");
  for (const binding of everywhere) {
    const reason = bindingAllows(lister, binding, "", user, info, missing);
    if (reason !== undefined) return reason;
  }
  if (!info.isResourceRequest || info.namespace === "") return undefined;
  for (const binding of lister.list({ group, resource: "rolebindings" }, info.namespace)) {
    const reason = bindingAllows(lister, binding, info.namespace, user, info, missing);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

function bindingAllows(
  lister: Lister,
  binding: KubeObject,
  namespace: string,
  user: UserInfo,
  info: RequestInfo,
  missing: string[],
): string | undefined {
  const subject = subjectFor(binding, namespace, user);
  if (subject === undefined) return undefined;
  const roleRef = section(binding, "roleRef");
  const role = roleOf(lister, roleRef, namespace);
  if (role === undefined) {
    missing.push(missingRole(roleRef));
    return undefined;
  }
  if (!rulesOf(role).some((rule) => ruleAllows(rule, info))) return undefined;
  const name = binding.metadata.name ?? "";
  const bound =
    namespace === ""
      ? `ClusterRoleBinding ${goQuote(name)}`
      : `RoleBinding ${goQuote(`${name}/${namespace}`)}`;
  return `allowed by ${bound} of ${textOf(roleRef["kind"])} ${goQuote(textOf(roleRef["name"]))} to ${subject}`;
}

function roleOf(lister: Lister, roleRef: JsonObject, namespace: string): KubeObject | undefined {
  const name = textOf(roleRef["name"]);
  const isClusterRole = roleRef["kind"] === "ClusterRole";
  const resource = isClusterRole ? "clusterroles" : "roles";
  return lister.get({ group, resource }, isClusterRole ? "" : namespace, name);
}

function missingRole(roleRef: JsonObject): string {
  const kind = textOf(roleRef["kind"]).toLowerCase();
  return `${kind}.${group} ${goQuote(textOf(roleRef["name"]))} not found`;
}

/** The subject of a binding that means the user, as the reason names it. */
function subjectFor(binding: KubeObject, namespace: string, user: UserInfo): string | undefined {
  const { subjects } = binding;
  if (!Array.isArray(subjects)) return undefined;
  for (const subject of subjects) {
    if (isJsonObject(subject) && isMeant(subject, namespace, user)) return subjectText(subject, namespace);
  }
  return undefined;
}

function isMeant(subject: JsonObject, namespace: string, user: UserInfo): boolean {
  const name = textOf(subject["name"]);
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
  const name = textOf(subject["name"]);
  const kind = textOf(subject["kind"]);
  if (kind !== "ServiceAccount") return `${kind} ${goQuote(name)}`;
  return `ServiceAccount ${goQuote(`${name}/${namespaceOf(subject, namespace)}`)}`;
}

/** A service account of a RoleBinding lives in the binding's namespace unless it says otherwise. */
function namespaceOf(subject: JsonObject, namespace: string): string {
  return textOf(subject["namespace"]) || namespace;
}

function denial(missing: readonly string[]): Decision {
  if (missing.length === 0) return { verdict: "noOpinion", reason: "" };
  const texts = [...new Set(missing)];
  const reason = texts.length === 1 ? texts.join() : `[${texts.join(", ")}]`;
  return { verdict: "noOpinion", reason: `RBAC: ${reason}` };
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}
