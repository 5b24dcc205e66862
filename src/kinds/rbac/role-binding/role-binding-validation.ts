import {
  type FieldError,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
} from "../../../apimachinery/errors/field.ts";
import { listAt, structAt, textAt } from "../../../apimachinery/fields.ts";
import { goStruct, goText, typedValue } from "../../../apimachinery/go/go-type.ts";
import { type JsonObject, jsonEqual } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { child, index } from "../../../apimachinery/validation/field-path.ts";
import { dnsSubdomainMessages, pathSegmentName } from "../../../apimachinery/validation/names.ts";

const group = "rbac.authorization.k8s.io";
const subjectKinds = ["ServiceAccount", "User", "Group"];
const goRoleRef = goStruct("rbac.RoleRef", [
  ["APIGroup", "apiGroup", goText],
  ["Kind", "kind", goText],
  ["Name", "name", goText],
]);

/** What differs between RoleBinding and ClusterRoleBinding. */
export interface BindingRules {
  readonly scope: "Cluster" | "Namespaced";
  readonly roleKinds: readonly string[];
}

/** Upstream: pkg/apis/rbac/validation/validation.go, ValidateRoleBinding and ValidateClusterRoleBinding. */
export function bindingErrors(binding: KubeObject, rules: BindingRules): readonly FieldError[] {
  return [
    ...roleRefErrors(structAt(binding, "roleRef"), rules),
    ...listAt(binding, "subjects").flatMap((subject, i) =>
      subjectErrors(subject, index("subjects", i), rules),
    ),
  ];
}

function roleRefErrors(roleRef: JsonObject, { roleKinds }: BindingRules): FieldError[] {
  const name = textAt(roleRef, "name");
  return [
    ...notSupportedErrors([group], textAt(roleRef, "apiGroup"), "roleRef.apiGroup"),
    ...notSupportedErrors(roleKinds, textAt(roleRef, "kind"), "roleRef.kind"),
    ...(name === "" ? [fieldRequired("roleRef.name")] : []),
    ...pathSegmentName(name, false).map((message) => fieldInvalid("roleRef.name", name, message)),
  ];
}

/** The role of a binding is immutable. */
export function roleRefUpdateErrors(object: KubeObject, old: KubeObject): FieldError[] {
  const roleRef = structAt(object, "roleRef");
  if (jsonEqual(roleRef, structAt(old, "roleRef"))) return [];
  return [fieldInvalid("roleRef", typedValue(goRoleRef, roleRef), "cannot change roleRef")];
}

function subjectErrors(subject: JsonObject, at: string, rules: BindingRules): FieldError[] {
  const kind = textAt(subject, "kind");
  const named = textAt(subject, "name") === "" ? [fieldRequired(child(at, "name"))] : [];
  if (kind === "ServiceAccount") return [...named, ...accountErrors(subject, at, rules)];
  if (!subjectKinds.includes(kind))
    return [...named, fieldNotSupported(child(at, "kind"), kind, subjectKinds)];
  return [...named, ...notSupportedErrors([group], textAt(subject, "apiGroup"), child(at, "apiGroup"))];
}

/** A service account without a namespace is in the namespace of the binding, so only a ClusterRoleBinding requires one. */
function accountErrors(subject: JsonObject, at: string, { scope }: BindingRules): FieldError[] {
  const name = textAt(subject, "name");
  const messages = name === "" ? [] : dnsSubdomainMessages(name);
  const lacksNamespace = scope === "Cluster" && !textAt(subject, "namespace");
  return [
    ...messages.map((message) => fieldInvalid(child(at, "name"), name, message)),
    ...notSupportedErrors([""], textAt(subject, "apiGroup"), child(at, "apiGroup")),
    ...(lacksNamespace ? [fieldRequired(child(at, "namespace"))] : []),
  ];
}

function notSupportedErrors(supported: readonly string[], value: string, field: string): FieldError[] {
  return supported.includes(value) ? [] : [fieldNotSupported(field, value, supported)];
}
