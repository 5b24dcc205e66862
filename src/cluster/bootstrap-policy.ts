import type { JsonObject, JsonValue } from "../apimachinery/json.ts";
import rbacDefaults from "./generated/rbac-defaults.json?raw";

const group = "rbac.authorization.k8s.io/v1";

/** The kinds of the policy, in the order in which the server writes them. */
const resources: readonly (readonly [key: string, resource: string])[] = [
  ["clusterRoles", "clusterroles"],
  ["clusterRoleBindings", "clusterrolebindings"],
  ["roles", "roles"],
  ["roleBindings", "rolebindings"],
];

interface PolicyEntry extends JsonObject {
  readonly name: string;
  readonly namespace?: string;
  readonly labels: JsonValue;
  readonly annotations: JsonValue;
}

/** The default roles and bindings, each with the path of its resource. */
export function bootstrapPolicy(): readonly (readonly [path: string, object: JsonObject])[] {
  // Our own data; bootstrap.test.ts reads every entry.
  const policy = JSON.parse(rbacDefaults) as { readonly [key: string]: readonly PolicyEntry[] };
  return resources.flatMap(([key, resource]) =>
    (policy[key] ?? []).map((entry): [string, JsonObject] => [`${group}/${resource}`, objectOf(entry)]),
  );
}

function objectOf({ name, namespace, labels, annotations, ...rest }: PolicyEntry): JsonObject {
  const metadata = { name, ...(namespace !== undefined && { namespace }), labels, annotations };
  return { metadata, ...rest };
}
