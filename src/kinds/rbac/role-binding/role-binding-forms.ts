import { listAt } from "../../../apimachinery/fields.ts";
import { parseGroupVersion } from "../../../apimachinery/group-version.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject, MutableKubeObject } from "../../../apimachinery/object-meta.ts";
import type { VersionForm } from "../../../registry/contract/version-form.ts";

const group = "rbac.authorization.k8s.io";

/**
 * RoleBinding and ClusterRoleBinding of v1alpha1, whose subjects have an `apiVersion` instead of an `apiGroup`, and whose user
 * `*` is every authenticated user (kubernetes, pkg/apis/rbac/v1alpha1/conversion.go).
 */
export const alphaRoleBindingForm: VersionForm = {
  toInternal: (binding) => withSubjects(binding, subjectFromAlpha),
  fromInternal: (binding) => withSubjects(binding, subjectToAlpha),
};

function subjectFromAlpha({ apiVersion, ...subject }: JsonObject): JsonObject {
  const { kind } = subject;
  if (kind === "ServiceAccount") return subject;
  if (kind === "User" && subject["name"] === "*") {
    return { ...subject, kind: "Group", apiGroup: group, name: "system:authenticated" };
  }
  if (kind === "User" || kind === "Group") return { ...subject, apiGroup: group };
  const apiGroup = parseGroupVersion(typeof apiVersion === "string" ? apiVersion : "")?.group;
  return { ...subject, ...(apiGroup && { apiGroup }) };
}

function subjectToAlpha({ apiGroup, ...subject }: JsonObject): JsonObject {
  const { kind } = subject;
  const groupName = typeof apiGroup === "string" ? apiGroup : "";
  if (kind === "ServiceAccount" && groupName === "") return { ...subject, apiVersion: "v1" };
  const isOwn = (kind === "User" || kind === "Group") && groupName === group;
  return { ...subject, apiVersion: isOwn ? `${group}/v1alpha1` : unversioned(groupName) };
}

/** A group without a version, as Go prints it. */
function unversioned(groupName: string): string {
  return groupName === "" ? "" : `${groupName}/`;
}

function withSubjects<T extends KubeObject | MutableKubeObject>(
  binding: T,
  change: (subject: JsonObject) => JsonObject,
): T {
  if (!Array.isArray(binding["subjects"])) return binding;
  return { ...binding, subjects: listAt(binding, "subjects").map(change) };
}
