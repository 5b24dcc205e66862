import type { JsonObject } from "../../../apimachinery/json.ts";
import { all, type Defaulter, each, inStruct, whenZero } from "../../defaulting/defaulter.ts";

const group = "rbac.authorization.k8s.io";

const roleRef = inStruct("roleRef", whenZero({ apiGroup: group }));

/** RoleBinding and ClusterRoleBinding. */
export const roleBindingDefaults: Defaulter = all(
  roleRef,
  each("subjects", subject({}, { apiGroup: group })),
);

/** RoleBinding and ClusterRoleBinding of v1alpha1, where subjects have an `apiVersion` instead of an `apiGroup`. */
export const alphaRoleBindingDefaults: Defaulter = all(
  roleRef,
  each("subjects", subject({ apiVersion: "v1" }, { apiVersion: `${group}/v1alpha1` })),
);

/** Service accounts belong to the core group, users and groups to `rbac.authorization.k8s.io`. */
function subject(ofAccounts: JsonObject, ofNames: JsonObject): Defaulter {
  const byKind: ReadonlyMap<unknown, Defaulter> = new Map([
    ["ServiceAccount", whenZero(ofAccounts)],
    ["User", whenZero(ofNames)],
    ["Group", whenZero(ofNames)],
  ]);
  return (struct) => byKind.get(struct["kind"])?.(struct);
}
