import { booleanAt, integerAt, textAt, textsAt, valueAt } from "../../apimachinery/fields.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { ageOf, nameOf } from "../../codec/tables/cell-text.ts";
import { type GroupPrinters, textColumns } from "../../codec/tables/printer.ts";

export const policyPrinters: GroupPrinters = {
  poddisruptionbudgets: {
    cells: (budget, now) => [
      nameOf(budget),
      numberOrPercentage(budget, "minAvailable"),
      numberOrPercentage(budget, "maxUnavailable"),
      integerAt(budget, "status", "disruptionsAllowed"),
      ageOf(budget, now),
    ],
  },
  podsecuritypolicies: {
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
  },
};

function numberOrPercentage(budget: KubeObject, field: string): string {
  return String(valueAt(budget, "spec", field) ?? "N/A");
}
