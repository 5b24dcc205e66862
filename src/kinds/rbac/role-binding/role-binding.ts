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
import { checkedAnew } from "../../../registry/contract/checked-anew.ts";
import { metadataErrors, metadataUpdateErrors } from "../../../registry/contract/metadata-errors.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";

const group = "rbac.authorization.k8s.io";
const subjectKinds = ["ServiceAccount", "User", "Group"];
const goRoleRef = goStruct("rbac.RoleRef", [
  ["APIGroup", "apiGroup", goText],
  ["Kind", "kind", goText],
  ["Name", "name", goText],
]);

/** What differs between bindings in a namespace and bindings for the cluster. */
interface BindingRules {
  readonly namespaced: boolean;
  readonly roleKinds: readonly string[];
}

/** Bindings give a role, or a cluster role, to subjects within a namespace. The role stays. */
export function roleBindingStrategy(base: Strategy): Strategy {
  return binding(base, { namespaced: true, roleKinds: ["Role", "ClusterRole"] });
}

/** Cluster bindings give a cluster role to subjects everywhere. The role stays. */
export function clusterRoleBindingStrategy(base: Strategy): Strategy {
  return binding(base, { namespaced: false, roleKinds: ["ClusterRole"] });
}

function binding(base: Strategy, rules: BindingRules): Strategy {
  const validate = (object: KubeObject) => [
    ...roleRefErrors(structAt(object, "roleRef"), rules),
    ...listAt(object, "subjects").flatMap((subject, i) =>
      subjectErrors(subject, index("subjects", i), rules),
    ),
  ];
  const strategy: Strategy = {
    ...base,
    validateName: pathSegmentName,
    metadataChecks: { create: "core", update: "own" },
    validate,
    validateUpdate: (object, old) => [
      ...metadataErrors(object, { namespaced: rules.namespaced, validateName: pathSegmentName }),
      ...validate(object),
      ...metadataUpdateErrors(object, old),
      ...roleChangeErrors(object, old),
    ],
  };
  return checkedAnew(strategy, rules.namespaced);
}

function roleRefErrors(roleRef: JsonObject, { roleKinds }: BindingRules): FieldError[] {
  const name = textAt(roleRef, "name");
  return [
    ...unlessIn([group], textAt(roleRef, "apiGroup"), "roleRef.apiGroup"),
    ...unlessIn(roleKinds, textAt(roleRef, "kind"), "roleRef.kind"),
    ...(name === "" ? [fieldRequired("roleRef.name")] : []),
    ...pathSegmentName(name, false).map((message) => fieldInvalid("roleRef.name", name, message)),
  ];
}

function roleChangeErrors(object: KubeObject, old: KubeObject): FieldError[] {
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
  return [...named, ...unlessIn([group], textAt(subject, "apiGroup"), child(at, "apiGroup"))];
}

/** An account without a namespace is of the namespace of the binding, if that has one. */
function accountErrors(subject: JsonObject, at: string, { namespaced }: BindingRules): FieldError[] {
  const name = textAt(subject, "name");
  const messages = name === "" ? [] : dnsSubdomainMessages(name);
  const isLost = !namespaced && !textAt(subject, "namespace");
  return [
    ...messages.map((message) => fieldInvalid(child(at, "name"), name, message)),
    ...unlessIn([""], textAt(subject, "apiGroup"), child(at, "apiGroup")),
    ...(isLost ? [fieldRequired(child(at, "namespace"))] : []),
  ];
}

function unlessIn(supported: readonly string[], value: string, field: string): FieldError[] {
  return supported.includes(value) ? [] : [fieldNotSupported(field, value, supported)];
}
