import { booleanAt, textAt, textsAt } from "../../../apimachinery/fields.ts";
import { nameOf } from "../../../codec/tables/cell-text.ts";
import { type Printer, textColumns } from "../../../codec/tables/printer.ts";

export const podSecurityPolicyPrinter: Printer = {
  columns: textColumns(
    "Name",
    "Priv",
    "Caps",
    "SELinux",
    "RunAsUser",
    "FsGroup",
    "SupGroup",
    "ReadOnlyRootFs",
    "Volumes",
  ),
  cells: (policy) => [
    nameOf(policy),
    String(booleanAt(policy, "spec", "privileged")),
    textsAt(policy, "spec", "allowedCapabilities").join(","),
    textAt(policy, "spec", "seLinux", "rule"),
    textAt(policy, "spec", "runAsUser", "rule"),
    textAt(policy, "spec", "fsGroup", "rule"),
    textAt(policy, "spec", "supplementalGroups", "rule"),
    booleanAt(policy, "spec", "readOnlyRootFilesystem"),
    textsAt(policy, "spec", "volumes").join(","),
  ],
};
