import type { JsonObject } from "../../src/apimachinery/json.ts";
import type { KubeObject } from "../../src/apimachinery/object-meta.ts";
import type { AuthorizationAttributes } from "../../src/authorization/contract/authorizer.ts";

/** The roles and bindings of a cluster. */
export interface Policy {
  readonly roles: readonly KubeObject[];
  readonly clusterRoles: readonly KubeObject[];
  readonly roleBindings: readonly KubeObject[];
  readonly clusterRoleBindings: readonly KubeObject[];
}

/** Whether any rule of any bound role allows the request: read straight from the documentation, without an index. */
export function naivelyAllowed(policy: Policy, { user, info }: AuthorizationAttributes): boolean {
  const namespace = info.isResourceRequest ? info.namespace : "";
  const granted = [
    ...policy.clusterRoleBindings.filter((binding) => applies(binding, "")),
    ...policy.roleBindings.filter(
      (binding) =>
        namespace !== "" && binding.metadata.namespace === namespace && applies(binding, namespace),
    ),
  ].flatMap(rulesOf);
  return granted.some((rule) => {
    if (!has(rule, "verbs", info.verb)) return false;
    if (!info.isResourceRequest) {
      return strings(rule, "nonResourceURLs").some(
        (path) =>
          path === info.path ||
          (path.endsWith("*") && info.path.startsWith(path.slice(0, path.indexOf("*")))),
      );
    }
    const { resource, subresource, group, name } = info;
    const resources = strings(rule, "resources");
    const isNamed =
      resources.includes("*") ||
      resources.includes(subresource === "" ? resource : `${resource}/${subresource}`) ||
      (subresource !== "" && resources.includes(`*/${subresource}`));
    const names = strings(rule, "resourceNames");
    return isNamed && has(rule, "apiGroups", group) && (names.length === 0 || names.includes(name));
  });

  function applies(binding: KubeObject, within: string): boolean {
    // The tests make these lists of objects.
    const subjects = binding["subjects"] as readonly JsonObject[];
    return subjects.some(({ kind, name, namespace: home = within }) => {
      if (kind === "User") return user.name === name;
      if (kind === "Group") return user.groups.includes(String(name));
      return home !== "" && user.name === `system:serviceaccount:${String(home)}:${String(name)}`;
    });
  }

  function rulesOf(binding: KubeObject): readonly JsonObject[] {
    const { kind, name } = binding["roleRef"] as JsonObject;
    const role =
      kind === "ClusterRole"
        ? policy.clusterRoles.find(({ metadata }) => metadata.name === name)
        : policy.roles.find(
            ({ metadata }) => metadata.name === name && metadata.namespace === binding.metadata.namespace,
          );
    return (role?.["rules"] ?? []) as readonly JsonObject[];
  }
}

function has(rule: JsonObject, field: string, value: string): boolean {
  return strings(rule, field).includes("*") || strings(rule, field).includes(value);
}

function strings(rule: JsonObject, field: string): readonly string[] {
  return (rule[field] ?? []) as readonly string[];
}
