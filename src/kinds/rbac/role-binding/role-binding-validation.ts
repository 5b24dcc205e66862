import { fieldInvalid, fieldRequired } from "../../../apimachinery/errors/field.ts";
import { listAt, structAt, textAt } from "../../../apimachinery/fields.ts";
import { typedValue } from "../../../apimachinery/go/go-value.ts";
import { type JsonObject, jsonEqual } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { child, index } from "../../../apimachinery/validation/field-path.ts";
import {
  addInvalid,
  addSubdomain,
  addUnlessIn,
  type Findings,
} from "../../../apimachinery/validation/findings.ts";
import { pathSegmentName } from "../../../apimachinery/validation/names.ts";

const group = "rbac.authorization.k8s.io";
const subjectKinds = ["ServiceAccount", "User", "Group"];

/** What differs between RoleBinding and ClusterRoleBinding. */
export interface BindingRules {
  readonly scope: "Cluster" | "Namespaced";
  readonly roleKinds: readonly string[];
}

/** Upstream: pkg/apis/rbac/validation/validation.go, ValidateRoleBinding and ValidateClusterRoleBinding. */
export function addBindingErrors(errors: Findings, binding: KubeObject, rules: BindingRules): void {
  addRoleRef(errors, structAt(binding, "roleRef"), rules);
  for (const [i, subject] of listAt(binding, "subjects").entries()) {
    addSubject(errors, subject, index("subjects", i), rules);
  }
}

/** The role of a binding is immutable. */
export function addRoleRefUpdateErrors(errors: Findings, object: KubeObject, old: KubeObject): void {
  const roleRef = structAt(object, "roleRef");
  if (jsonEqual(roleRef, structAt(old, "roleRef"))) return;
  errors.push(fieldInvalid("roleRef", typedValue("rbac.RoleRef", roleRef), "cannot change roleRef"));
}

function addRoleRef(errors: Findings, roleRef: JsonObject, { roleKinds }: BindingRules): void {
  const name = textAt(roleRef, "name");
  addUnlessIn(errors, [group], textAt(roleRef, "apiGroup"), "roleRef.apiGroup");
  addUnlessIn(errors, roleKinds, textAt(roleRef, "kind"), "roleRef.kind");
  if (name === "") errors.push(fieldRequired("roleRef.name"));
  addInvalid(errors, "roleRef.name", name, pathSegmentName(name, "name"));
}

function addSubject(errors: Findings, subject: JsonObject, at: string, rules: BindingRules): void {
  const kind = textAt(subject, "kind");
  if (textAt(subject, "name") === "") errors.push(fieldRequired(child(at, "name")));
  if (kind === "ServiceAccount") addServiceAccount(errors, subject, at, rules);
  else if (subjectKinds.includes(kind)) {
    addUnlessIn(errors, [group], textAt(subject, "apiGroup"), child(at, "apiGroup"));
  } else addUnlessIn(errors, subjectKinds, kind, child(at, "kind"));
}

/** A service account without a namespace is in that of the binding, so only a ClusterRoleBinding requires one. */
function addServiceAccount(errors: Findings, subject: JsonObject, at: string, { scope }: BindingRules): void {
  const name = textAt(subject, "name");
  if (name !== "") addSubdomain(errors, name, child(at, "name"));
  addUnlessIn(errors, [""], textAt(subject, "apiGroup"), child(at, "apiGroup"));
  if (scope === "Cluster" && textAt(subject, "namespace") === "") {
    errors.push(fieldRequired(child(at, "namespace")));
  }
}
