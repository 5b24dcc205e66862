import { booleanAt, listAt, textAt } from "../../../apimachinery/fields.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { compareText } from "../../../apimachinery/text-order.ts";
import { ageOf, nameOf, orNone } from "../../../codec/tables/cell-text.ts";
import type { Printer } from "../../../codec/tables/printer.ts";

const ROLE_PREFIX = "node-role.kubernetes.io/";
const ROLE_LABEL = "kubernetes.io/role";

export const nodePrinter: Printer = {
  cells: (node, now) => [
    nameOf(node),
    statusText(node),
    orNone(roles(node).join(",")),
    ageOf(node, now),
    textAt(node, "status", "nodeInfo", "kubeletVersion"),
    address(node, "InternalIP"),
    address(node, "ExternalIP"),
    systemInfo(node, "osImage"),
    systemInfo(node, "kernelVersion"),
    systemInfo(node, "containerRuntimeVersion"),
  ],
};

function statusText(node: KubeObject): string {
  const ready = listAt(node, "status", "conditions").findLast(({ type }) => type === "Ready");
  const status = ready?.status === "True" ? "Ready" : "NotReady";
  const shown = ready === undefined ? "Unknown" : status;
  return booleanAt(node, "spec", "unschedulable") ? `${shown},SchedulingDisabled` : shown;
}

/** By the labels `node-role.kubernetes.io/<role>` and `kubernetes.io/role=<role>`. */
function roles(node: KubeObject): readonly string[] {
  const found = new Set<string>();
  for (const [key, value] of Object.entries(node.metadata.labels ?? {})) {
    if (key.startsWith(ROLE_PREFIX)) found.add(key.slice(ROLE_PREFIX.length));
    else if (key === ROLE_LABEL) found.add(value);
  }
  found.delete("");
  return [...found].sort(compareText);
}

function address(node: KubeObject, type: string): string {
  const found = listAt(node, "status", "addresses").find((one) => one.type === type);
  return found === undefined ? "<none>" : textAt(found, "address");
}

function systemInfo(node: KubeObject, field: string): string {
  return textAt(node, "status", "nodeInfo", field) || "<unknown>";
}
