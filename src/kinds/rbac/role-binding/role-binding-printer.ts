import { listAt, textAt } from "../../../apimachinery/fields.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { ageOf, nameOf } from "../../../codec/tables/cell-text.ts";
import type { Printer } from "../../../codec/tables/printer.ts";

/** The rows of RoleBindings and ClusterRoleBindings. */
export const roleBindingPrinter: Printer = {
  cells: (binding, now) => [
    nameOf(binding),
    `${textAt(binding, "roleRef", "kind")}/${textAt(binding, "roleRef", "name")}`,
    ageOf(binding, now),
    subjectNames(binding, "User"),
    subjectNames(binding, "Group"),
    serviceAccounts(binding),
  ],
};

function subjectNames(binding: KubeObject, kind: string): string {
  return listAt(binding, "subjects")
    .filter((subject) => subject.kind === kind)
    .map((subject) => textAt(subject, "name"))
    .join(", ");
}

function serviceAccounts(binding: KubeObject): string {
  return listAt(binding, "subjects")
    .filter(({ kind }) => kind === "ServiceAccount")
    .map((subject) => `${textAt(subject, "namespace")}/${textAt(subject, "name")}`)
    .join(", ");
}
